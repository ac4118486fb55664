import { expect, inject, it } from 'vitest'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const people = usePeople()

it('an administrator finds working hours among the settings, gives a branch its own, and brings a year of public holidays in', async () => {
  const person = await people.enter('admin@sunrise.test', '/admin/settings')
  const { page } = person
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('working hours')
  await page.getByRole('link', { name: 'Open Working hours' }).click()
  await page.waitForURL('**/admin/working-hours')
  await settle(person)
  await expectSound(person, 'working hours')
  await page
    .getByRole('link', { name: /New|Add/ })
    .first()
    .click()
  await page.waitForURL('**/admin/working-hours/add')
  await page.getByRole('combobox', { name: 'Holds for' }).fill('Nairobi')
  await page.locator('.ant-select-item-option:visible').first().click()
  await page.getByRole('button', { name: /Add/ }).first().click()
  await settle(person)
  await expectSound(person, 'form of working hours')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/\/admin\/working-hours$/)
  await settle(person)
  await page.getByText('Mon 08:00–17:00', { exact: true }).first().waitFor()

  await page.goto('/admin/holidays')
  await settle(person)
  await page.getByRole('button', { name: 'Import public holidays' }).first().click()
  await page.getByRole('dialog').getByLabel('Year').fill('2031')
  await page.getByRole('dialog').getByRole('button', { name: 'Import public holidays' }).click()
  await page.getByText(/\d+ holidays added, 0 there already/).waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'holidays on a phone')
  const call = await callAs(url, 'admin@sunrise.test')
  const { holidays } = (await call('GET', '/api/working-days')).body.data as { holidays: string[] }
  expect(holidays).toEqual(expect.arrayContaining(['2031-01-01', '2031-12-12', '2031-12-25']))
})

it('an administrator sets quiet hours, which every branch inherits', async () => {
  const person = await people.enter('admin@baobab.test', '/admin/settings')
  const { page } = person
  await page.locator('#set-quietFromHour').getByRole('spinbutton').fill('21')
  await page.locator('#set-quietUntilHour').getByRole('spinbutton').fill('7')
  await page.keyboard.press('Control+s')
  await page.locator('#set-quietUntilHour').getByText('chosen here').waitFor()
  await settle(person)
  await expectSound(person, 'quiet hours')
  for (const row of ['#set-quietFromHour', '#set-quietUntilHour'])
    await page
      .locator(row)
      .getByRole('button', { name: /back to the standard/ })
      .click()
  await page.keyboard.press('Control+s')
  await expect.poll(() => page.locator('.set-bar').getAttribute('data-kind')).toBe('saved')
  expect(await page.locator('#set-quietFromHour').getByText('chosen here').count()).toBe(0)
})
