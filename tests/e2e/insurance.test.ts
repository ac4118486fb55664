import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()

it('an administrator enters an offer and activates it; an application accepts it into its schedule', async () => {
  const person = await people.enter('admin@sunrise.test', '/admin/insurance/list')
  const { page } = person
  await expectSound(person, 'offers of insurers')
  await page.goto(`${url}/admin/insurance/create`)
  await settle(person)
  const from = page.getByLabel('Valid from')
  await from.fill('1 Jan 2026')
  await from.press('Enter')
  await page.getByLabel('Insurer').fill('Pamoja Life')
  await page.getByLabel('Cover', { exact: true }).fill('Pamoja cover')
  await choose('Kind of cover', 'Credit life')
  await choose('Premium', 'Percent of the loan')
  await page.getByLabel('Amount, percent or per 1,000').fill('2')
  await page.getByLabel('Levies on top').fill('0.45')
  await page.getByLabel('Stamp duty').fill('40')
  await expectSound(person, 'form of an offer')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'I-0004' }).first().click()
  await settle(person)
  await page.getByRole('button', { name: 'Activate' }).click()
  await page.locator('main').getByText('Active', { exact: true }).first().waitFor()
  await settle(person)
  await expectSound(person, 'an offer')

  const call = await callAs(url, 'admin@sunrise.test')
  const { clients } = (await call('GET', '/api/clients?size=1')).body.data as { clients: { Id: string }[] }
  const { products } = (await call('GET', '/api/products?size=50')).body.data as {
    products: { Id: string; versionInForce: string | null; minAmount: number }[]
  }
  const product = products.find(({ versionInForce }) => versionInForce)
  const made = await call('POST', '/api/applications', {
    clientId: clients[0]?.Id,
    productId: product?.Id,
    amount: product?.minAmount,
    instalments: 12,
  })
  const { loanApplication } = made.body.data as { loanApplication: { Id: string } }
  await page.goto(`${url}/sales/applications/view/${loanApplication.Id}?tab=insurance`)
  await settle(person)
  await expectSound(person, 'offers compared')
  const row = page.getByRole('row').filter({ hasText: 'Pamoja Life' })
  await row.getByText('40.00', { exact: false }).first().waitFor()
  await row.locator('[aria-haspopup="menu"]').click()
  await page.getByRole('menuitem', { name: 'Accept' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
  await row.getByText('Accepted').waitFor()
  await page.goto(`${url}/sales/applications/view/${loanApplication.Id}`)
  await settle(person)
  await page.getByText('Pamoja Life, Pamoja cover').first().waitFor()

  // The demo's cover by the vehicle's years: no vehicle says its year, so accepting asks, and its papers are asked for.
  await page.goto(`${url}/sales/applications/view/${loanApplication.Id}?tab=insurance`)
  await settle(person)
  const motor = page
    .getByRole('row')
    .filter({ hasText: 'Comprehensive motor' })
    .filter({ has: page.locator('[aria-haspopup="menu"]') })
  await motor.getByText('Vehicle’s years needed').waitFor()
  await motor.locator('[aria-haspopup="menu"]').click()
  await page.getByRole('menuitem', { name: 'Accept' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('dialog').getByText('is required: the premium of this offer goes by it').waitFor()
  expect(person.faults.splice(0).every((fault) => fault.includes('422'))).toBe(true)
  await page.getByRole('dialog').getByLabel('Vehicle’s years').fill('4')
  await page.getByRole('dialog').getByRole('button', { name: 'Accept' }).click()
  await motor.getByText('Accepted').waitFor()
  await page.goto(`${url}/sales/applications/view/${loanApplication.Id}`)
  await settle(person)
  await page.getByText('Savanna Insurance, Comprehensive motor').first().waitFor()
  await page.getByText('Valuation').first().waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`${url}/sales/applications/view/${loanApplication.Id}?tab=insurance`)
  await settle(person)
  await expectSound(person, 'offers compared on a phone')
  expect(made.status).toBe(200)

  async function choose(field: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: field }).click()
    await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click()
  }
})
