import { expect, it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

it('an administrator finds a late loan, opens its schedule, captures a payment that closes its gap, and reads what is at risk', async () => {
  const person = await enter('admin@sunrise.test', '/loans/accounts')
  const { page } = person
  await expectSound(person, 'loan accounts')
  await page
    .getByRole('link', { name: /^L-\d{6}$/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /^L-\d{6}/ }).waitFor()
  await settle(person)
  await page.getByRole('tab', { name: 'Schedule' }).click()
  await page.getByRole('columnheader', { name: 'Still open' }).waitFor()
  await settle(person)
  await expectSound(person, 'a loan with its schedule')
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'a loan on a phone')
  await page.setViewportSize({ width: 1440, height: 900 })

  await page.goto('/clients/payments/create')
  await settle(person)
  await page.getByLabel('Amount').fill('250')
  await page.getByLabel('Reference').fill('E2E-77')
  await page.getByLabel('Paid on').fill(new Date().toISOString().slice(0, 10))
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('E2E-77').first().waitFor()
  expect(await page.getByText('Suspense').count()).toBeGreaterThan(0)
})
