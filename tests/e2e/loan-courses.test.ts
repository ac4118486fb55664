import pg from 'pg'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import type { Person } from '../support/browser.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const people = usePeople()
let office: pg.Pool
beforeAll(() => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 1 })
})
afterAll(() => office.end())

const rows = async (text: string, ...values: unknown[]) => (await office.query<Record<string, string>>(text, values)).rows
const code = (number: unknown) => `L-${String(number).padStart(6, '0')}`

async function choose(page: Page, field: string, option: string): Promise<void> {
  const box = page.getByRole('dialog').getByRole('combobox', { name: field })
  await box.click()
  await box.fill(option)
  await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click()
}
async function openTab(person: Person, name: string): Promise<void> {
  await person.page.locator('main').getByText(name, { exact: true }).first().click()
  await settle(person)
}
const listOf = (search: string) => `/loans/accounts?search=${search}`
const sumIn = async (loanId: string, tenantId: string) =>
  Number(
    (
      await rows(
        `select coalesce(sum(l.debit - l.credit), 0)::text as sum from ledger_line l join ledger_account a on a."companyId" = l."companyId" and a.id = l."accountId"
        where l."loanId" = $1 and l."tenantId" = $2 and a.purpose = 'portfolio'`,
        loanId,
        tenantId,
      )
    )[0]?.['sum'],
  )

it('loans are given to another branch and officer, one and many; the loan tells where it was, and its balances are where it is', async () => {
  const westlands =
    (await rows(`select id from tenant where "companyId" = $1 and name = 'Westlands Team'`, demoId('sunrise')))[0]?.['id'] ?? ''
  const [officer] = await rows(
    `select u."firstName" || ' ' || u."lastName" as name, n.id as "tenantId", n.name as branch from app_user u join user_tenant m on m."companyId" = u."companyId" and m."userId" = u.id
     join tenant n on n."companyId" = m."companyId" and n.id = m."tenantId" where u."companyId" = $1 and n.name like 'Nyali%' and u.status = 1 order by u.id limit 1`,
    demoId('sunrise'),
  )
  const loans = await rows(
    `select id, number::text from loan where "companyId" = $1 and "tenantId" = $2 and status = 'Active' order by "dateCreated" desc limit 3`,
    demoId('sunrise'),
    westlands,
  )
  expect(loans).toHaveLength(3)
  const [single, ...many] = loans.map(({ id, number }) => ({ id: String(id), number: code(number) }))
  if (!single || !officer) throw new Error('the demo has no such loans or officer')
  const person = await people.enter('admin@sunrise.test', listOf(single.number))
  const { page } = person
  const owed = await sumIn(single.id, westlands)
  expect(owed).toBeGreaterThan(0)

  const transfer = async (reason: string) => {
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await choose(page, 'To branch', String(officer['branch']))
    await choose(page, 'To officer', String(officer['name']))
    await dialog.getByLabel('Reason').fill(reason)
    await expectSound(person, 'the dialog of a transfer', '[role=dialog]')
    await dialog.getByRole('button', { name: 'Transfer', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await settle(person)
  }
  await page.getByRole('row').filter({ hasText: single.number }).locator('[aria-haspopup="menu"]').first().click()
  await page.getByRole('menuitem', { name: 'Transfer' }).click()
  await transfer('Moved to the coast')
  await page.getByRole('link', { name: single.number }).first().click()
  await page.getByRole('heading', { level: 1, name: single.number }).waitFor()
  await openTab(person, 'Transfers')
  const line = page.getByRole('row').filter({ hasText: 'Moved to the coast' })
  await line.waitFor()
  expect(await line.innerText()).toMatch(
    new RegExp(`Westlands Team[\\s\\S]*${String(officer['branch'])}[\\s\\S]*${String(officer['name'])}`),
  )
  await expectSound(person, 'the transfers of a loan')
  await openTab(person, 'Ledger')
  await page.getByText(`Balances of loan ${single.number} from Westlands Team`).first().waitFor()
  expect([await sumIn(single.id, westlands), await sumIn(single.id, String(officer['tenantId']))]).toEqual([0, owed])

  const inBranch = [
    { field: 'tenantId', op: 'eq', value: westlands },
    { field: 'status', op: 'eq', value: 'Active' },
  ]
  await page.goto(`/loans/accounts?filter=${encodeURIComponent(JSON.stringify(inBranch))}`)
  await settle(person)
  for (const { number } of many) await page.getByRole('row').filter({ hasText: number }).getByRole('checkbox').check()
  await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Transfer' }).click()
  await transfer('A new team takes over')
  await expect
    .poll(() =>
      rows(
        `select distinct "tenantId" as place from loan where id = any($1)`,
        loans.map(({ id }) => id),
      ),
    )
    .toEqual([{ place: officer['tenantId'] }])
  await page.goto(`/loans/accounts/${many[1]?.id}/view`)
  await settle(person)
  await openTab(person, 'Transfers')
  await page.getByRole('row').filter({ hasText: 'A new team takes over' }).waitFor()
})

it('a credit officer tops up a running loan from its page: too little is refused at its field; another person approves the payout', async () => {
  const [former] = await rows(
    `select l.id, l.number::text, l.principal::text from loan l where l."companyId" = $1 and l.status = 'Active' and l."unpaidSince" > current_date
       and l."tenantId" in (select id from tenant where "companyId" = l."companyId" and name = 'Eastlands Team') order by l.number desc limit 1`,
    demoId('sunrise'),
  )
  if (!former) throw new Error('the demo has no such loan')
  const number = code(former['number'])
  const credit = await people.enter('credit@sunrise.test', `/loans/accounts/${former['id']}/view`)
  credit.allow(/422/, 'too little is refused')
  const { page } = credit
  await page.getByRole('button', { name: 'More actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Top up' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Principal of the new loan').fill('100')
  await dialog.getByRole('button', { name: 'Top up' }).click()
  await dialog.getByText(/Principal of the new loan must be more than what settles the loan today/).waitFor()
  await expectSound(credit, 'a top-up that brings too little', '[role=dialog]')
  await dialog.getByLabel('Principal of the new loan').fill(String(Number(former['principal']) * 3))
  await dialog.getByRole('button', { name: 'Top up' }).click()
  await dialog.waitFor({ state: 'detached' })
  await settle(credit)
  await openTab(credit, 'Top-ups')
  const link = page
    .locator('main')
    .getByRole('row')
    .getByRole('link', { name: /^L-\d{6}$/ })
  const made = (await link.first().innerText()).trim()
  expect(made).not.toBe(number)
  await link.first().click()
  await page.getByRole('heading', { level: 1, name: made }).waitFor()
  await page.getByText('Pays off').first().waitFor()
  await expectSound(credit, 'a top-up that waits for its payout')

  await page.goto('/disbursements/create')
  await settle(credit)
  await page.getByRole('combobox', { name: 'Loan' }).fill(made)
  await page.locator('.ant-select-item-option:visible').filter({ hasText: made }).first().click()
  await page.getByRole('button', { name: 'Save' }).click()
  await settle(credit)
  await page
    .getByRole('link', { name: /^D-\d{6}$/ })
    .first()
    .click()
  await settle(credit)
  await page.getByText('Waits for the decision of another person').first().waitFor()

  const decider = await people.enter('branch@sunrise.test', new URL(page.url()).pathname)
  for (const name of ['Approve', 'Mark as sent']) {
    await decider.page.getByRole('button', { name, exact: true }).first().click()
    await settle(decider)
  }
  await decider.page.getByRole('button', { name: 'Confirm', exact: true }).first().click()
  const confirm = decider.page.getByRole('dialog')
  await confirm.getByLabel('Reference of the payout').fill('B2CTOPUP')
  await confirm.getByLabel('Paid out on').first().click()
  await decider.page.getByText('Today', { exact: true }).last().click()
  await confirm.getByRole('button', { name: 'Confirm', exact: true }).click()
  await confirm.waitFor({ state: 'detached' })
  await decider.page.goto(`/loans/accounts/${former['id']}/view`)
  await decider.page.getByRole('heading', { level: 1, name: number }).waitFor()
  await decider.page.locator('main').getByText('Closed', { exact: true }).first().waitFor()
})
