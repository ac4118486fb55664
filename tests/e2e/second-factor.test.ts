import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { demoPassword } from '../../prisma/seed/tree.ts'
import type { Person } from '../support/browser.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter, meet } = usePeople()

/** What the authenticator shows, now or half a minute later: each code counts once. */
const codeOf = (secret: string, turns = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + turns * 30_000 })

async function typePassword({ page }: Person, email: string): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail or user name').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

const shownKey = async ({ page }: Person) => (await page.getByText('Enter this key:').locator('code').innerText()).replaceAll(/\s/g, '')

it('a person sets a second factor up in the profile, signs in with it, and with a recovery code, and switches it off', async () => {
  const email = 'product@baobab.test'
  const person = await enter(email, '/profile')
  const { page } = person
  const card = page.getByRole('region', { name: 'Second factor' })
  await card.getByRole('button', { name: 'Set up' }).click()
  await card.getByLabel('Your password').fill(demoPassword)
  await card.getByRole('button', { name: 'Continue' }).click()
  const secret = await shownKey(person)
  await expectSound(person, 'authenticator in the profile')
  await card.getByLabel('Code of the authenticator').fill(codeOf(secret))
  await card.getByRole('button', { name: 'Switch on' }).click()
  const listed = card.getByRole('list', { name: 'Recovery codes' }).locator('code')
  await listed.first().waitFor()
  const codes = await listed.allInnerTexts()
  expect(codes).toHaveLength(10)
  await expectSound(person, 'recovery codes')
  await card.getByRole('button', { name: 'I have kept them' }).click()
  await card.getByText('Recovery codes left: 10.').waitFor()

  const phone = await meet({ width: 360, height: 740, scheme: 'dark' })
  await typePassword(phone, email)
  await phone.page.getByRole('heading', { name: 'Enter your code' }).waitFor()
  await expectSound(phone, 'second step on a phone')
  phone.allow(/422|POST .*login\/step/, 'a wrong code')
  await phone.page.getByLabel(/Code of the authenticator/).fill('000000')
  await phone.page.getByRole('button', { name: 'Continue' }).click()
  await phone.page.getByText('is not right, or was used before').waitFor()
  // A later one than that of before, also when the half minute ends here.
  await phone.page.getByLabel(/Code of the authenticator/).fill(codeOf(secret, 1))
  await phone.page.getByRole('button', { name: 'Continue' }).click()
  await phone.page.locator('.o-layout').waitFor()

  const other = await meet()
  await typePassword(other, email)
  await other.page.getByLabel(/Code of the authenticator/).fill(codes[0] ?? '')
  await other.page.keyboard.press('Enter')
  await other.page.locator('.o-layout').waitFor()

  await card.getByRole('button', { name: 'Switch off' }).click()
  await card.getByLabel('Your password').fill(demoPassword)
  await card.getByLabel(/Code of the authenticator/).fill(codes[1] ?? '')
  await card.getByRole('button', { name: 'Switch off' }).click()
  await card.getByRole('button', { name: 'Set up' }).waitFor()
})

it('a role asks for it: its people enrol at the next sign-in, and an administrator helps who lost the phone', async () => {
  const email = 'md@copper.test'
  const office = await enter('admin@copper.test', '/admin/roles/list')
  const setPolicy = async (): Promise<void> => {
    await office.page.goto('/admin/roles/list')
    await settle(office)
    await office.page.getByRole('link', { name: 'Managing Director' }).click()
    await office.page.getByLabel('Asks for a second factor').click()
    await office.page.getByRole('button', { name: 'Save' }).click()
    await office.page.getByText('Role updated successfully').waitFor()
  }
  await setPolicy()
  const person = await meet({ width: 360, height: 740 })
  await typePassword(person, email)
  await person.page.getByRole('heading', { name: 'Set up your second factor' }).waitFor()
  await expectSound(person, 'enrolment on a phone')
  await person.page.getByLabel('Code of the authenticator').fill(codeOf(await shownKey(person)))
  await person.page.getByRole('button', { name: 'Continue' }).click()
  await person.page.getByRole('heading', { name: 'Your second factor is on' }).waitFor()
  await expectSound(person, 'recovery codes on a phone')
  await person.page.getByRole('button', { name: 'I have kept them' }).click()
  await person.page.locator('.o-layout').waitFor()
  await setPolicy()

  await office.page.goto('/admin/users/list?search=md')
  await settle(office)
  await office.page
    .getByRole('row', { name: /md@copper/ })
    .getByRole('checkbox')
    .check()
  await office.page.getByRole('button', { name: 'Reset second factor' }).click()
  const answered = office.page.waitForResponse('**/api/users/second-factor/reset')
  await office.page.getByRole('dialog').getByRole('button', { name: 'Reset second factor' }).click()
  expect((await answered).status()).toBe(200)
  const again = await meet()
  await typePassword(again, email)
  await again.page.locator('.o-layout').waitFor()
})
