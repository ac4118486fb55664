import { serveConsole } from './serve.ts'
import { launchBrowser, openPage } from './browser.ts'
import { bodyOf, leadServer, makeLeads, viewFrame } from './views.ts'
const site = await serveConsole('/tmp/c2-dist')
const browser = await launchBrowser()
const theirs = { ...makeLeads(5)[4], firstName: 'Theirs', employer: 'Acme', version: 7 }
const lead = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
const t = await openPage(browser, { url: site.url, frame: viewFrame(), answers: leadServer(makeLeads(300), {
  'GET /api/views': () => ({ views: [{ Id: 'v1', screen: '/sales/leads', name: 'Jumas', scope: 'user', isDefault: true, isMine: true, state: { search: 'juma' } }] }),
        [`PUT /api/leads/${lead(4)}`]: async (route) => {
        console.log(bodyOf(route))
        await route.fulfill({ status: 409, json: { success: false, code: 'CONFLICT', status: 409, message: 'Somebody else changed this record meanwhile.', details: { current: theirs } } })
        return undefined
      },

}) })
const { page } = t
page.setDefaultTimeout(8000)
await page.goto('/sales/leads'); await page.locator('.ant-table-row').first().waitFor()
await page.waitForTimeout(800)
await page.screenshot({ path: '/tmp/c2-a.png' })
await page.goto(`/sales/leads/edit/${lead(4)}`)
    await page.getByLabel('First name').fill('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
await page.waitForTimeout(1500)
await page.screenshot({ path: '/tmp/c2-b.png' })
console.log(t.faults)
await browser.close(); await site.close()
