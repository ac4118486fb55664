import { readFile } from 'node:fs/promises'
import type { Route } from 'playwright'
import { describe, expect, it } from 'vitest'
import { findViolations, goTo, refuse, sentBy } from './support/browser.ts'
import { newLead, officerPassword, signInOfficer, typeIn, waitForStores, type OfficerOptions } from './support/officer.ts'
import { fixtureToken } from './support/fixture.ts'
import { useSite } from './support/site.ts'

const site = useSite()
const me = '11111111-1111-4111-8111-111111111111'
/** A local write is sent after 3 s. */
const poll = <T>(read: () => T) => expect.poll(read)

/** An officer with one captured lead that is not sent, signed out, with the network back. */
async function leaveWork(options: OfficerOptions = {}) {
  const test = await signInOfficer(site, options)
  const { page, setOffline } = test
  await page.getByText('Wanjiru Kamau').first().waitFor()
  await waitForStores(page)
  await setOffline(true)
  await newLead(page, '0711000001')
  await page.getByText('Neema Achieng').first().waitFor()
  await goTo(page, '/logout')
  await page.getByRole('button', { name: 'Keep on this device and sign out' }).click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await setOffline(false)
  await page.getByText('You are offline').waitFor({ state: 'detached' })
  return test
}

describe('unsent work', () => {
  it('is sent after signing in under another name; a refresh whose answers are lost ends no session (sync fault 8)', async () => {
    const lost = [true, true]
    const refresh = (route: Route) =>
      lost.pop()
        ? route.abort('connectionreset').then(() => undefined)
        : { token: fixtureToken({ sub: me }), serverNow: new Date().toISOString() }
    const { page, office } = await leaveWork({ answers: { 'POST /api/auth/refresh': refresh } })
    expect(office.rows()).toHaveLength(3)
    await typeIn(page, { name: 'amina' })
    await poll(() => office.rows().map((row) => row.firstName)).toContain('Neema')
    expect([...office.effects.values()]).toEqual([1])
    await page.reload()
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    expect([lost, page.url()]).toEqual([[], `${site.url}/agents/landingpage`])
  })

  it('waits behind the old password after a reset, and is sent when that is given', async () => {
    const told: number[] = []
    const { page, office } = await leaveWork({ answers: {} })
    // What the server knows to wait afterwards: it takes what it gives a verdict on off the count.
    page.on('request', (request) => {
      if (!request.url().endsWith('/api/sync/push')) return
      const { pendingCount, changes } = sentBy<{ pendingCount: number; changes: unknown[] }>(request)
      told.push(pendingCount - changes.length)
    })
    await typeIn(page, { password: 'set anew at the office' })
    const day = await page.evaluate(() => new Date().toLocaleDateString('en-GB', { day: 'numeric', month: 'short' }))
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`1 change of ${day} waits behind your old password.`).waitFor()
    expect(await findViolations(page, ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'])).toEqual([])
    await dialog.getByRole('button', { name: 'Not now' }).click()
    await page.getByText(`1 change of ${day} waits behind your old password.`).waitFor()
    await poll(() => told).toEqual([1])
    await page.reload()
    await dialog.getByLabel('Old password').fill('a wrong one')
    await dialog.getByRole('button', { name: 'Open them' }).click()
    await dialog.getByText('This password does not open the changes that wait.').waitFor()
    await dialog.getByLabel('Old password').fill(officerPassword)
    await dialog.getByRole('button', { name: 'Open them' }).click()
    await poll(() => office.rows().map((row) => row.firstName)).toContain('Neema')
    await poll(() => told.at(-1)).toBe(0)
    expect([...office.effects.values()]).toEqual([1])
    await poll(() =>
      page.evaluate(async () => (await indexedDB.databases()).filter(({ name }) => name?.startsWith('outpost:')).length),
    ).toBe(1)
  })
})

it('is handed over as one file where a phone cannot send it', async () => {
  const { page, setOffline } = await signInOfficer(site)
  await page.getByText('Wanjiru Kamau').first().waitFor()
  await waitForStores(page)
  await setOffline(true)
  await newLead(page, '0711000009')
  await page.getByText('Neema Achieng').first().waitFor()
  await goTo(page, '/offline/attention')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Export' }).click()])
  await page.getByText('Your unsent work is saved as one file, photos included.').waitFor()
  expect(download.suggestedFilename()).toMatch(/^outpost-unsent-\d{4}-\d\d-\d\d\.json$/)
  expect(JSON.parse(await readFile(await download.path(), 'utf8'))).toMatchObject({
    userId: me,
    log: [{ entityType: 'lead', changeType: 'INSERT', snapshot: { firstName: 'Neema', phonenumber: '0711000009' } }],
    attention: [],
    files: [],
  })
})

const gateway = (route: Route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' })
const portal = (route: Route) => route.fulfill({ contentType: 'text/html', body: '<html>Sign in to the hotel</html>' })
const noDatabase = (route: Route) => refuse(route, 503, 'UNAVAILABLE', 'The service is busy or restarting.')

describe('with the server half down (sync fault 19)', () => {
  it('signing in and capturing go on, the status says why, and all is sent once afterwards', async () => {
    const { page, context, office } = await leaveWork()
    let answer = gateway
    const half = (route: Route) => answer(route)
    const look = () => page.evaluate(() => dispatchEvent(new Event('online')))
    await context.route('**/api/**', half)
    await typeIn(page)
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await page.getByText('Something on the way answers in place of the server').waitFor()
    await newLead(page, '0711000002', 'Baraka')
    await page.getByText('Baraka Achieng').first().waitFor()
    answer = noDatabase
    await page.reload()
    await page.getByText('Baraka Achieng').first().waitFor()
    await goTo(page, '/agents/landingpage')
    await page.getByText('it cannot work at present').waitFor()
    answer = portal
    await look()
    await page.getByText('wants its own sign-in').waitFor()
    expect(office.rows()).toHaveLength(3)
    await context.unroute('**/api/**', half)
    await look()
    await poll(() => office.rows().map((row) => row.firstName)).toEqual(expect.arrayContaining(['Baraka', 'Neema']))
    expect([...office.effects.values()]).toEqual([1, 1])
  })

  it('a save is kept after 3 s on a line that answers nothing, and the call that arrives late makes no second lead', async () => {
    const { page, context, office } = await signInOfficer(site)
    await page.getByText('Wanjiru Kamau').first().waitFor()
    await waitForStores(page)
    const held: { Id: string }[] = []
    let start = 0
    // The call has left and reaches the office late: before the change of the log does, and unheard.
    await context.route('**/api/leads', (route) => {
      if (route.request().method() !== 'POST') return route.fallback()
      const lead = route.request().postDataJSON() as { Id: string }
      held.push(lead)
      start = Date.now()
      office.add(lead.Id, lead)
    })
    await newLead(page, '0711000003')
    await page.getByText('Saved on this device').waitFor()
    expect(Date.now() - start).toBeLessThan(10_000)
    await page.getByRole('button', { name: /waiting/ }).waitFor()
    await page.getByRole('button', { name: /waiting/ }).waitFor({ state: 'detached' })
    expect(held).toHaveLength(1)
    expect(office.rows().filter((row) => row.phonenumber === '0711000003')).toHaveLength(1)
  })
})

it('a browser without a database says that it keeps nothing, and refuses what it could not keep', async () => {
  const { answers } = await import('./support/field.ts').then(({ fieldAnswers }) => fieldAnswers())
  const { page, context, setOffline } = await site.open({ answers })
  await context.addInitScript(() =>
    Object.defineProperty(IDBFactory.prototype, 'open', {
      value: () => {
        throw new DOMException('A mutation operation was attempted', 'InvalidStateError')
      },
    }),
  )
  await typeIn(page)
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  await goTo(page, '/sales/leads/create')
  await page.getByLabel('First name').fill('Neema')
  await setOffline(true)
  await page.getByText('Offline: saving needs a connection').waitFor()
  expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: /^Application is currently offline/ }).click()
  await page.getByText('This device keeps no changes').waitFor()
})
