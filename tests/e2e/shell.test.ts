import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { describe, expect, inject, it } from 'vitest'
import { goTo } from '../console/support/browser.ts'
import { signIn, type Person, type PersonOptions } from '../support/browser.ts'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { expectSound, settle } from './support/look.ts'
import { mailedLink } from './support/mail.ts'
import { usePeople } from './support/people.ts'
import { everyLead } from './support/paths.ts'

const { meet } = usePeople()

async function signedIn(email: string, options: Partial<PersonOptions> = {}): Promise<Person> {
  const person = await meet(options)
  await signIn(person, email)
  return person
}

describe('a person', () => {
  it('works as another one, sees so all the time, and comes back', async () => {
    const person = await signedIn('admin@sunrise.test')
    const { page } = person
    await page.goto('/admin/users/list?search=leader.sunrise')
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click()
    await page.getByRole('menuitem', { name: 'Work as this user' }).click()
    await page.waitForURL(/impersonate/)
    await page.getByLabel('Reason').fill('Ticket 4711: cannot see a lead')
    await page.getByRole('button', { name: 'Work as leader.sunrise' }).click()
    const banner = page.getByRole('region', { name: 'Impersonation' })
    await banner.getByText('Ticket 4711').waitFor()
    await settle(person)
    await expectSound(person, 'impersonating')
    await goTo(page, '/sales/leads')
    await page.getByRole('heading', { name: 'Leads' }).waitFor()
    expect(await page.getByRole('button', { name: 'Administration' }).count()).toBe(0)
    await banner.getByRole('link', { name: 'End User Impersonation' }).click()
    await banner.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Administration' }).waitFor()
  })

  it('whose password somebody else set chooses another one before anything else', async () => {
    const [email, given, own] = ['zonal@baobab.test', 'a phrase the office gave out', 'a phrase of my own and no other']
    await setPasswordOf(email, given)
    const { page } = await meet()
    await page.goto('/login?redirectFrom=%2Fsales%2Fleads')
    await page.getByLabel('E-mail or user name').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(given)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL('**/profile/change-password')
    await page.goto('/admin/users/list')
    await page.waitForURL('**/profile/change-password')
    await page.getByText('Choose a password of your own first.').waitFor()
    expect(await page.getByRole('link', { name: 'Sign out' }).count()).toBe(1)
    await page.getByLabel('Present password').fill(given)
    await page.getByLabel('New password', { exact: true }).fill(own)
    await page.getByLabel('New password again').fill(own)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.locator('.o-layout').waitFor()
    await goTo(page, '/sales/leads')
    await page.getByRole('heading', { name: 'Leads' }).waitFor()
  })

  it('keeps name, mobile number and job title, and names which of them is wrong', async () => {
    const person = await signedIn('product@baobab.test', { width: 390, height: 844 })
    const { page } = person
    person.allow(/422|400/, 'a number that is none is refused')
    const mobile = page.getByLabel('Mobile')
    await page.goto('/profile/edit')
    await mobile.fill('12')
    await page.getByLabel('Job title').fill('Head of Products')
    await page.getByLabel('Last name').fill('Wanjiku-Otieno of the Northern Region')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('.ant-form-item-explain-error').first().waitFor()
    await settle(person)
    await expectSound(person, 'the profile with a wrong number')
    await mobile.fill('0722 000 123')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: /of the Northern Region/ }).waitFor()
    const details = page.getByRole('region', { name: 'Details' })
    for (const text of ['0722 000 123', 'Head of Products']) await details.getByText(text, { exact: true }).waitFor()
    await page.goto('/profile/edit')
    expect([await mobile.inputValue(), await page.getByLabel('Job title').inputValue()]).toEqual(['0722 000 123', 'Head of Products'])
  })

  it('who forgot the password gets a link by mail that works once', async () => {
    const person = await meet()
    const { page } = person
    await page.goto('/forgot-password')
    await page.getByLabel('E-mail').fill('product@baobab.test')
    await page.getByRole('button', { name: 'Send the link' }).click()
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor()
    const link = await mailedLink('product@baobab.test', /\/reset-password\/[\w-]+/)
    const password = 'a sentence nobody else would say'
    await page.goto(link)
    await page.getByLabel('New password', { exact: true }).fill(password)
    await page.getByLabel('New password again').fill(password)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.waitForURL('**/login')
    await signIn(person, 'product@baobab.test', password)

    const thief = await meet()
    thief.allow(/40[0-9]|410|422/, 'the link has been used')
    await thief.page.goto(link)
    await thief.page.getByLabel('New password', { exact: true }).fill('another sentence to get in')
    await thief.page.getByLabel('New password again').fill('another sentence to get in')
    await thief.page.getByRole('button', { name: 'Change password' }).click()
    await thief.page.getByRole('alert').waitFor()
  })

  it('changes the tenant, sees its leads only, and resets', async () => {
    const { page } = await signedIn('md@sunrise.test')
    await page.goto(everyLead)
    const everywhere = await total(page)
    await page.getByRole('button', { name: /^Tenant: Sunrise Credit/ }).click()
    await page.getByLabel('Search tenants').fill('mombasa')
    await page.getByRole('button', { name: /^Mombasa Branch/ }).click()
    await page.getByRole('button', { name: /^Tenant: Mombasa Branch/ }).waitFor()
    await expect.poll(() => total(page)).toBeLessThan(everywhere)
    await page.getByRole('button', { name: /^Tenant: Mombasa Branch/ }).click()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: /^Tenant: Sunrise Credit/ }).waitFor()
    await expect.poll(() => total(page)).toBe(everywhere)
  })

  it('leaves nothing readable behind on signing out', async () => {
    const { page, context } = await signedIn('officer@sunrise.test', { hasWorker: true })
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await page.goto(everyLead)
    await page.locator('.ant-table-row, .card-list li').first().waitFor()
    const name =
      (await page.locator('.ant-table-row, .card-list li').first().innerText())
        .split(/\n|\t/)
        .find((text) => /^[A-Z]\w+ [A-Z]/.test(text)) ?? ''
    expect(name).not.toBe('')
    await page.getByRole('button', { name: /profile menu/ }).click()
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.waitForURL('**/login*')
    const kept = await everythingKept(page)
    // Four letters come up by chance among so many sealed bytes and keyed hashes.
    const words = name.split(' ').filter((word) => word.length > 5)
    for (const secret of [name, ...words, 'officer@sunrise.test', 'outpost-demo-2026'])
      expect({ secret, isKept: kept.includes(secret) }).toEqual({ secret, isKept: false })
    // A part of a token begins with JSON; three letters of it come up by chance in keyed hashes.
    const tokens = [...kept.matchAll(/eyJ[\w-]{8,}/g)].filter(([text]) =>
      /^\{"[ -~]{6}$/.test(Buffer.from(text.slice(0, 11), 'base64url').toString('latin1')),
    )
    expect(tokens.map(([text]) => text)).toEqual([])
    // The device stays known, so that its next sign-in needs no new mark and a loss of its stores is seen; it opens nothing.
    const cookies = (await context.cookies()).filter(({ value }) => value !== '').map(({ name: cookie }) => cookie)
    expect(cookies).toContain('outpost-device')
    expect(cookies.filter((cookie) => !['outpost-device', 'outpost-device-id', 'outpost-store'].includes(cookie))).toEqual([])
    await page.goBack()
    await page.waitForURL('**/login*')
  })
})

describe('the files for offline work', () => {
  it('are fetched again when not all of them arrived the first time', async () => {
    const person = await meet({ hasWorker: true })
    person.allow(/any-512|bad-precaching|installing a ServiceWorker/i, 'the file that is missing')
    const { page } = person
    const icon = join(inject('outpostConsole'), 'icons/any-512.png')
    const hasWorker = () =>
      page.evaluate(async () => {
        const registration = await navigator.serviceWorker.getRegistration()
        return Boolean(registration?.installing ?? registration?.active)
      })
    await rename(icon, `${icon}.away`)
    try {
      await page.clock.install()
      await page.addInitScript(noteFailedWorker)
      await page.goto('/login')
      await page.waitForFunction(() => 'hasWorkerFailed' in window)
      await expect.poll(hasWorker).toBe(false)
    } finally {
      await rename(`${icon}.away`, icon)
    }
    await page.clock.fastForward(46_000)
    await expect.poll(hasWorker).toBe(true)
  })
})

describe('the keyboard alone', () => {
  it('finds a record, opens it, and comes home', async () => {
    const { page } = await signedIn('branch@sunrise.test')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search...').fill('wanj')
    await page.getByRole('option', { name: /Wanj/i }).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/(leads|clients)\/[^/]+\/view/)
    await page.waitForFunction(() => document.activeElement?.tagName === 'H1' || document.activeElement?.closest('form') !== null)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search...').fill('dashboard')
    await page
      .getByRole('option', { name: /Dashboard/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL((address) => !address.pathname.includes('view'))
  })

  it('is helped by a list of its keys', async () => {
    const person = await signedIn('officer@sunrise.test')
    await person.page.keyboard.press('?')
    await person.page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await expectSound(person, 'keyboard help')
    await person.page.keyboard.press('Escape')
    await person.page.getByRole('dialog').waitFor({ state: 'hidden' })
  })
})

/** In the page: says so on its window when the worker that it registers could not be installed. */
function noteFailedWorker(): void {
  const { serviceWorker } = navigator
  const register = serviceWorker.register.bind(serviceWorker)
  serviceWorker.register = async (...args) => {
    const registration = await register(...args)
    const worker = registration.installing
    const look = (): void => {
      if (worker ? worker.state === 'redundant' : !registration.active) Object.assign(window, { hasWorkerFailed: true })
    }
    worker?.addEventListener('statechange', look)
    look()
    return registration
  }
}

/** As their administrator does. */
async function setPasswordOf(email: string, password: string): Promise<void> {
  const url = inject('outpostUrl')
  const call = async (method: string, path: string, body?: object, token?: string) => {
    const headers = { 'content-type': 'application/json', 'x-native': '1', ...(token ? { authorization: `Bearer ${token}` } : {}) }
    const answer = await fetch(new URL(path, url), { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    expect(answer.status, path).toBe(200)
    return ((await answer.json()) as { data: { token: string; user: { Id: string } } }).data
  }
  const { token } = await call('POST', '/api/auth/login', { email: `admin@${email.split('@')[1]}`, password: demoPassword })
  const { user } = await call('GET', `/api/users/by-email/${email}`, undefined, token)
  await call('PUT', `/api/users/change-password/${user.Id}`, { password }, token)
}

async function total(page: Page): Promise<number> {
  await page.locator('.ant-table-row').first().waitFor()
  return Number((await page.locator('.list-count, .view-header').first().innerText()).replace(/\D/g, ''))
}

/** All texts a stranger could read from this browser's disk: storage, databases, caches. */
async function everythingKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const kept = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)]
    for (const { name = '' } of await indexedDB.databases()) {
      const db = await new Promise<IDBDatabase>((done, refuse) => {
        const request = indexedDB.open(name)
        request.onsuccess = () => done(request.result)
        request.onerror = () => refuse(request.error)
      })
      for (const store of db.objectStoreNames) {
        const rows = await new Promise((done, refuse) => {
          const request = db.transaction(store).objectStore(store).getAll()
          request.onsuccess = () => done(request.result)
          request.onerror = () => refuse(request.error)
        })
        kept.push(
          JSON.stringify(rows, (_, value: unknown) =>
            value instanceof ArrayBuffer || ArrayBuffer.isView(value) ? new TextDecoder().decode(value as ArrayBuffer) : value,
          ),
        )
      }
      db.close()
    }
    for (const key of await caches.keys()) {
      const cache = await caches.open(key)
      for (const request of await cache.keys()) {
        kept.push(request.url)
        if (/\/api\//.test(request.url)) kept.push((await (await cache.match(request))?.text()) ?? '')
      }
    }
    return kept.join('\n')
  })
}
