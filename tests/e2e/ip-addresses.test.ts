import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

it('an administrator gives another system its addresses, and is told before anybody is locked out, himself first', async () => {
  const call = await callAs(inject('outpostUrl'), 'admin@sunrise.test')
  const { tenants } = (await call('GET', '/api/tenants?size=1')).body.data as { tenants: { Id: string }[] }
  await call('POST', '/api/api-users', { firstName: 'Night payroll', tenants: [tenants[0]?.Id], permissions: ['SALES/LEADS'] })
  const person = await enter('admin@sunrise.test', '/admin/ip-addresses/create')
  const { page } = person
  person.allow(/422/, 'the test would lock people out')
  await page.getByLabel('Name', { exact: true }).fill('Somewhere else')
  await page.getByLabel('Address or range').fill('203.0.113.0/24')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText(/would lock you out: you call from/).waitFor()
  await choose('Holds for', 'A role')
  await choose('Role', 'Administrator')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText(/would lock (you )?out/).waitFor()
  await choose('Holds for', 'An API user')
  await choose('API user', 'Night payroll')
  await expectSound(person, 'form of an address')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.waitForURL(/\/admin\/ip-addresses\/list/)
  await settle(person)
  const row = page.getByRole('row', { name: /Somewhere else/ })
  expect(await row.innerText()).toContain('203.0.113.0/24')
  await expectSound(person, 'list of addresses')
  await row.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })

  async function choose(field: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: field }).click()
    await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click()
  }
})
