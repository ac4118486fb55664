import { it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const people = usePeople()

it('an administrator reads in a statement, looks at what it would do, and books it', async () => {
  const person = await people.enter('admin@sunrise.test', '/loans/statements')
  const { page } = person
  await page.getByRole('button', { name: 'Read in a statement' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('CSV with headings').fill('Date,Amount,Reference,Payer,Details\n2026-11-02,150.25,QX7TEST1,Neema Wafula,KAMAU')
  await expectSound(person, 'reading in a statement', '[role="dialog"]')
  await dialog.getByRole('button', { name: 'Read in a statement' }).click()
  await page
    .getByRole('link', { name: /^S-\d{5}$/ })
    .first()
    .click()
  await settle(person)
  await page.getByRole('navigation', { name: 'Parts of this record' }).getByRole('link', { name: 'Lines of the statement' }).click()
  await page.getByText('For suspense').first().waitFor()
  await settle(person)
  await expectSound(person, 'lines of a statement')
  await page.getByRole('button', { name: 'Book', exact: true }).first().click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /Book|OK|Yes/ })
    .first()
    .click()
  await page.getByRole('button', { name: 'Book', exact: true }).first().waitFor({ state: 'detached' })
  await page.getByRole('navigation', { name: 'Parts of this record' }).getByRole('link', { name: 'Details' }).click()
  await page.locator('main').getByText('Booked').first().waitFor()
  await page.getByRole('navigation', { name: 'Parts of this record' }).getByRole('link', { name: 'Differences' }).click()
  await settle(person)
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'differences on a phone')
})

it('the books are compared by hand: what a statement has and nobody booked is named, opens its statement, and is accepted with a reason', async () => {
  const person = await people.enter('admin@sunrise.test', '/loans/statements')
  const { page } = person
  await page.getByRole('button', { name: 'Read in a statement' }).first().click()
  const reading = page.getByRole('dialog')
  await reading.getByLabel('CSV with headings').fill('Date,Amount,Reference,Payer,Details\n2026-11-03,75.50,QX7MISSED,Neema Wafula,KAMAU')
  await reading.getByRole('button', { name: 'Read in a statement' }).click()
  await reading.waitFor({ state: 'detached' })
  await page.goto(
    new URL(`/loans/differences?filter=${encodeURIComponent('[{"field":"kind","op":"eq","value":"Missing here"}]')}`, page.url()).href,
  )
  await settle(person)
  await page.getByRole('button', { name: 'Compare now' }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Compare now' }).click()
  // The job writes it, and the list hears of it without reloading.
  const row = page.getByRole('row').filter({ hasText: 'QX7MISSED' })
  await row.waitFor({ timeout: 30_000 })
  await settle(person)
  await expectSound(person, 'differences in the books')
  await row.getByRole('link', { name: /^X-\d{5}$/ }).click()
  await settle(person)
  await page.getByText('On the statement, not booked').first().waitFor()
  await page.getByRole('button', { name: 'Accept', exact: true }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Why it may stay').fill('The bank took it back the same day')
  await dialog.getByRole('button', { name: 'Accept', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.locator('main').getByText('Accepted').first().waitFor()
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'a difference on a phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page
    .locator('main')
    .getByRole('link', { name: /^S-\d{5}$/ })
    .first()
    .click()
  await page.waitForURL(/\/loans\/statements\/[^/]+\/view/)
  await settle(person)
  // The demo's own books agree in every loan, payment and payout.
  const inBooks = [{ field: 'kind', op: 'in', value: ['Schedule', 'Ledger', 'Transactions', 'Payment', 'Disbursement', 'Entry'] }]
  await page.goto(new URL(`/loans/differences?filter=${encodeURIComponent(JSON.stringify(inBooks))}`, page.url()).href)
  await page.getByText('Nothing matches').first().waitFor()
  await settle(person)
})
