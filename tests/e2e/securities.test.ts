import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { choose, make, onPhone, pickToday } from './support/moves.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()
const url = inject('outpostUrl')

interface Loan {
  Id: string
  loanNumber: string
  clientId: string
}
/** Active loans of the demo that credit reaches. */
async function activeLoans(): Promise<Loan[]> {
  const call = await callAs(url, 'credit@sunrise.test')
  const filter = encodeURIComponent(JSON.stringify([{ field: 'status', op: 'eq', value: 'Active' }]))
  return ((await call('GET', `/api/loans?size=20&filter=${filter}`)).body.data as { loans: Loan[] }).loans
}

it('what secured a loan is sold: one person enters the sale, another books it, and what it brought is on the loan', async () => {
  const loan = (await activeLoans()).at(-1)
  if (!loan) throw new Error('the demo has no active loans')
  const maker = await enter('credit@sunrise.test', '/loans/securities/create')
  const { page } = maker
  await choose(page, 'Loan', loan.loanNumber)
  await page.getByLabel('What was sold').fill('Posho mill')
  await pickToday(page, 'Sold on')
  await page.getByLabel('Price', { exact: true }).fill('1200')
  await page.getByLabel('Costs of the sale').fill('1300')
  maker.allow(/422/, 'the test enters costs above the price')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('are more than the price').first().waitFor()
  await page.getByLabel('Costs of the sale').fill('200')
  await page.getByLabel('Buyer').fill('Kamau Millers')
  await expectSound(maker, 'form of a sale')
  await page.getByRole('button', { name: /^Save/ }).click()
  await settle(maker)
  await page
    .getByRole('link', { name: /^S-\d{6}$/ })
    .first()
    .click()
  await settle(maker)
  await page.getByText('KES 1,000.00').first().waitFor()
  await page.getByText('Waits for the decision of another person').first().waitFor()
  expect(await page.getByRole('button', { name: 'Book', exact: true }).count()).toBe(0)
  await expectSound(maker, 'a sale that waits')
  await onPhone(maker, 'a sale')

  const decider = await enter('admin@sunrise.test', new URL(page.url()).pathname)
  await make(decider, 'Book')
  await decider.page.locator('main').getByText('Booked', { exact: true }).first().waitFor()
  await expectSound(decider, 'a booked sale')
  await decider.page.getByRole('link', { name: loan.loanNumber }).first().click()
  await decider.page.getByRole('heading', { level: 1, name: loan.loanNumber }).waitFor()
  const call = await callAs(url, 'admin@sunrise.test')
  const filter = encodeURIComponent(JSON.stringify([{ field: 'loanId', op: 'eq', value: loan.Id }]))
  const { securitySales } = (await call('GET', `/api/security-sales?filter=${filter}`)).body.data as {
    securitySales: { status: string; net: number; settled: number; surplus: number }[]
  }
  expect(securitySales.map(({ status, net, settled, surplus }) => [status, net, settled + surplus])).toEqual([['Booked', 1000, 1000]])
})

it('up to the limit of the settings one person asks for a payout and approves it; above it another person does', async () => {
  const admin = await callAs(url, 'admin@sunrise.test')
  const [client] = await activeLoans()
  const numbers = await Promise.all(
    ['2500', '3500'].map(async (principal) => {
      const made = await admin('POST', '/api/loans', {
        clientId: client?.clientId,
        principal,
        terms: {
          currency: 'KES',
          method: 'flat',
          annualRate: '24',
          dayCount: 'equalPeriods',
          every: { unit: 'month', count: 1 },
          instalments: 6,
          brokenPeriod: 'ignore',
          graceOnPrincipal: 0,
          graceOnInterest: 0,
          fees: [],
          allocation: ['penalty', 'fee', 'interest', 'principal'],
          dueOnHoliday: 'keep',
        },
      })
      expect(made.status, made.text).toBe(200)
      return (made.body.data as { loan: Loan }).loan.loanNumber
    }),
  )
  const office = await enter('admin@sunrise.test', '/admin/settings')
  const row = office.page.locator('#set-disbursementsOneApprovesUpTo')
  await row.getByRole('spinbutton').fill('3000')
  await office.page.keyboard.press('Control+s')
  await row.getByText('chosen here').waitFor()

  const maker = await enter('credit@sunrise.test', '/disbursements/create')
  for (const [place, number] of numbers.entries()) {
    const { page } = maker
    await page.goto('/disbursements/create')
    await settle(maker)
    await choose(page, 'Loan', number)
    await page.getByRole('button', { name: /^Save/ }).click()
    await settle(maker)
    await page
      .getByRole('link', { name: /^D-\d{6}$/ })
      .first()
      .click()
    await settle(maker)
    await page
      .getByText(place === 0 ? 'KES 2,500.00' : 'KES 3,500.00')
      .first()
      .waitFor()
    if (place === 0) {
      await make(maker, 'Approve')
      await page.locator('main').getByText('Approved', { exact: true }).first().waitFor()
    } else {
      await page.getByText('Waits for the decision of another person').first().waitFor()
      expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
    }
  }
  await office.page.getByRole('button', { name: 'Disbursements: one person asks and approves up to: back to the standard' }).press('Enter')
  await office.page.keyboard.press('Control+s')
  await row.getByText('chosen here').waitFor({ state: 'detached' })
})
