import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

it('an administrator gives another system its addresses, and is told before anybody is locked out, himself first', async () => {
  const call = await callAs(inject('outpostUrl'), 'admin@sunrise.test')
  await system('Night payroll')
  const person = await enter('admin@sunrise.test', '/admin/ip-addresses/create')
  const { page } = person
  person.allow(/422/, 'the test would lock people out')
  await page.getByLabel('Name', { exact: true }).fill('Somewhere else')
  await page.getByLabel('Address or range').fill('203.0.113.0/24')
  // Said while the form is filled in, and again by the refusal.
  await page.getByText(/would lock you out: you call from/).waitFor()
  await saveRefused()
  await page
    .getByText(/would lock you out: you call from/)
    .first()
    .waitFor()
  await choose('Holds for', 'A role')
  await choose('Role', 'Administrator')
  await saveRefused()
  await page
    .getByText(/would lock (you )?out/)
    .first()
    .waitFor()
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

  // Another system works from here; without the entry of this machine its list would refuse it.
  const { userId, key } = await system('Payments gateway')
  const own = { appliesTo: 'user', userId, mayLockOut: true }
  for (const entry of [
    { name: 'Local v4', range: '127.0.0.0/8' },
    { name: 'Local v6', range: '::1/128' },
    { name: 'Elsewhere', range: '203.0.113.0/24' },
  ])
    expect((await call('POST', '/api/ip-addresses', { ...own, ...entry })).status).toBe(200)
  expect((await fetch(`${inject('outpostUrl')}/api/leads`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(200)
  await page.reload()
  await chooseToDelete('Local v4', 'Local v6')
  const dialog = page.getByRole('dialog')
  await dialog.getByText(/would lock out 1 person .*Payments gateway/).waitFor()
  await expectSound(person, 'warning before addresses are deleted')
  await dialog.getByRole('button', { name: 'Delete' }).click()
  // By its dialog: what the list says of the entry that went can be closed, too.
  const refused = page.getByRole('dialog').filter({ has: page.getByRole('group', { name: 'Refused records' }) })
  await refused
    .getByText(/would lock out 1 person/)
    .first()
    .waitFor()
  await refused.getByRole('button', { name: 'Close', exact: true }).last().click()
  await refused.waitFor({ state: 'hidden' })
  // The list does what may be done: the other entry went, for this one still lets the system in.
  await chooseToDelete('Local v4')
  await dialog.getByRole('checkbox', { name: 'Lock people out' }).check()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('row', { name: /Local v4/ }).waitFor({ state: 'detached' })

  /** Until the answer is there: what it says is on the screen already. */
  async function saveRefused(): Promise<void> {
    const answered = page.waitForResponse((answer) => answer.status() === 422 && new URL(answer.url()).pathname === '/api/ip-addresses')
    await page.getByRole('button', { name: /^Save/ }).click()
    await answered
  }
  /** Another system that calls with a key. */
  async function system(firstName: string): Promise<{ userId: string; key: string }> {
    const { tenants } = (await call('GET', '/api/tenants?size=1')).body.data as { tenants: { Id: string }[] }
    const made = await call('POST', '/api/api-users', { firstName, tenants: [tenants[0]?.Id], permissions: ['SALES/LEADS'] })
    const userId = (made.body.data as { apiUser: { Id: string } }).apiUser.Id
    const { key } = (await call('POST', `/api/api-users/${userId}/keys`, { name: 'Server' })).body.data as { key: string }
    return { userId, key }
  }
  async function chooseToDelete(...names: string[]): Promise<void> {
    for (const name of names)
      await page
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('checkbox')
        .check()
    await page.getByRole('button', { name: 'Delete' }).click()
  }
  async function choose(field: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: field }).click()
    await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click()
  }
})
