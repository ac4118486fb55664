import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()
let office: pg.Pool
beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 1 })
})
afterAll(() => office.end())

const rows = async (text: string, ...values: unknown[]) => (await office.query<Record<string, string>>(text, values)).rows

it('mobile money said five times is one payment; money without a loan is suggested to the right one; the late loan is at risk, and its client promises', async () => {
  const admin = await callAs(url, 'admin@sunrise.test')
  const opened = await admin('POST', '/api/money-connections', { addresses: ['127.0.0.1'] })
  expect(opened.status, opened.text).toBe(200)
  const { key } = opened.body['data'] as { key: string }
  const [late] = await rows(
    `select l.id, 'L-' || lpad(l.number::text, 6, '0') as number, c."trimmedPhonenumber" as phone, n.name as branch from loan l
       join client c on c."companyId" = l."companyId" and c.id = l."clientId" join tenant n on n."companyId" = l."companyId" and n.id = l."tenantId"
     where l."companyId" = $1 and l.status = 'Active' and l."unpaidSince" < current_date - 40 and l."principalOwed" > 2000
       and not exists (select from loan o where o."companyId" = l."companyId" and o."clientId" = l."clientId" and o.id <> l.id) order by l."unpaidSince" desc, l.id limit 1`,
    demoId('sunrise'),
  )
  if (!late) throw new Error('the demo has no late loan')
  const say = (TransID: string, TransAmount: string, BillRefNumber: string) =>
    fetch(`${url}/hooks/mpesa/confirmation/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        TransactionType: 'Pay Bill',
        TransID,
        TransTime: `${new Date().toISOString().slice(0, 10).replaceAll('-', '')}000100`,
        TransAmount,
        BusinessShortCode: '600638',
        BillRefNumber,
        MSISDN: late['phone'],
        FirstName: 'John',
      }),
    })
  const answers = await Promise.all(Array.from({ length: 5 }, () => say('QFIVE55', '123.45', String(late['number']))))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect((await say('QSTRAY1', '75.00', 'HARVEST')).status).toBe(200)
  // The provider is answered once its messages are stored, and they are booked a little later on a machine with much to do.
  const booked = () =>
    rows(`select from payment where "companyId" = $1 and "providerReference" in ('QFIVE55', 'QSTRAY1')`, demoId('sunrise'))
  await expect.poll(booked).toHaveLength(2)

  const person = await people.enter('admin@sunrise.test', `/loans/accounts/${late['id']}/view`)
  const { page } = person
  await page.locator('main').getByText('Payments', { exact: true }).first().click()
  await page.getByRole('row').filter({ hasText: 'KES 123.45' }).waitFor()
  expect(await page.getByRole('row').filter({ hasText: 'KES 123.45' }).count()).toBe(1)

  const stray = [{ field: 'providerReference', op: 'eq', value: 'QSTRAY1' }]
  await page.goto(`/clients/payments/?filter=${encodeURIComponent(JSON.stringify(stray))}`)
  await settle(person)
  await page
    .getByRole('link', { name: /^R-\d{6}$/ })
    .first()
    .click()
  await settle(person)
  await page.locator('main').getByText('Likely loans', { exact: true }).first().click()
  const likely = page.getByRole('row').filter({ hasText: String(late['number']) })
  await likely.waitFor()
  await expectSound(person, 'likely loans of a payment')
  await likely.getByRole('button').last().click()
  const here = page.getByRole('menuitem', { name: 'Allocate here' })
  await here.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Allocate here' }).click()
  await page.getByText('No likely loan').waitFor()
  await page.locator('main').getByText('Details', { exact: true }).first().click()
  await page.locator('main').getByText('Posted', { exact: true }).first().waitFor()
  await page
    .getByRole('link', { name: String(late['number']) })
    .first()
    .waitFor()

  await page.goto('/reports/standard/parVarThirtyReport')
  await settle(person)
  await page.getByRole('button', { name: 'Preview' }).click()
  await page
    .getByRole('row')
    .filter({ hasText: String(late['branch']) })
    .first()
    .waitFor()
  const atRisk = [
    { field: 'daysPastDue', op: 'gte', value: 31 },
    { field: 'principalOwed', op: 'gte', value: 0.01 },
  ]
  await page.goto(`/loans/accounts?search=${late['number']}&filter=${encodeURIComponent(JSON.stringify(atRisk))}`)
  await page
    .getByRole('link', { name: String(late['number']) })
    .first()
    .waitFor()

  await page.goto(`/loans/promises/create?loanId=${late['id']}`)
  await settle(person)
  await page.getByLabel('Amount').fill('500')
  await page.getByLabel('By', { exact: true }).click()
  await page.getByText('Today', { exact: true }).last().click()
  await page.getByRole('button', { name: 'Save' }).click()
  await settle(person)
  await page.goto(`/loans/accounts/${late['id']}/view`)
  await settle(person)
  await page.locator('main').getByText('Promises to pay', { exact: true }).first().click()
  await page.getByRole('row').filter({ hasText: 'KES 500.00' }).getByText('Open').first().waitFor()
})
