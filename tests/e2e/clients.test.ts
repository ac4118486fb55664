import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { isKept } from './support/field.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()
let office: pg.Pool
const rows = async (text: string, values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows
/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })

beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
})
afterAll(() => office.end())

it('a client is captured with next of kin and a paper that expires, and closed with a reason', async () => {
  const person = await enter('leader@sunrise.test', '/clients/create')
  const { page } = person
  const shot = async (name: string) => {
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
  }
  await page.getByLabel('First name').fill('Wairimu')
  await page.getByLabel('Last name').fill('Gachanja')
  await page.getByLabel('Phone', { exact: true }).fill('0745111222')
  const kin = page.getByRole('group', { name: 'Next of kin and guarantors' })
  await kin.getByRole('button', { name: 'Add line' }).click()
  await kin.getByLabel('Name, line 1').fill('Peter Gachanja')
  await kin.getByLabel('Relationship, line 1').click()
  await page.locator('.ant-select-item-option:visible', { hasText: 'Spouse' }).click()
  const papers = page.getByRole('group', { name: 'Documents' })
  await papers.getByRole('button', { name: 'Add line' }).click()
  await papers.getByLabel('Kind, line 1').click()
  await page.locator('.ant-select-item-option:visible', { hasText: 'Passport' }).click()
  await papers.getByLabel('Expires, line 1').fill(new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10))
  await page.keyboard.press('Tab')
  await expectSound(person, 'form of a client')
  await shot('client-form')
  await page.getByRole('button', { name: /^Save/ }).click()
  if (process.env.SHOTS) await new Promise((r) => setTimeout(r, 4000))
  await shot('after-save')
  await page.getByRole('heading', { name: 'Wairimu Gachanja', level: 1 }).waitFor()
  await settle(person)
  await page.getByText('Expires soon').first().waitFor()
  await page.getByText('Peter Gachanja').waitFor()
  await expectSound(person, 'a client')
  await shot('client-detail')
  await page
    .getByRole('button', { name: /^More/ })
    .first()
    .click()
    .catch(() => undefined)
  await shot('client-actions')
  await page.goto('/clients/grid')
  await settle(person)
  await shot('clients-grid')
  await expectSound(person, 'clients as cards')
})
