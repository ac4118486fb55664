import { it } from 'vitest'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter } = usePeople()

it('an administrator opens the loan accounts and a loan of the demo', async () => {
  const person = await enter('admin@sunrise.test', '/loans/accounts')
  const { page } = person
  await expectSound(person, 'loan accounts')
  await page
    .getByRole('link', { name: /^L-\d{6}$/ })
    .first()
    .click()
  await page.getByRole('heading', { level: 1, name: /^L-\d{6}/ }).waitFor()
  await settle(person)
})
