import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { findViolations, goTo } from './support/browser.ts'
import { fieldAnswers } from './support/field.ts'
import { newLead, typeIn, waitForStores } from './support/officer.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const ofDevice = 'a sentence of this phone'
const another = 'quite another sentence of mine'

/** The loan officer comes back from the identity provider: there is no password. */
async function comeBack(page: Page): Promise<void> {
  await page.goto('/saml?code=once')
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
}

async function open() {
  const { office, answers } = fieldAnswers()
  const login = answers['POST /api/auth/login']
  return { office, ...(await site.open({ answers: { ...answers, ...(login ? { 'POST /api/auth/saml/login': login } : {}) } })) }
}

async function choose(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Choose a password for this device' })
  await dialog.getByLabel('New password', { exact: true }).fill(password)
  await dialog.getByLabel('New password again').fill(password)
  await dialog.getByRole('button', { name: 'Keep my work here' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

it('whoever signs in by single sign-on chooses a password of the device, and works with it without a connection', async () => {
  const { page, office, setOffline } = await open()
  await comeBack(page)
  const dialog = page.getByRole('dialog', { name: 'Choose a password for this device' })
  await dialog.getByText(/this device keeps nothing yet/).waitFor()
  expect(await findViolations(page)).toEqual([])
  await dialog.getByLabel('New password', { exact: true }).fill('1234')
  await dialog.getByRole('button', { name: 'Keep my work here' }).click()
  await dialog.getByText('Use at least 15 characters.').waitFor()
  await choose(page, ofDevice)
  await waitForStores(page)
  await setOffline(true)
  await newLead(page, '0711000081')
  await page.getByText('Neema Achieng').first().waitFor()
  await goTo(page, '/logout')
  await page.getByRole('button', { name: 'Keep on this device and sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await typeIn(page, { password: another })
  await page.getByText('Invalid credentials').waitFor()
  await typeIn(page, { password: ofDevice })
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await setOffline(false)
  await expect.poll(() => office.rows().map((row) => row.firstName)).toContain('Neema')
})

it('the next single sign-on asks for that password; who forgot it begins anew, and who does not want to is told that nothing is kept', async () => {
  const { page, calls } = await open()
  await comeBack(page)
  await page.getByRole('button', { name: 'Not now' }).click()
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await page.getByText(/This device keeps no changes/).waitFor()
  await page.getByRole('button', { name: 'Have this device keep your work' }).click()
  await choose(page, ofDevice)
  await waitForStores(page)
  const pulls = () => calls.filter((call) => call === 'GET /api/sync/pull').length
  const before = pulls()
  await goTo(page, '/logout')
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
  await comeBack(page)
  const dialog = page.getByRole('dialog', { name: 'Open what this device keeps' })
  await dialog.getByLabel('Password of this device').fill(another)
  await dialog.getByRole('button', { name: 'Open it' }).click()
  await dialog.getByText('Invalid credentials').waitFor()
  await dialog.getByLabel('Password of this device').fill(ofDevice)
  await dialog.getByRole('button', { name: 'Open it' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await expect.poll(pulls).toBeGreaterThan(before)
  await goTo(page, '/logout')
  await page.getByRole('heading', { name: /Sign in/ }).waitFor()
  await comeBack(page)
  await page.getByRole('button', { name: 'I do not know it: begin with a new one' }).click()
  await choose(page, another)
  await waitForStores(page)
})
