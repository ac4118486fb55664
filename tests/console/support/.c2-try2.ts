import { serveConsole } from './serve.ts'
import { launchBrowser, openPage } from './browser.ts'
import { leadServer, makeLeads, viewFrame } from './views.ts'
const site = await serveConsole('/tmp/c2-dist')
const browser = await launchBrowser()
const t = await openPage(browser, { url: site.url, frame: viewFrame(), answers: leadServer(makeLeads(300)) })
const { page } = t
page.setDefaultTimeout(5000)
for (const motion of ['reduce', 'no-preference'] as const) {
await page.emulateMedia({ reducedMotion: motion })
await page.goto('/sales/leads'); await page.locator('.ant-table-row').first().waitFor()
for (const name of ['Columns and density', /^Period/, 'Filter']) {
  await page.getByRole('button', { name }).click(); await page.waitForTimeout(800)
  console.log(motion, String(name), await page.evaluate(() => [...document.querySelectorAll('.ant-popover')].map((e) => e.className.replace(/outpost\S+|css\S+/g,'') + ' | ' + e.getAttribute('style'))))
  await page.keyboard.press('Escape'); await page.waitForTimeout(300)
}}
console.log(t.faults)
await browser.close(); await site.close()
