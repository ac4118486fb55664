import pg from 'pg'
import type { Browser, Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { isKept } from './support/field.ts'
import { expectSound, settle } from './support/look.ts'
import { nextStep } from './support/form.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()
let browser: Browser
let office: pg.Pool
let officer: Person

const rows = async (text: string, ...values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows
/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
  browser = await launchBrowser()
  officer = await openPerson(browser, { url, width: 360, height: 740, hasWorker: true })
})
afterAll(async () => {
  await browser.close()
  await office.end()
})

const purpose = 'Twelve bags of maize seed'

async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}
async function choose(page: Page, field: string, words: string): Promise<void> {
  await page.getByLabel(field, { exact: true }).click()
  await page.getByLabel(field, { exact: true }).fill(words)
  await page.locator('.ant-select-item-option:visible', { hasText: words }).first().click()
}

it('an application is drafted on a phone without a network, is there after a restart, and is quoted and decided by the office', async () => {
  const { page } = officer
  await signIn(officer, 'officer@sunrise.test')
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await page.keyboard.press('Escape')
  const [client] = await rows(
    `select id, "firstName" || ' ' || "lastName" as name from client c where c."companyId" = $1 and c."assignedUserId" = $2 and c."deletedAt" is null
       and not exists (select from client o where o."companyId" = c."companyId" and o."firstName" = c."firstName" and o."lastName" = c."lastName" and o.id <> c.id)
     order by c.id limit 1`,
    demoId('sunrise'),
    demoId('sunrise officer'),
  )
  const name = String(client?.['name'])
  await open(page, '/sales/applications/add', 'New loan application')
  await nextStep(page)
  await page.getByLabel('Product', { exact: true }).click()
  await page.locator('.ant-select-item-option:visible', { hasText: 'Payroll loan' }).first().waitFor()
  await isKept(page)

  await officer.setOffline(true)
  await open(page, '/sales/applications/add', 'New loan application')
  await choose(page, 'Client', name)
  await nextStep(page)
  await choose(page, 'Product', 'Payroll loan')
  await page.getByLabel('Amount', { exact: true }).fill('20000')
  await page.getByLabel('Instalments', { exact: true }).fill('12')
  await page.getByLabel('Purpose').fill(purpose)
  await expectSound(officer, 'an application without a network on a phone')
  await nextStep(page)
  await nextStep(page)
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Saved on this device').first().waitFor()

  // The phone is put away and the program opened anew, still without a network.
  const again = await officer.context.newPage()
  await page.close()
  await again.goto('/sales/applications')
  await again.getByText('You are offline').waitFor()
  await again.getByLabel('E-mail or user name').fill('officer@sunrise.test')
  await again.getByLabel('Password', { exact: true }).fill(demoPassword)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await again.getByRole('heading', { level: 1, name: 'Loan applications' }).waitFor()
  await again.getByText('to be sent').first().waitFor()
  const card = again.locator('.record-card').filter({ hasText: 'to be sent' })
  await card.getByText('KES 20,000.00').waitFor()
  await again.getByRole('button', { name: /^Application is currently offline\. 1 waiting/ }).waitFor()
  expect(await rows('select from loan_application where purpose = $1', purpose)).toEqual([])

  await officer.setOffline(false)
  const found = () =>
    rows(
      'select id, status, number > 0 as "isNumbered", instalment::float8 as instalment from loan_application where purpose = $1',
      purpose,
    )
  await soon(found).toMatchObject([{ status: 'Draft', isNumbered: true, instalment: expect.any(Number) as number }])
  const [made] = await found()
  const manager = await people.enter('branch@sunrise.test', `/sales/applications/view/${String(made?.['id'])}`)
  await manager.page.getByText(purpose).first().waitFor()
  await manager.page.getByRole('link', { name }).first().waitFor()
  const instalment = Number(made?.['instalment']).toLocaleString('en', { minimumFractionDigits: 2 })
  await manager.page.getByText(`KES ${instalment}`).filter({ visible: true }).first().waitFor()
  await expectSound(manager, 'an application that came from a phone')
  // The phone has the quote of the office by then.
  await again.goto(`/sales/applications/view/${String(made?.['id'])}`)
  await settle({ page: again })
  await soon(() => again.locator('main').innerText()).toMatch(/A-\d{5}/)
  await again.getByRole('button', { name: 'Submit' }).click()
  await soon(found).toMatchObject([{ status: 'Submitted' }])
  expect(officer.faults.splice(0)).toEqual([])
})
