import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()
const subject = 'Was asked for money to have the loan paid out'

it('a branch manager takes a complaint about an officer, replies, waits, settles and closes it; the officer sees nothing of it', async () => {
  const accused = await callAs(url, 'officer@sunrise.test')
  const { user } = (await accused('GET', '/api/console')).body.data as { user: { firstName: string; lastName: string } }
  const person = await people.enter('branch@sunrise.test', '/complaint/create')
  const { page } = person
  await page.getByLabel('Subject').fill(subject)
  await choose('Category', 'Staff conduct')
  await choose('Severity', 'High')
  await page.getByLabel('Complainant', { exact: true }).fill('Neema Wafula')
  await page.getByRole('combobox', { name: 'About' }).fill(user.lastName)
  await page.locator('.ant-select-item-option:visible').filter({ hasText: user.firstName }).first().click()
  await settle(person)
  await expectSound(person, 'form of a complaint')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/complaints\//)
  await settle(person)
  await expectSound(person, 'list of complaints')
  await page.getByRole('link', { name: subject }).first().click()
  await page.waitForURL(/\/complaint\/view\?id=/)
  await settle(person)
  await expectSound(person, 'a complaint')

  await act('Reply to the client')
  await page.getByRole('dialog').getByLabel('What the client was told').fill('We look into it and call you on Friday.')
  await confirm('Reply to the client')
  await page.getByText('We look into it and call you on Friday.').first().waitFor()
  await act('Wait for the client')
  await page.getByRole('dialog').getByLabel('Why').fill('Asked for the name of the agent')
  await confirm('Wait for the client')
  await page.locator('main').getByText('Waiting client').first().waitFor()
  await act('Settle')
  await pick('Outcome', 'Upheld')
  await pick('Root cause', 'Staff')
  await page.getByRole('dialog').getByLabel('What was decided').fill('The fee is paid back.')
  await expectSound(person, 'settling a complaint', '[role="dialog"]')
  await confirm('Settle')
  await page.locator('main').getByText('Resolved').first().waitFor()
  await act('Reply to the client')
  await page.getByRole('dialog').getByLabel('What the client was told').fill('You get the fee back.')
  await confirm('Reply to the client')
  await page.getByText('You get the fee back.').first().waitFor()
  await act('Close')
  await page.locator('main').getByText('Closed').first().waitFor()
  await page.getByRole('link', { name: 'Edit' }).first().click()
  await page.waitForURL(/\/complaint\/edit\/?\?id=/)
  await settle(person)
  expect(await page.getByLabel('Subject').inputValue()).toBe(subject)
  await page.goBack()
  await settle(person)
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'a complaint on a phone')

  const id = new URL(page.url()).searchParams.get('id') ?? ''
  const officer = await people.enter('officer@sunrise.test', '/complaints/', { width: 360, height: 740, scheme: 'dark' })
  await expectSound(officer, 'complaints of an officer on a phone')
  expect(await officer.page.locator('main').innerText()).not.toContain(subject)
  officer.allow(/404/, 'the officer asks for the complaint about them')
  await officer.page.goto(`/complaint/view?id=${id}`)
  await officer.page
    .getByText(/not found/i)
    .first()
    .waitFor()
  expect(await officer.page.locator('main').innerText()).not.toContain('Neema')

  async function choose(label: string, option: string) {
    await page.getByRole('combobox', { name: label }).click()
    await page.locator('.ant-select-item-option:visible').getByText(option, { exact: true }).click()
  }
  async function pick(label: string, option: string) {
    await page.getByRole('dialog').getByRole('combobox', { name: label }).click()
    await page.locator('.ant-select-item-option:visible').getByText(option, { exact: true }).click()
  }
  async function act(label: string) {
    await settle(person)
    const button = page.locator('.view-header').getByRole('button', { name: label, exact: true })
    if (await button.isVisible()) return button.click()
    await page.locator('.view-header').getByRole('button', { name: /More/ }).click()
    await page.getByRole('menuitem', { name: label, exact: true }).click()
  }
  async function confirm(label: string) {
    await page.getByRole('dialog').getByRole('button', { name: label, exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
})

it('the dashboard of complaints opens the rows that its numbers count', async () => {
  const person = await people.enter('admin@sunrise.test', '/complaints/dashboard')
  const { page } = person
  await expectSound(person, 'dashboard of complaints')
  const tile = page
    .locator('.widget')
    .filter({ has: page.getByRole('heading', { name: 'Unsettled' }) })
    .locator('a')
  const count = /\d+/.exec(await tile.innerText())?.[0] ?? expect.fail('no number on the tile')
  await tile.click()
  await page.waitForURL(/\/complaints\//)
  await settle(person)
  expect(await page.locator('.view-count').first().innerText()).toContain(count)
})
