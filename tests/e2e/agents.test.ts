import { readFile } from 'node:fs/promises'
import pg from 'pg'
import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'

const url = inject('outpostUrl')
const officerId = demoId('copper officer')
let browser: Browser
let office: pg.Pool
let officer: Person
let manager: Person
let begun: Date

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
  browser = await launchBrowser()
  // This company's agents must share their location; what they did before today's test is none of it.
  const administer = await callAs(url, 'admin@copper.test')
  await administer('PUT', `/api/settings/${demoId('copper')}`, { locationRule: 'required' })
  begun = new Date()
  officer = await openPerson(browser, { url, width: 390, height: 844 })
  manager = await openPerson(browser, { url, width: 1440, height: 900 })
})
afterAll(async () => {
  await browser.close()
  await office.end()
})
afterEach(() => expect([...officer.faults.splice(0), ...manager.faults.splice(0)]).toEqual([]))

const tracked = async () =>
  (
    await office.query<{ latitude: number; source: string; entityType: string | null; seconds: number }>(
      `
  select "latitude", "source", "entityType", extract(epoch from "serverTime" - "deviceTime")::float8 as seconds from user_position
  where "userId" = $1 and "serverTime" > $2 order by "deviceTime"`,
      [officerId, begun],
    )
  ).rows

describe('the day of an officer', () => {
  it('does not start without a place where the tenant asks for one', async () => {
    const { page } = officer
    await signIn(officer, 'officer@copper.test')
    await page.waitForURL('**/agents/landingpage')
    await page.getByRole('button', { name: 'Start day' }).click()
    await page.getByText('Enable location access in-order to update activity status and start or stop your day!').first().waitFor()
    expect(await tracked()).toEqual([])
    await expectSound(officer, 'My Work, no place')
  })

  it('starts with one, shows the next stop and how far it is, and is watched from then on', async () => {
    const { page, context } = officer
    const now = Date.now()
    const call = await callAs(url, 'officer@copper.test')
    const made = await call('POST', '/api/activities', {
      name: 'Visit Kalingalinga market',
      location: 'Kalingalinga',
      lat: -15.41,
      lng: 28.33,
      startDate: new Date(now - 60_000).toISOString(),
      endDate: new Date(now + 1_800_000).toISOString(),
    })
    expect(made.status, made.text).toBe(200)
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ latitude: -15.4, longitude: 28.3, accuracy: 9 })
    // A minute behind, so that what is moved forward later is no time to come.
    await page.clock.install({ time: now - 60_000 })
    await page.reload()
    await page.getByRole('button', { name: 'Start day' }).click()
    await page.getByText('Your day is running').waitFor()
    const next = page.getByRole('region', { name: /^(Next stop|You are at)$/ })
    await next.getByText(/\d (m|km) away/).waitFor()
    await next.getByRole('link', { name: /Navigate/ }).waitFor()
    await page.getByRole('link', { name: /You are online as an agent\. Your position is known\./ }).waitFor()
    await expect
      .poll(async () => (await tracked()).map(({ entityType, source }) => [entityType, source]))
      .toEqual(
        expect.arrayContaining([
          ['agent_action', 'live'],
          [null, 'live'],
        ]),
      )
    await settle(officer)
    await expectSound(officer, 'My Work, day running')
  })

  it('is watched without a network too: what the device kept arrives later', async () => {
    const { page, context } = officer
    const before = (await tracked()).length
    await officer.setOffline(true)
    await context.setGeolocation({ latitude: -15.403, longitude: 28.3, accuracy: 9 })
    // The watcher reads again 30 s after its last success; its clock is ours.
    const wasRead = page.evaluate(
      () =>
        new Promise<void>((done) => {
          const read = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation)
          navigator.geolocation.getCurrentPosition = (heard, ...rest) =>
            read(
              (place) => {
                heard(place)
                done()
              },
              ...rest,
            )
        }),
    )
    await page.clock.fastForward(34_000)
    await wasRead
    expect(await tracked()).toHaveLength(before)
    await officer.setOffline(false)
    // The device looks for the network from time to time.
    await page.clock.fastForward(40_000)
    await expect
      .poll(async () => (await tracked()).at(-1), { timeout: 60_000 })
      .toMatchObject({ latitude: -15.403, source: 'live', entityType: null })
  })
})

describe('the manager', () => {
  it('sees the officer on the map with the state of the position', async () => {
    const { page } = manager
    await signIn(manager, 'branch@copper.test')
    const {
      rows: [person],
    } = await office.query<{ name: string }>(`select concat("firstName", ' ', "lastName") as name from app_user where "id" = $1`, [
      officerId,
    ])
    await page.goto('/sales/agents/map?show=online')
    await settle(manager)
    const list = page.getByRole('region', { name: 'Agents' })
    await list
      .getByRole('button', { name: new RegExp(`${person?.name}.*At work · Live`) })
      .first()
      .click()
    const card = page.getByRole('dialog', { name: person?.name })
    await card.getByText('Live', { exact: true }).waitFor()
    await expectSound(manager, 'map of agents, an agent open')
    await card.getByRole('link', { name: 'Open the day' }).click()
    await page.getByRole('heading', { name: person?.name }).waitFor()
    await page.getByText('Started the day').first().waitFor()
    await settle(manager)
    await expectSound(manager, 'day of an agent')
  })

  it('downloads the actions report with the officer’s start in it', async () => {
    const { page } = manager
    await page.goto('/sales/agents/actions')
    await settle(manager)
    await page.getByText('Started the day').first().waitFor()
    await page.getByRole('button', { name: 'Export' }).click()
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: /CSV/ }).click()])
    const text = await readFile(await download.path(), 'utf8')
    expect(text.split('\r\n')[0]).toContain('Agent')
    expect(text).toMatch(/Live/i)
  })

  it('arranges the dashboard by keys, and finds it so on another device', async () => {
    const { page } = manager
    await page.goto('/sales/dashboard?widgets=open')
    const tile = page.getByRole('group', { name: 'Leads captured, 7 days' })
    await tile.focus()
    const saved = page.waitForResponse((response) => response.url().includes('/api/views') && response.request().method() === 'POST')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText(/^Leads captured, 7 days: column 1, row 1, 6 wide, 3 high$/).waitFor({ state: 'attached' })
    expect((await saved).status()).toBe(200)
    await settle(manager)
    await expectSound(manager, 'dashboard, arranging')
    const other = await openPerson(browser, { url, width: 1440, height: 900 })
    await signIn(other, 'branch@copper.test')
    await other.page.goto('/sales/dashboard')
    await settle(other)
    expect(
      await other.page
        .locator('.hw-tile')
        .first()
        .evaluate((node) => getComputedStyle(node).gridRowEnd),
    ).toBe('span 3')
    expect(other.faults).toEqual([])
    await other.context.close()
  })
})
