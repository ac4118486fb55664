import type { Page } from 'playwright'
import type { Office } from '../../../apps/console/src/offline/fake-office.ts'
import { goTo, type PageOptions, type TestPage } from './browser.ts'
import { fieldAnswers } from './field.ts'
import type { Site } from './site.ts'

export type OfficerOptions = Partial<PageOptions> & { office?: Office }
export const officerPassword = 'outpost-demo-2026'

/** Signs the loan officer in, as a person does: only then is there a key for offline data. */
export async function signInOfficer(site: Site, options: OfficerOptions = {}): Promise<TestPage & { office: Office }> {
  const { office, answers } = fieldAnswers(options.office)
  const test = await site.open({ ...options, answers: { ...answers, ...options.answers } })
  await typeIn(test.page)
  await test.page.getByRole('heading', { name: 'My Work' }).waitFor()
  return { ...test, office }
}

/** Types name and password at the sign-in screen. */
export async function typeIn(page: Page, { name = 'officer@sunrise.test', password = officerPassword } = {}): Promise<void> {
  if (!page.url().includes('/login')) await page.goto('/login')
  await page.getByLabel('E-mail or user name').fill(name)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Captures a lead as the form does. */
export async function newLead(page: Page, phone: string, firstName = 'Neema'): Promise<void> {
  await goTo(page, '/sales/leads/create')
  await page.getByLabel('First name').fill(firstName)
  await page.getByLabel('Last name').fill('Achieng')
  await page.getByLabel('Phone').fill(phone)
  await page.getByRole('button', { name: /^(Save|Create)/ }).click()
}
