import pg from 'pg'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { addDays, dayOf } from '@outpost/rules/time-zone'
import { demoId } from '../../prisma/seed/random.ts'
import type { Person } from '../support/browser.ts'
import { callAs } from './support/calls.ts'
import { isKept } from './support/field.ts'
import { expectSound, settle } from './support/look.ts'
import { nextStep } from './support/form.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()
let office: pg.Pool
beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
})
afterAll(() => office.end())

const rows = async (text: string, ...values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows
/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })
const company = demoId('sunrise')
/** A day of the company: in Nairobi the next one begins at nine in the evening of UTC. */
const dayFrom = (days: number) => addDays(dayOf(Date.now(), 'Africa/Nairobi'), days)

async function shot(page: Page, name: string): Promise<void> {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png`, fullPage: true })
}
async function option(page: Page, words: string): Promise<void> {
  await page.locator('.ant-select-item-option:visible', { hasText: words }).first().click()
}
async function choose(page: Page, field: string, words: string): Promise<void> {
  const box = page.getByRole('combobox', { name: field }).first()
  await box.click()
  await box.fill(words)
  await option(page, words)
}
async function press(person: Person, name: string): Promise<void> {
  await person.page.getByRole('button', { name, exact: true }).first().click()
  await settle(person)
}

/** M-Pesa's doors of Sunrise, as the provider knows them: an address and a key in the path. */
async function openDoors() {
  const admin = await callAs(url, 'admin@sunrise.test')
  const opened = await admin('POST', '/api/money-connections', { addresses: ['127.0.0.1'] })
  expect(opened.status, opened.text).toBe(200)
  const { key } = opened.body['data'] as { key: string }
  return (door: string, body: object) =>
    fetch(`${url}/hooks/mpesa/${door}/${key}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
}

it('a lead becomes a client without a network; the loan is asked for, assessed, decided and paid out by other people, and the provider confirms it', async () => {
  const leader = await callAs(url, 'leader@sunrise.test')
  const [lead] = await rows(
    `select l.id, l."firstName" || ' ' || l."lastName" as name, l.phonenumber from lead l where l."companyId" = $1 and l."assignedUserId" = $2 and l.status = 'Approved' and l."deletedAt" is null
       and not exists (select from client c where c."companyId" = l."companyId" and c."leadId" = l.id) order by l."dateCreated", l.id limit 1`,
    company,
    demoId('sunrise officer'),
  )
  if (!lead) throw new Error('the demo has no approved lead of the officer')
  const leadId = String(lead['id'])
  // The calculator is walked by a test of its own; its assessment is the one that the application pins.
  const assessed = await leader('POST', `/api/leads/${leadId}/affordability`, {
    calculator: 'cs-affordability',
    inputs: { basicPay: 90_000, netPay: 70_000 },
  })
  expect(assessed.status, assessed.text).toBe(200)

  const officer = await people.enter('officer@sunrise.test', '/agents/landingpage', { width: 390, height: 844, hasWorker: true })
  const phone = officer.page
  await phone.evaluate(() => navigator.serviceWorker.ready)
  await phone.getByRole('button', { name: /^Application is currently online/ }).click()
  await soon(() => phone.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await phone.keyboard.press('Escape')
  await isKept(phone)
  await officer.setOffline(true)
  await phone.goto(`/sales/leads/${leadId}/view`)
  await phone.getByRole('heading', { level: 1, name: String(lead['name']) }).waitFor()
  await phone.getByRole('button', { name: 'Make a client' }).first().click()
  await phone.getByRole('heading', { name: 'New client', level: 1 }).waitFor()
  // What the lead says is there; the officer adds what a client needs beside it.
  await expect.poll(() => phone.getByLabel('First name').inputValue()).toBe(String(lead['name']).split(' ')[0])
  await phone.getByLabel('Employer', { exact: true }).fill('County of Nakuru')
  await phone.getByLabel('Employee number').fill('PN-4471')
  await phone.getByLabel('Position').fill('Nurse')
  const kin = phone.getByRole('group', { name: 'Next of kin and guarantors' })
  await kin.getByRole('button', { name: 'Add line' }).click()
  await kin.getByLabel('Name, line 1').fill('Achieng Odhiambo')
  await kin.getByLabel('Relationship, line 1').click()
  await option(phone, 'Sibling')
  const papers = phone.getByRole('group', { name: 'Documents' })
  for (const [line, kind, days] of [
    [1, 'Passport', 20],
    [2, 'Work permit', 5],
  ] as const) {
    await papers.getByRole('button', { name: 'Add line' }).click()
    await papers.getByLabel(`Kind, line ${line}`).click()
    await option(phone, kind)
    await papers.getByLabel(`Expires, line ${line}`).fill(dayFrom(days))
    await phone.keyboard.press('Tab')
  }
  await expectSound(officer, 'a client made of a lead without a network')
  await shot(phone, 'client-of-lead-phone')
  await phone.getByRole('button', { name: /^Save/ }).click()
  await phone.getByText('Saved on this device').first().waitFor()
  expect(await rows('select from client where "leadId" = $1', leadId)).toEqual([])
  await officer.setOffline(false)
  const made = () =>
    rows(
      `select c.id, c.employer, c."empNumber", l.status, (select count(*)::int from client_kin k where k."clientId" = c.id) as kin,
         (select count(*)::int from client_document d where d."clientId" = c.id and d."expiresOn" is not null) as papers
       from client c join lead l on l."companyId" = c."companyId" and l.id = c."leadId" where c."leadId" = $1`,
      leadId,
    )
  await soon(made).toMatchObject([{ employer: 'County of Nakuru', empNumber: 'PN-4471', status: 'Converted', kin: 1, papers: 2 }])
  const clientId = String((await made())[0]?.['id'])

  // Online: the application at the terms of a product's version, with the assessment.
  await phone.setViewportSize({ width: 1440, height: 900 })
  await phone.goto(`/clients/${clientId}/view`)
  await phone.getByText('Expires soon').first().waitFor()
  await phone.goto(`/sales/applications/add?clientId=${clientId}&leadId=${leadId}`)
  await settle(officer)
  await nextStep(phone)
  await choose(phone, 'Product', 'Payroll loan')
  await phone.getByLabel('Amount', { exact: true }).fill('20000')
  await phone.getByLabel('Instalments', { exact: true }).fill('12')
  await phone.getByLabel('Purpose').fill('School fees of three')
  await nextStep(phone)
  await nextStep(phone)
  await phone.getByRole('button', { name: /^Save/ }).click()
  const application = () =>
    rows(
      `select a.id, a.status, a."affordabilityRunId" is not null as "isAssessed", a."productVersionId" is not null as "isPinned" from loan_application a where a."clientId" = $1`,
      clientId,
    )
  await soon(application).toMatchObject([{ status: 'Draft', isAssessed: true, isPinned: true }])
  const applicationId = String((await application())[0]?.['id'])
  await phone.goto(`/sales/applications/view/${applicationId}`)
  await settle(officer)
  await shot(phone, 'application')
  await press(officer, 'Submit')
  await soon(application).toMatchObject([{ status: 'Submitted' }])

  // Credit decides, asks for the payout and has no button to approve it; the branch does.
  const credit = await people.enter('credit@sunrise.test', `/sales/applications/view/${applicationId}`)
  await credit.page.getByText('PASS').first().waitFor()
  await press(credit, 'Approve')
  const decision = credit.page.getByRole('dialog')
  await decision.getByLabel('Decision note').fill('Income and papers are in order')
  await decision.getByRole('button', { name: 'Approve', exact: true }).click()
  await decision.waitFor({ state: 'detached' })
  await soon(application).toMatchObject([{ status: 'Disbursing' }])
  const [loan] = await rows(
    `select id, 'L-' || lpad(number::text, 6, '0') as number, instalments from loan where "clientId" = $1`,
    clientId,
  )
  const number = String(loan?.['number'])
  await credit.page.goto('/disbursements/create')
  await settle(credit)
  await choose(credit.page, 'Loan', number)
  await credit.page.getByRole('button', { name: 'Save' }).click()
  await settle(credit)
  await credit.page
    .getByRole('link', { name: /^D-\d{6}$/ })
    .first()
    .click()
  await credit.page.getByText('Waits for the decision of another person').first().waitFor()
  expect(await credit.page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
  const path = new URL(credit.page.url()).pathname
  const branch = await people.enter('branch@sunrise.test', path)
  await press(branch, 'Approve')
  await press(branch, 'Mark as sent')
  await branch.page.locator('main').getByText('Sent', { exact: true }).first().waitFor()
  const say = await openDoors()
  const Result = {
    ResultType: 0,
    ResultCode: 0,
    ResultDesc: 'The service request is processed successfully.',
    OriginatorConversationID: path.split('/')[2],
    ConversationID: 'AG_JOURNEY',
    TransactionID: 'QJOURNEY1',
  }
  const results = await Promise.all(Array.from({ length: 5 }, () => say('payout-result', { Result })))
  expect(results.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  await branch.page.reload()
  await branch.page.locator('main').getByText('Confirmed', { exact: true }).first().waitFor()
  await branch.page.locator('main').getByText('QJOURNEY1').first().waitFor()
  await branch.page.getByRole('link', { name: number }).first().click()
  await branch.page.getByRole('heading', { level: 1, name: number }).waitFor()
  await branch.page.locator('main').getByText('Schedule', { exact: true }).first().click()
  await branch.page.getByText('To come').filter({ visible: true }).first().waitFor()
  expect(await rows(`select count(*)::int as count from ledger_entry where "loanId" = $1 and kind = 'disbursement'`, loan?.['id'])).toEqual(
    [{ count: 1 }],
  )
  expect(await rows('select count(*)::int as count from loan_instalment where "loanId" = $1', loan?.['id'])).toEqual([{ count: 12 }])
})

it('of two promises to pay one is kept by mobile money; the other is broken, and its task is with the officer the same day', async () => {
  const late = await rows(
    `select l.id, 'L-' || lpad(l.number::text, 6, '0') as number, c."trimmedPhonenumber" as phone from loan l join client c on c."companyId" = l."companyId" and c.id = l."clientId"
     where l."companyId" = $1 and l.status = 'Active' and l."unpaidSince" < current_date - 20 and l."principalOwed" > 5000
       and not exists (select from payment_promise p where p."companyId" = l."companyId" and p."loanId" = l.id) order by l."unpaidSince" desc, l.id limit 2`,
    company,
  )
  const [keeps, breaks] = late
  if (!keeps || !breaks) throw new Error('the demo has no late loans')
  const person = await people.enter('admin@sunrise.test', `/loans/promises/create?loanId=${String(keeps['id'])}`)
  const { page } = person
  for (const { id } of [keeps, breaks]) {
    if (!page.url().endsWith(String(id))) await page.goto(`/loans/promises/create?loanId=${String(id)}`)
    await settle(person)
    await page.getByLabel('Amount').fill('640')
    await page.getByLabel('By', { exact: true }).click()
    await page.getByText('Today', { exact: true }).last().click()
    await page.getByRole('button', { name: 'Save' }).click()
    await settle(person)
  }
  const say = await openDoors()
  const paid = await say('confirmation', {
    TransactionType: 'Pay Bill',
    TransID: 'QKEPT640',
    TransTime: `${dayFrom(0).replaceAll('-', '')}000100`,
    TransAmount: '640.00',
    BusinessShortCode: '600638',
    BillRefNumber: keeps['number'],
    MSISDN: keeps['phone'],
    FirstName: 'John',
  })
  expect(paid.status).toBe(200)
  // Three days on: the day and its grace are over when the night comes.
  await rows(
    `update payment_promise set "dueOn" = "dueOn" - 3, "dateCreated" = "dateCreated" - interval '4 days' where "loanId" = $1`,
    breaks['id'],
  )
  await rows(`update outbox set "runAt" = now() where "companyId" = $1 and type = 'loans.nightly' and status = 'new'`, company)
  const statusOf = async (loan: Record<string, unknown>) =>
    (await rows('select status from payment_promise where "loanId" = $1', loan['id']))[0]?.['status']
  await soon(async () => [await statusOf(keeps), await statusOf(breaks)]).toEqual(['Kept', 'Broken'])
  const promiseOf = async (loan: Record<string, unknown>, status: string) => {
    await page.goto(`/loans/accounts/${String(loan['id'])}/view`)
    await settle(person)
    await page.locator('main').getByText('Promises to pay', { exact: true }).first().click()
    await page.getByRole('row').filter({ hasText: 'KES 640.00' }).getByText(status, { exact: true }).first().waitFor()
  }
  await promiseOf(keeps, 'Kept')
  await promiseOf(breaks, 'Broken')
  await page
    .getByRole('row')
    .filter({ hasText: 'KES 640.00' })
    .getByRole('link', { name: /^P-\d{6}$/ })
    .click()
  await settle(person)
  await expectSound(person, 'a broken promise')
  await page
    .getByRole('link', { name: `Broken promise on loan ${String(breaks['number'])}` })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /^Broken promise on loan/ }).waitFor()
  await page.getByText('Promised 640').first().waitFor()
})
