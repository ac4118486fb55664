import type { Page } from 'playwright'
import { expect } from 'vitest'
import type { Office } from '../../../apps/console/src/offline/fake-office.ts'
import { goTo, type PageOptions, type TestPage } from './browser.ts'
import { fieldAnswers, officerLayout } from './field.ts'
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

/** A key on the device, by how its database's name begins and how it ends itself. */
export interface StoredKey {
  database: string
  store: string
  key: string
}

/** Waits until all of them are on the device: a page draws what it has before it is kept. */
export async function waitForKeys(page: Page, wanted: readonly StoredKey[]): Promise<void> {
  // Not waitForFunction: that takes the promise of an answer for the answer.
  await expect
    .poll(() =>
      page.evaluate(async (all) => {
        const heard = <Value>(request: IDBRequest<Value>) =>
          new Promise<Value>((done, refuse) => {
            request.onsuccess = () => done(request.result)
            request.onerror = () => refuse(request.error)
          })
        const isThere = async ({ database: start, store, key }: StoredKey): Promise<boolean> => {
          const name = (await indexedDB.databases()).map((one) => one.name ?? '').find((one) => one.startsWith(start))
          if (!name) return false
          const database = await heard(indexedDB.open(name))
          try {
            return (
              database.objectStoreNames.contains(store) &&
              (await heard(database.transaction(store).objectStore(store).getAllKeys())).some((one) => String(one).endsWith(key))
            )
          } finally {
            database.close()
          }
        }
        const missing: string[] = []
        for (const one of all) if (!(await isThere(one))) missing.push(one.key)
        return missing
      }, wanted),
    )
    .toEqual([])
}

/** Waits until the officer can do without a network: layout and screens are kept, and what was pulled is stored with the place where the next pull goes on. */
export function waitForStores(page: Page): Promise<void> {
  const views = ['frame', ...officerLayout().screens.map(({ id }) => `screen:${id}`)]
  return waitForKeys(page, [
    { database: 'outpost:', store: 'meta', key: 'cursor' },
    ...views.map((view) => ({ database: 'outpost-views', store: 'views', key: `:${view}` })),
  ])
}

/** Captures a lead as the form does. */
export async function newLead(page: Page, phone: string, firstName = 'Neema'): Promise<void> {
  await goTo(page, '/sales/leads/create')
  await page.getByLabel('First name').fill(firstName)
  await page.getByLabel('Last name').fill('Achieng')
  await page.getByLabel('Phone').fill(phone)
  await page.getByRole('button', { name: /^(Save|Create)/ }).click()
}
