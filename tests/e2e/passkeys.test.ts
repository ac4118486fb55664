import { expect, inject, it } from 'vitest'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { signIn, signInFor, type Person } from '../support/browser.ts'
import { fingerprintOf, withoutList } from './support/fingerprint.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { meet } = usePeople()

/** Passkeys are made for names: an address of numbers has none. */
const url = inject('outpostUrl').replace('127.0.0.1', 'localhost')
const phone = { url, width: 360, height: 740 }

const cardOf = ({ page }: Person) => page.getByRole('region', { name: 'Fingerprint and passkeys' })

async function fillNewPasskey(person: Person): Promise<void> {
  const card = cardOf(person)
  await card.getByText('You have no passkey yet.').waitFor()
  await card.getByRole('button', { name: 'Add a passkey' }).click()
  await card.getByLabel('Name of the passkey').fill('My phone')
  await card.getByLabel('Your password').fill(demoPassword)
}

it('a field officer adds a fingerprint in the profile, signs in by it online and offline, and removes it', async () => {
  const person = await meet({ ...phone, hasWorker: true })
  const { page } = person
  await withoutList(person)
  await signInFor(person, 'officer@copper.test', '/profile')
  await settle(person)
  await fillNewPasskey(person)
  await expectSound(person, 'a new passkey')
  const finger = await fingerprintOf(person)
  const card = cardOf(person)
  await card.getByRole('button', { name: 'Continue' }).click()
  await card.getByText('not used yet').waitFor()
  expect(await finger.kept()).toMatchObject([{ isResidentCredential: true, rpId: 'localhost' }])

  person.allow(/WebSocket/, 'its ticket ended with the session, when the page of the sign-out opened it in the same moment')
  const byFinger = page.getByRole('button', { name: 'Use fingerprint or passkey' })
  const signOut = async () => {
    await page.goto('/logout')
    await page.waitForURL('**/login**')
    await byFinger.waitFor()
  }
  await signOut()
  await byFinger.click()
  await page.locator('.o-layout').waitFor()
  await page.getByText('Sign in with your password once').waitFor({ state: 'hidden' })

  await signOut()
  await person.setOffline(true)
  await page.reload()
  await byFinger.click()
  await page.locator('.o-layout').waitFor()
  await page.getByRole('button', { name: /^Application is currently offline/ }).waitFor()
  person.allow(/401/, 'the session at the office had ended before the phone was offline')
  await person.setOffline(false)

  await page.waitForURL('**/login**')
  await byFinger.click()
  await page.locator('.o-layout').waitFor()
  await page.goto('/profile')
  await card.getByText('last used').waitFor()
  await card.getByRole('button', { name: 'Remove My phone' }).click()
  await card.getByLabel('Your password').fill(demoPassword)
  await settle(person)
  await expectSound(person, 'a passkey that goes')
  await card.getByRole('button', { name: 'Remove the passkey' }).click()
  await card.getByText('You have no passkey yet.').waitFor()
  expect(await keptOnDevice(person)).toEqual([])
})

/** What this device could still open its data with, beside the password. */
const keptOnDevice = ({ page }: Person) =>
  page.evaluate(
    () =>
      new Promise<string[]>((done, failed) => {
        const opening = indexedDB.open('outpost-device')
        opening.onerror = () => failed(opening.error)
        opening.onsuccess = () => {
          const keys = opening.result.transaction('unlock').objectStore('unlock').getAllKeys()
          keys.onsuccess = () => done(keys.result.map(String).filter((key) => key.startsWith('passkey:')))
        }
      }),
  )

it('a browser without a passkey says so at the sign-in, and the password still opens', async () => {
  const person = await meet(phone)
  await withoutList(person)
  const { page } = person
  await page.goto('/login')
  await page.getByRole('button', { name: 'Use fingerprint or passkey' }).waitFor()
  await settle(person)
  await expectSound(person, 'sign-in with a fingerprint on a phone')
  const finger = await fingerprintOf(person)
  await page.getByRole('button', { name: 'Use fingerprint or passkey' }).click()
  await page.getByText('No passkey was shown.').waitFor()
  expect(await finger.kept()).toEqual([])
  await signIn(person, 'officer@copper.test')
})

it('the browser offers it among the names; one that the office does not know any more signs nobody in', async () => {
  const person = await meet(phone)
  const { page } = person
  person.allow(/WebSocket/, 'its ticket ended with the session, when the page of the sign-out opened it in the same moment')
  await signInFor(person, 'branch@copper.test', '/profile')
  await settle(person)
  await fillNewPasskey(person)
  const finger = await fingerprintOf(person)
  await cardOf(person).getByRole('button', { name: 'Continue' }).click()
  await cardOf(person).getByText('not used yet').waitFor()
  const office = await meet({ url })
  await signInFor(office, 'branch@copper.test', '/profile')

  await page.goto('/logout')
  await page.waitForURL((now) => !/login|logout/.test(now.pathname))
  await page.locator('.o-layout').waitFor()

  await finger.release()
  await page.goto('/logout')
  await page.waitForURL('**/login**')
  await settle(person)
  await cardOf(office).getByRole('button', { name: 'Remove My phone' }).click()
  await cardOf(office).getByLabel('Your password').fill(demoPassword)
  await cardOf(office).getByRole('button', { name: 'Remove the passkey' }).click()
  await cardOf(office).getByText('You have no passkey yet.').waitFor()
  person.allow(/401/, 'the passkey is not known')
  person.allow(/WebSocket/, 'its ticket ended with the session, when the page of the sign-out opened it in the same moment')
  await page.reload()
  await finger.press()
  await page.getByText('This passkey does not sign you in here.').waitFor()
})
