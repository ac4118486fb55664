import type { Locator, Page } from 'playwright'
import { expect, it } from 'vitest'
import type { Person } from '../support/browser.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

async function choose(page: Page, field: string, option?: string): Promise<void> {
  await page.getByRole('combobox', { name: field }).click()
  if (option !== undefined) await page.keyboard.type(option)
  const found = page.locator('.ant-select-item-option:visible')
  await (option === undefined ? found.first() : found.filter({ hasText: option }).first()).click()
}

async function pickToday(page: Page, field: string): Promise<void> {
  await page.getByLabel(field).first().click()
  await page.getByText('Today', { exact: true }).last().click()
}

type Fill = (dialog: Locator) => Promise<void>

/** Presses a move of the record and answers what it asks for. */
async function make(person: Person, move: string, fill?: Fill): Promise<void> {
  const { page } = person
  await page.getByRole('button', { name: move, exact: true }).first().click()
  if (fill) await answer(person, move, fill)
  await settle(person)
}

async function answer(person: Person, move: string, fill: Fill): Promise<void> {
  const dialog = person.page.getByRole('dialog')
  await dialog.waitFor()
  await fill(dialog)
  await dialog.getByRole('button', { name: move, exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

async function openTab(person: Person, name: string): Promise<void> {
  await person.page.locator('main').getByText(name, { exact: true }).first().click()
  await settle(person)
}

async function onPhone(person: Person, what: string): Promise<void> {
  await person.page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, `${what} on a phone`)
  await person.page.setViewportSize({ width: 1440, height: 900 })
  await settle(person)
}

it('a payout is asked for, not approved by who asked, approved by another person, sent and confirmed; then the schedule is there', async () => {
  const maker = await enter('credit@sunrise.test', '/loans/accounts')
  const { page } = maker
  await page.getByRole('button', { name: 'Open a loan' }).click()
  await choose(page, 'Client')
  const form = page.getByRole('dialog')
  await form.getByLabel('Principal').fill('12000')
  await form.getByLabel('Rate a year (%)').fill('24')
  await form.getByLabel('Instalments').fill('12')
  await page.getByRole('dialog').getByRole('button', { name: 'Open a loan' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await settle(maker)
  const number = (
    await page
      .getByRole('link', { name: /^L-\d{6}$/ })
      .first()
      .innerText()
  ).trim()
  await page.goto('/disbursements/create')
  await settle(maker)
  await choose(page, 'Loan', number)
  await page.getByLabel('Note').fill('Before the planting')
  await expectSound(maker, 'form of a disbursement')
  await page.getByRole('button', { name: 'Save' }).click()
  await settle(maker)
  await page
    .getByRole('link', { name: /^D-\d{6}$/ })
    .first()
    .click()
  await settle(maker)
  await page.getByText('KES 12,000.00').first().waitFor()
  await expectSound(maker, 'a disbursement that waits')
  await onPhone(maker, 'a disbursement')
  // Who asked sees that it waits, and has no button for it.
  await page.getByText('Waits for the decision of another person').first().waitFor()
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

  const decider = await enter('admin@sunrise.test', new URL(page.url()).pathname)
  await make(decider, 'Approve')
  await make(decider, 'Mark as sent')
  await make(decider, 'Confirm', async (dialog) => {
    await dialog.getByLabel('Reference of the payout').fill('B2CQ7')
    await pickToday(decider.page, 'Paid out on')
  })
  await decider.page.locator('main').getByText('B2CQ7').first().waitFor()
  await expectSound(decider, 'a confirmed disbursement')
  await decider.page.getByRole('link', { name: number }).first().click()
  await decider.page.getByRole('heading', { level: 1, name: number }).waitFor()
  await openTab(decider, 'Schedule')
  await decider.page.getByText('KES 1,134.72').filter({ visible: true }).first().waitFor()
  await expectSound(decider, 'schedule of a loan')

  await page.goto('/loans/changes/create')
  await settle(maker)
  await choose(page, 'Loan', number)
  await page.getByLabel('Instalments from now on').fill('18')
  await page.getByLabel('Why').fill('The harvest failed')
  await expectSound(maker, 'form of a restructure')
  await page.getByRole('button', { name: 'Save' }).click()
  await settle(maker)
  await page
    .getByRole('link', { name: /^RS-\d{6}$/ })
    .first()
    .click()
  await settle(maker)
  await page.getByText('KES 1,134.72').filter({ visible: true }).first().waitFor()
  await openTab(maker, 'Before and after')
  await page.getByText('KES 800.43').filter({ visible: true }).first().waitFor()
  await expectSound(maker, 'a restructure before and after')
  await onPhone(maker, 'a restructure before and after')
  await decider.page.goto(new URL(page.url()).pathname)
  await settle(decider)
  await make(decider, 'Approve')
  await decider.page.getByRole('link', { name: number }).first().click()
  await decider.page.getByRole('heading', { level: 1, name: number }).waitFor()
  await openTab(decider, 'Schedule')
  await decider.page.getByText('KES 800.43').filter({ visible: true }).first().waitFor()
}, 120_000)

it('money comes in for a loan, other money waits in suspense, is allocated and reversed; the ledger opens from balance to entry', async () => {
  const person = await enter('admin@sunrise.test', '/clients/payments/create')
  const { page } = person
  await choose(page, 'Loan', 'L-000001')
  await page.getByLabel('Amount').fill('1500')
  await pickToday(page, 'Paid on')
  await page.getByRole('button', { name: 'Save' }).click()
  await settle(person)
  await page
    .getByRole('link', { name: /^R-\d{6}$/ })
    .first()
    .click()
  await settle(person)
  await openTab(person, 'Allocation')
  await page.getByText('principal').first().waitFor()
  await expectSound(person, 'allocation of a payment')

  await page.goto('/clients/payments/create')
  await settle(person)
  await page.getByLabel('Amount').fill('777')
  await pickToday(page, 'Paid on')
  await page.getByLabel('Reference', { exact: true }).fill('QFX77')
  await page.getByRole('button', { name: 'Save' }).click()
  // The list shows what it kept until its rows arrive, and the newest of those is the payment before.
  await page
    .getByRole('row')
    .filter({ hasText: 'QFX77' })
    .getByRole('link', { name: /^R-\d{6}$/ })
    .click()
  await settle(person)
  await page.locator('main').getByText('Suspense', { exact: true }).first().waitFor()
  await expectSound(person, 'a payment in suspense')
  await onPhone(person, 'a payment in suspense')
  await page.getByRole('button', { name: 'Allocate to a loan' }).first().click()
  await choose(page, 'Loan', 'L-000001')
  await page.getByRole('dialog').getByRole('button', { name: 'Allocate to a loan' }).click()
  await page.locator('main').getByText('Posted', { exact: true }).first().waitFor()
  await settle(person)
  await page.getByRole('link', { name: 'L-000001' }).first().waitFor()
  await page.getByRole('button', { name: 'More actions' }).first().click()
  await page.getByRole('menuitem', { name: 'Reverse' }).click()
  await answer(person, 'Reverse', (dialog) => dialog.getByLabel('Reason').fill('Captured twice'))
  await page.locator('main').getByText('Reversed', { exact: true }).first().waitFor()
  await openTab(person, 'Allocation')
  await page.getByText('Taken back').first().waitFor()

  await page.goto('/ledger/accounts')
  await settle(person)
  await page.getByRole('link', { name: '1100' }).first().click()
  await settle(person)
  await openTab(person, 'Lines')
  await page.getByText('Allocation taken back').first().waitFor()
  await expectSound(person, 'lines of an account')
  await onPhone(person, 'lines of an account')
  await page.getByRole('link', { name: 'Allocation taken back' }).first().click()
  await page.getByRole('heading', { level: 1, name: 'Allocation taken back' }).waitFor()
  await settle(person)
  await expectSound(person, 'a ledger entry')
}, 120_000)

it('a branch stops offering a product, its teams follow, and it goes back to what is above it', async () => {
  const person = await enter('admin@sunrise.test', '/admin/tenants/products/edit')
  const { page } = person
  await expectSound(person, 'products of tenants')
  const cell = (tenant: string) => page.getByRole('row').filter({ hasText: tenant }).getByRole('combobox').first()
  await cell('Kisumu Branch').click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: 'Not offered' }).first().click()
  await settle(person)
  await page.getByRole('row').filter({ hasText: 'Kondele Team' }).getByText('Not offered (Kisumu').first().waitFor()
  await page.reload()
  await settle(person)
  await page.getByRole('row').filter({ hasText: 'Kondele Team' }).getByText('Not offered (Kisumu').first().waitFor()
  await onPhone(person, 'products of tenants')
  await cell('Kisumu Branch').click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: 'Inherit' }).first().click()
  await settle(person)
  await page.getByRole('row').filter({ hasText: 'Kondele Team' }).getByText('Offered (inherited)').first().waitFor()
}, 120_000)
