import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { choose, pickToday } from './support/moves.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()

interface DemoLoan {
  Id: string
  loanNumber: string
}
/** Active loans in the reach of credit that nothing is late on. */
async function currentLoans(): Promise<DemoLoan[]> {
  const call = await callAs(url, 'credit@sunrise.test')
  const filter = [
    { field: 'status', op: 'eq', value: 'Active' },
    { field: 'bucket', op: 'eq', value: 'Current' },
  ]
  const answer = await call('GET', `/api/loans?size=5&filter=${encodeURIComponent(JSON.stringify(filter))}`)
  return (answer.body.data as { loans: DemoLoan[] }).loans
}

it('who collects notes from the worklist what was done; the loan keeps it', async () => {
  const person = await people.enter('admin@sunrise.test', '/sales/collections')
  const { page } = person
  await expectSound(person, 'the worklist of collections')
  const row = page
    .getByRole('row')
    .filter({ hasText: /L-\d{6}/ })
    .first()
  const number = /L-\d{6}/.exec(await row.innerText())?.[0] ?? ''
  await row.locator('[aria-haspopup="menu"]').first().click()
  await page.getByRole('menuitem', { name: 'Done' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.waitFor()
  await choose(page, 'What was done', 'Call')
  await choose(page, 'What came of it', 'Refused')
  await dialog.getByLabel('Note').fill('Asks for another day')
  await dialog.getByRole('button', { name: 'Done', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.goto('/loans/contacts')
  await settle(person)
  const contact = page.getByRole('row').filter({ hasText: 'Asks for another day' }).first()
  await contact.waitFor()
  expect(await contact.innerText()).toContain(number)
  await expectSound(person, 'contacts about arrears')
})

it('a loan is settled by its quote, what was paid too much is refunded by two people', async () => {
  const [loan] = await currentLoans()
  if (!loan) throw new Error('the demo has no current loans')
  const maker = await people.enter('credit@sunrise.test', '/loans/settlements/create')
  const { page } = maker
  await choose(page, 'Loan', loan.loanNumber)
  await pickToday(page, 'Valid until')
  await page.getByRole('button', { name: 'Save' }).click()
  await settle(maker)
  const admin = await callAs(url, 'admin@sunrise.test')
  const filter = encodeURIComponent(JSON.stringify([{ field: 'loanId', op: 'eq', value: loan.Id }]))
  const quotes = (await admin('GET', `/api/settlement-quotes?filter=${filter}`)).body.data as {
    settlementQuotes: { total: number; quotedOn: string; status: string }[]
  }
  const quote = quotes.settlementQuotes.find(({ status }) => status === 'Open')
  const paid = await admin('POST', '/api/payments', {
    loanId: loan.Id,
    amount: (quote?.total ?? 0) + 100,
    method: 'transfer',
    paidOn: quote?.quotedOn,
  })
  expect(paid.status).toBe(200)

  await page.goto('/disbursements/create')
  await settle(maker)
  await choose(page, 'Kind', 'Refund')
  await choose(page, 'Loan', loan.loanNumber)
  await page.getByRole('button', { name: 'Save' }).click()
  await settle(maker)
  await page
    .getByRole('link', { name: /^D-\d{6}$/ })
    .first()
    .click()
  await settle(maker)
  await page.getByText('KES 100.00').first().waitFor()
  await expectSound(maker, 'a refund that waits')

  const decider = await people.enter('admin@sunrise.test', new URL(page.url()).pathname)
  for (const name of ['Approve', 'Mark as sent']) {
    await decider.page.getByRole('button', { name, exact: true }).first().click()
    await settle(decider)
  }
  await decider.page.getByRole('button', { name: 'Confirm', exact: true }).first().click()
  const dialog = decider.page.getByRole('dialog')
  await dialog.getByLabel('Reference of the payout').fill('B2CREFUND')
  await pickToday(decider.page, 'Paid out on')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await decider.page.getByRole('link', { name: loan.loanNumber }).first().click()
  await decider.page.getByRole('heading', { level: 1, name: loan.loanNumber }).waitFor()
  await decider.page.locator('main').getByText('Closed', { exact: true }).first().waitFor()
})
