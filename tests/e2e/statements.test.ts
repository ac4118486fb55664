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
