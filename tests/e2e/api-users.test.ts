import { expect, inject, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

it('an administrator adds another system, makes its key, which is shown once, and the key works until it is revoked', async () => {
  const person = await enter('admin@sunrise.test', '/admin/api-users/add')
  const { page } = person
  await page.getByLabel('Name', { exact: true }).fill('Payroll')
  await page.getByLabel('Purpose').fill('Reads leads at night; ask Asha')
  await page.getByRole('combobox', { name: 'Works in' }).click()
  await page.getByRole('combobox', { name: 'Works in' }).fill('Nairobi')
  await page.locator('.ant-select-item-option:visible').first().click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Search permissions').fill('SALES/LEADS')
  await page.getByRole('button', { name: 'All of SALES/LEADS' }).click()
  await expectSound(person, 'form of an API user')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Payroll' }).first().click()
  await settle(person)
  await page
    .getByRole('tab', { name: 'Keys' })
    .or(page.getByRole('link', { name: 'Keys' }))
    .first()
    .click()
  await page.getByRole('button', { name: 'New key' }).click()
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Night run')
  await page.getByRole('dialog').getByRole('button', { name: 'New key' }).click()
  const secret = page.getByRole('textbox', { name: 'The new key' })
  await secret.waitFor()
  const key = await secret.inputValue()
  expect(key).toMatch(/^opk_/)
  await expectSound(person, 'the key', '.ant-modal')
  await page.keyboard.press('Escape')
  expect(await secret.isVisible()).toBe(true)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const ask = () => fetch(`${inject('outpostUrl')}/api/tenants`, { headers: { authorization: `Bearer ${key}` } })
  expect((await ask()).status).toBe(200)
  await page.reload()
  await settle(person)
  await page
    .getByRole('tab', { name: 'Keys' })
    .or(page.getByRole('link', { name: 'Keys' }))
    .first()
    .click()
  await page.getByText('Night run').waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'keys of an API user on a phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await expectSound(person, 'keys of an API user')
  await page
    .getByRole('button', { name: /^(Actions|More)/ })
    .last()
    .click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
  await page.getByRole('table').getByText('Revoked').waitFor()
  await expect.poll(async () => (await ask()).status).toBe(401)
})

it(
  'who manages API users finds the reference of the API in the menu of their name; an officer does not',
  { timeout: 120_000 },
  async () => {
    const person = await enter('admin@sunrise.test', '/admin/api-users/list')
    const { page } = person
    person.allow(/CSP script-src eval/, 'the library of the reference tries it, is refused, and does without')
    const menu = page.getByRole('button', { name: /profile menu/ })
    await menu.click()
    const opened = page.context().waitForEvent('page')
    await page.getByRole('link', { name: 'API reference' }).click()
    const reference = await opened
    expect(new URL(reference.url()).pathname).toBe('/reference')
    // The document is there, asked for with the session of the browser: not the word that one must sign in first.
    await reference.getByText('/api/auth/login').first().waitFor({ timeout: 60_000 })
    await reference.close()
    await settle(person)
    const officer = await enter('officer@sunrise.test', '/')
    await officer.page.getByRole('button', { name: /profile menu/ }).click()
    await officer.page.getByRole('link', { name: 'Profile', exact: true }).waitFor()
    expect(await officer.page.getByRole('link', { name: 'API reference' }).count()).toBe(0)
  },
)
