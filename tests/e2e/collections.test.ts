import { expect, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const people = usePeople()

it('an administrator fills in the sheet of a group and posts it once', async () => {
  const person = await people.enter('admin@sunrise.test', '/clients/groups/collection-sheets')
  const { page } = person
  await expectSound(person, 'collection sheets')
  const row = page.getByRole('row').filter({ hasText: 'Draft' }).first()
  await row.getByRole('link', { name: /^CS-\d{5}$/ }).click()
  await settle(person)
  await expectSound(person, 'a collection sheet')
  const address = page.url()
  await page.getByRole('link', { name: 'Edit' }).first().click()
  await settle(person)
  await expectSound(person, 'filling in a collection sheet')
  const received = page.getByLabel('Received').first()
  await received.fill('150.25')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL((url) => !url.pathname.endsWith('/edit'))
  await page.goto(address)
  await settle(person)
  await page.getByText('150.25').first().waitFor()
  await page.getByRole('button', { name: 'Post' }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Post|OK|Yes/ })
    .first()
    .click()
  await page.locator('main').getByText('Posted', { exact: true }).first().waitFor()
  await settle(person)
  expect(await page.getByRole('button', { name: 'Post', exact: true }).count()).toBe(0)
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'a posted sheet on a phone')
})
