import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()
let office: pg.Pool
const rows = async (text: string, ...values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows

beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
})
afterAll(() => office.end())

it('ties of a client are a picture: the keyboard reaches each of them and opens its record', async () => {
  const officer = await callAs(inject('outpostUrl'), 'officer@sunrise.test')
  const save = async (firstName: string, phonenumber: string, over: object = {}) => {
    const saved = await officer('POST', '/api/clients', { firstName, lastName: 'Knot', phonenumber, ...over })
    expect(saved.status, saved.text).toBe(200)
    return (saved.body as { data: { client: { Id: string } } }).data.client.Id
  }
  const kin = [{ name: 'Peter Knot', relationship: 'Sibling', phonenumber: '0755777001', isGuarantor: true }]
  const me = await save('Amani', '0745777001', { lineone: 'Moi Avenue 4', city: 'Thika', nextOfKin: kin })
  await save('Bahati', '0745777002', { contactNumber: '0745777001', lineone: 'Moi Avenue 4', city: 'Thika' })
  await save('Chuki', '0745777003', { nextOfKin: kin })

  const person = await enter('officer@sunrise.test', `/clients/${me}/view?tab=exposure`)
  const { page } = person
  const picture = page.locator('.ties')
  for (const words of ['Amani Knot', 'same phone', 'same address', 'same guarantor (Peter Knot)', 'Bahati Knot', 'Chuki Knot'])
    await picture.getByText(words, { exact: true }).waitFor()
  expect(await picture.locator('path').count()).toBe(6)
  await page.getByRole('table').getByText('same address, same phone').waitFor()
  await expectSound(person, 'the ties of a client')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ties.png`, fullPage: true })
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'the ties of a client on a phone')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/ties-phone.png`, fullPage: true })
  await picture.getByRole('link', { name: 'Bahati Knot' }).focus()
  await page.keyboard.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Chuki Knot')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Chuki Knot' }).waitFor()
  await settle(person)
})

it('the receipt of a payment is sent by hand; payment and client show it with what became of it', async () => {
  const [paid] = await rows(
    `select p.id, p."clientId", 'R-' || lpad(p.number::text, 6, '0') as number from payment p join client c on c."companyId" = p."companyId" and c.id = p."clientId"
     where p."companyId" = $1 and p.status = 'Posted' and p.method <> 'topUp' and c."deletedAt" is null
       and not exists (select from client_message m where m."companyId" = p."companyId" and m."clientId" = c.id) order by p.number desc limit 1`,
    demoId('sunrise'),
  )
  const person = await enter('admin@sunrise.test', `/clients/payments/view/${String(paid?.['id'])}`)
  const { page } = person
  const send = async (channel?: string) => {
    const button = page.getByRole('button', { name: 'Send the receipt' })
    if (await button.isVisible()) await button.click()
    else {
      await page.getByRole('button', { name: 'More actions' }).click()
      await page.getByRole('menuitem', { name: 'Send the receipt' }).click()
    }
    const dialog = page.getByRole('dialog')
    if (channel) {
      await dialog.getByLabel('How').click()
      await page.locator('.ant-select-item-option:visible', { hasText: channel }).click()
    }
    await dialog.getByRole('button', { name: 'Send the receipt' }).click()
    await dialog.waitFor({ state: 'detached' })
  }
  await send('SMS')
  const state = () => rows(`select channel, status from client_message where "paymentId" = $1 order by "dateCreated"`, paid?.['id'])
  await expect.poll(state, { timeout: 20_000 }).toEqual([{ channel: 'sms', status: 'Sent' }])
  await page.goto(`/clients/payments/view/${String(paid?.['id'])}?tab=clientMessages`)
  await page.getByRole('cell', { name: 'Sent' }).first().waitFor()
  await settle(person)
  await expectSound(person, 'messages of a payment')
  await page.goto(`/clients/${String(paid?.['clientId'])}/view?tab=clientMessages`)
  await page
    .getByRole('cell', { name: new RegExp(`receipt ${String(paid?.['number'])}`) })
    .first()
    .waitFor()
  await settle(person)
  await expectSound(person, 'messages of a client')
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/messages.png`, fullPage: true })
  await page
    .getByRole('link', { name: new RegExp(`receipt ${String(paid?.['number'])}`) })
    .first()
    .click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).click()
  await expect.poll(state, { timeout: 20_000 }).toHaveLength(2)
})
