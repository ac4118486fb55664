import { expect, it } from 'vitest'
import { signIn } from '../support/browser.ts'
import { expectSound, settle } from './support/look.ts'
import { mailedLink } from './support/mail.ts'
import { usePeople } from './support/people.ts'

const { enter, meet } = usePeople()

it('a person gets a mail about a sign-in from a new device, sees it in the history, and ends what was not them; so does the office', async () => {
  const email = 'product@copper.test'
  const person = await enter(email, '/profile')
  const { page } = person
  // Somebody else has the password.
  const thief = await enter(email, '/profile', { width: 360, height: 740, scheme: 'dark' })
  await page.getByRole('region', { name: 'Sign-in history' }).getByRole('link', { name: 'Show sign-in history' }).click()
  await page.getByText('New device', { exact: true }).first().waitFor()
  expect(await page.getByRole('listitem').filter({ hasText: 'Signed in' }).count()).toBeGreaterThanOrEqual(2)
  await expectSound(person, 'sign-in history')
  await thief.page.goto('/profile/sign-ins')
  await thief.page.getByText('New device', { exact: true }).first().waitFor()
  await expectSound(thief, 'sign-in history on a phone')

  const office = await enter('admin@copper.test', `/admin/users/list?search=${encodeURIComponent(email)}`)
  await office.page
    .getByRole('row', { name: /product@copper/ })
    .getByRole('link')
    .first()
    .click()
  await office.page.getByRole('navigation', { name: 'Parts of this record' }).getByRole('link', { name: 'Sign-in history' }).click()
  await office.page.getByText('New device', { exact: true }).first().waitFor()
  await settle(office)
  await expectSound(office, 'sign-ins on the page of a user')

  for (const one of [person, thief]) one.allow(/401/, 'their session has ended')
  const helped = await meet()
  await helped.page.goto(await mailedLink(email, /\/not-me\/[\w-]+/))
  await helped.page.getByRole('heading', { name: 'Was this not you?' }).waitFor()
  await expectSound(helped, 'this was not me')
  await helped.page.getByRole('button', { name: 'This was not me' }).click()
  await helped.page.waitForURL('**/reset-password/*')
  await thief.page.goto('/profile')
  await thief.page.waitForURL('**/login**')
  const password = 'a sentence that no thief would say'
  await helped.page.getByLabel('New password', { exact: true }).fill(password)
  await helped.page.getByLabel('New password again').fill(password)
  await helped.page.getByRole('button', { name: 'Change password' }).click()
  await helped.page.waitForURL('**/login')
  await signIn(helped, email, password)
})
