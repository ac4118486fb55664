import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { isKept } from './support/field.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()
let office: pg.Pool
const rows = async <Row extends object>(text: string, ...values: unknown[]) => (await office.query<Row>(text, values)).rows
/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })

beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
})
afterAll(() => office.end())

it('a form is filled in without a network about a lead that nobody has yet, sent later, and kept under its version', async () => {
  const admin = await callAs(inject('outpostUrl'), 'admin@sunrise.test')
  const pages = [
    { key: 'stall', title: 'The stall', questions: [{ key: 'tables', kind: 'number', label: 'Tables', required: true, max: 20 }] },
  ]
  const made = await admin('POST', '/api/web-forms', { name: 'Stall count', about: 'lead', pages })
  expect(made.status, made.text).toBe(200)
  const formId = (made.body.data as { webForm: { Id: string } }).webForm.Id
  expect((await admin('POST', `/api/web-forms/${formId}/publish`, {})).status).toBe(200)

  const person = await enter('officer@sunrise.test', '/agents/landingpage', { width: 390, height: 844, hasWorker: true })
  const { page } = person
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await page.keyboard.press('Escape')
  await page.reload()
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await isKept(page)
  await person.setOffline(true)

  await page.goto('/sales/leads/create')
  await page.getByLabel('First name').fill('Zuri')
  await page.getByLabel('Last name').fill('Stallholder')
  await page.getByLabel('Phone', { exact: true }).fill('0712777401')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Saved on this device').first().waitFor()
  await page.goto('/forms')
  await page.getByRole('link', { name: 'Stall count v1' }).click()
  await page.getByRole('heading', { name: 'Stall count', level: 1 }).waitFor()
  await settle(person)
  await expectSound(person, 'a form on a phone without a network')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/form-offline.png`, fullPage: true })
  await page.getByLabel('Lead', { exact: true }).click()
  await page.getByLabel('Lead', { exact: true }).fill('Zuri')
  await page.locator('.ant-select-item-option:visible', { hasText: 'Zuri Stallholder' }).first().click()
  // The phone checks as the office will.
  await page.getByLabel('Tables').fill('21')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Tables may not be over 20').waitFor()
  await page.getByLabel('Tables').fill('7')
  await page.getByRole('button', { name: 'Send' }).click()
  await page.getByText('Saved on this device').first().waitFor()
  await page.getByRole('heading', { name: 'Filled forms', level: 1 }).waitFor()
  await page.getByText('Stall count').first().waitFor()
  await page.getByText('to be sent').first().waitFor()
  const answers = () =>
    rows(
      `select a."answers", v."number", l."firstName" from web_form_answer a join web_form_version v on v."companyId" = a."companyId" and v."id" = a."formVersionId"
        left join lead l on l."companyId" = a."companyId" and l."id" = a."leadId" where a."formId" = $1`,
      formId,
    )
  expect(await answers()).toEqual([])

  // Meanwhile the office asks for something else, and then for nothing at all.
  const next = [{ ...pages[0], questions: [{ key: 'roof', kind: 'boolean', label: 'Has it a roof?', required: true }] }]
  expect((await admin('PUT', `/api/web-forms/${formId}`, { pages: next })).status).toBe(200)
  expect((await admin('POST', `/api/web-forms/${formId}/publish`, {})).status).toBe(200)
  expect((await admin('POST', `/api/web-forms/${formId}/move`, { move: 'archive' })).status).toBe(200)
  await person.setOffline(false)
  await soon(answers).toEqual([{ answers: { tables: 7 }, number: 1, firstName: 'Zuri' }])
  await page.reload()
  await page.getByText('Tables: 7').first().waitFor()
  await settle(person)
  await expectSound(person, 'a form that came from a phone')
})
