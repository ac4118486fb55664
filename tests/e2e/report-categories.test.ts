import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

async function choose(page: Page, field: string, ...options: string[]): Promise<void> {
  const box = page.getByRole('combobox', { name: field })
  await box.click()
  for (const option of options) {
    await box.fill(option)
    await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click()
  }
  await page.keyboard.press('Escape')
}

it('an administrator makes headings for the reports; the list is grouped by them, and is plain again when they are gone', async () => {
  const person = await enter('admin@sunrise.test', '/reports/categories')
  const { page } = person
  await expectSound(person, 'no categories yet')
  const make = async (name: string, fill: () => Promise<void>) => {
    await page.goto('/reports/categories/create')
    await page.getByRole('heading', { name: 'New report category', level: 1 }).waitFor()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await fill()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.waitForURL(/\/reports\/categories\/?(\?|$)/)
    await settle(person)
  }
  await make('People', () => choose(page, 'Reports', 'User Login Report'))
  await make('New ones', async () => {
    await choose(page, 'Within', 'People')
    await choose(page, 'Reports', 'New Users Report')
    await expectSound(person, 'form of a category')
  })
  await page.getByRole('link', { name: 'New ones' }).waitFor()
  await expectSound(person, 'tree of categories')

  await page.goto('/reports')
  await settle(person)
  const titles = () => page.locator('.cell-title').allInnerTexts()
  await expect.poll(async () => (await titles()).slice(0, 4)).toEqual(['People', 'User Login Report', 'New ones', 'New Users Report'])
  expect(await titles()).toContain('Password History Report')
  expect(await page.getByRole('link', { name: 'People', exact: true }).count()).toBe(0)
  await expectSound(person, 'reports under headings')
  await page.getByRole('link', { name: 'New Users Report' }).click()
  await page.waitForURL('**/reports/standard/newUsersReport')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/reports')
  await settle(person)
  await page.locator('.record-card', { hasText: 'New Users Report' }).getByText('People › New ones').waitFor()
  await expectSound(person, 'reports under headings on a phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto('/reports/categories')
  await settle(person)
  // A circle is refused with the field named.
  await page.getByRole('link', { name: 'People' }).click()
  await page.getByRole('heading', { name: 'Edit report category' }).waitFor()
  await choose(page, 'Within', 'New ones')
  person.allow(/422/, 'the test closes a circle')
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('lies in this category: that would be a circle').waitFor()
  await page.goto('/reports/categories')
  for (const name of ['New ones', 'People']) {
    await page.getByRole('button', { name: `Actions for ${name}` }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('link', { name }).waitFor({ state: 'detached' })
  }
})
