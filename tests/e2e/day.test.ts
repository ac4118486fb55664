import pg from 'pg'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { dayOf, timeAt } from '@outpost/rules/time-zone'
import { demoId } from '../../prisma/seed/random.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { callAs, type Call } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { chooseAgents, drawAround, takeStep } from './support/planning.ts'

interface Stop {
  Id: string
  name: string
  userId: string
  position: number
  lat: number
  lng: number
}
interface AgentDay {
  userId: string
  agent: string
  planned: number
  done: number
  missed: number
  km: number
  firstStart: string | null
  lastEnd: string | null
  dayStop: string | null
}

const url = inject('outpostUrl')
const zone = 'Africa/Johannesburg'
const today = dayOf(Date.now(), zone)
const officerId = demoId('baobab officer')
const plansPath = '/sales/activities/activity-plan'
const planName = 'Two officers, one day'
let browser: Browser
let office: pg.Pool
let manage: Call
let manager: Person
let officer: Person
let colleague: string
let targetId = ''
let stops: Stop[] = []
const before = { day: undefined as AgentDay | undefined, visits: 0 }

/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })
const state = () => officer.page.locator('.av-state').innerText()
const dataOf = async <Data>(path: string) => (await manage('GET', path)).body.data as Data

const officersDay = async () =>
  (await dataOf<{ agents: AgentDay[] }>(`/api/activities/activity-plan/day-overview?date=${today}`)).agents.find(
    ({ userId }) => userId === officerId,
  )
const visitsReached = async () =>
  (await dataOf<{ target: { figures: { actual: number } } }>(`/api/targets/${targetId}`)).target.figures.actual

/** A day that nobody has begun, whatever the hour: the demo's own work of today becomes another day's, its way, its plan and the officer's target are forgotten and its running visits are done. */
async function clearToday(): Promise<void> {
  const company = demoId('baobab')
  const begin = new Date(timeAt(today, 0, zone)).toISOString()
  await office.query(`begin; set local session_replication_role = 'replica';
    update activity set "startDate" = "startDate" - interval '400 days', "endDate" = "endDate" - interval '400 days' where "companyId" = '${company}' and "startDate" >= '${begin}';
    update record_move set "dateCreated" = "dateCreated" - interval '400 days' where "companyId" = '${company}' and "objectType" = 'activity' and "dateCreated" >= '${begin}';
    delete from activity_plan_activity where "companyId" = '${company}' and "day" = '${today}';
    delete from target where "companyId" = '${company}' and "ownerUserId" = '${officerId}' and "metric" = 'visits.done';
    delete from user_position where "companyId" = '${company}' and "deviceTime" >= '${begin}';
    update activity_assignment a set "statusId" = done."id", "statusText" = done."name" from activity_status running, activity_status done
      where a."companyId" = '${company}' and running."companyId" = a."companyId" and running."id" = a."statusId" and running."meaning" = 'started' and done."companyId" = a."companyId" and done."meaning" = 'done';
    commit`)
}

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
  browser = await launchBrowser()
  manage = await callAs(url, 'branch@baobab.test')
  const administer = await callAs(url, 'admin@baobab.test')
  await administer('PUT', `/api/settings/${demoId('baobab')}`, { locationRule: 'required' })
  await clearToday()
  const { users } = await dataOf<{ users: { Id: string; firstName: string; lastName: string }[] }>('/api/users?size=200')
  const nameOf = (id: string) =>
    users.filter((user) => user.Id === id).map(({ firstName, lastName }) => `${firstName} ${lastName}`)[0] ?? ''
  colleague = nameOf(demoId('baobab credit'))
  for (let index = 0; index < 8; index += 1) {
    const at = timeAt(today, 8 * 60 + 30 * index, zone)
    const made = await manage('POST', '/api/activities', {
      name: `Shop ${index + 1}`,
      location: `Stall ${index + 1}`,
      lat: -26.2 + (index % 4) * 0.002,
      lng: index < 4 ? 28.04 : 28.08,
      startDate: new Date(at).toISOString(),
      endDate: new Date(at + 1_200_000).toISOString(),
    })
    expect(made.status, made.text).toBe(200)
  }
  const target = await manage('POST', '/api/targets', {
    metric: 'visits.done',
    ownerType: 'user',
    ownerUserId: officerId,
    periodKind: 'month',
    startDate: today,
    value: 48_263,
  })
  expect(target.status, target.text).toBe(200)
  targetId = (target.body.data as { target: { Id: string } }).target.Id
  manager = await openPerson(browser, { url, width: 1440, height: 900 })
  officer = await openPerson(browser, { url, width: 390, height: 844, hasWorker: true })
})
afterAll(async () => {
  await browser.close()
  await office.end()
})
afterEach(() => expect([...officer.faults.splice(0), ...manager.faults.splice(0)]).toEqual([]))

async function setDay(page: Page, label: string, day: string): Promise<void> {
  await page.getByLabel(label).fill(day)
  await page.keyboard.press('Enter')
}

/** The officer is at the stop. */
const arrive = async ({ lat, lng }: Stop) => officer.context.setGeolocation({ latitude: lat, longitude: lng, accuracy: 8 })

describe('a day from plan to target', () => {
  it('is planned by the manager for two officers: drawn around, shared out, ordered, with its conflicts shown', async () => {
    const { page } = manager
    await signIn(manager, 'branch@baobab.test')
    await page.goto(`${plansPath}/create`)
    await settle(manager)
    await page.getByLabel('Name').fill(planName)
    await setDay(page, 'First day', today)
    await setDay(page, 'Last day', today)
    await page.getByRole('region', { name: 'Unplanned activities' }).getByText('Shop 8').waitFor()
    const names = await office.query<{ name: string }>(
      `select concat_ws(' ', "firstName", "lastName") as name from app_user where "id" = $1`,
      [officerId],
    )
    await chooseAgents(page, [names.rows[0]?.name ?? '', colleague])
    await drawAround(page, [
      [0.02, 0.05],
      [0.98, 0.05],
      [0.98, 0.97],
      [0.02, 0.97],
    ])
    await page.getByRole('button', { name: 'Share out 8 among 2' }).click()
    await page.getByText('Whole plan: 8 stops').waitFor()
    await page.getByRole('button', { name: 'Order all days' }).click()
    await page.getByText('Working hours, speed, start and notes').click()
    await page.getByLabel('Day ends').fill('08:05')
    await page
      .getByText(/Outside working hours/)
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page
      .getByText(/Outside working hours/)
      .first()
      .waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save plan' }).click()
    await page.waitForURL((now) => now.pathname === plansPath)
    const { activityPlans } = await dataOf<{ activityPlans: { Id: string; name: string }[] }>('/api/activities/activity-plan?size=100')
    const plan = activityPlans.find(({ name }) => name === planName)
    const { activities } = await dataOf<{ activities: Stop[] }>(`/api/activities/activity-plan-activities/${plan?.Id}?detailsLevel=FULL`)
    stops = activities.filter(({ userId }) => userId === officerId).toSorted((a, b) => a.position - b.position)
    // Those near each other go to the same officer: four in the west, four in the east.
    expect([activities.length, stops.length, new Set(stops.map(({ lng }) => lng)).size]).toEqual([8, 4, 1])
    before.day = await officersDay()
    before.visits = await visitsReached()
    expect(before.day).toMatchObject({ planned: 4, done: 0, firstStart: null })
  })

  it('is begun with a place, and the first stop is done from the plan on the phone', async () => {
    const { page } = officer
    const [first] = stops as [Stop]
    await officer.context.grantPermissions(['geolocation'], { origin: url })
    await arrive(first)
    await signIn(officer, 'officer@baobab.test')
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.getByRole('button', { name: 'Start day' }).click()
    await page.getByText('Your day is running').waitFor()
    await page.goto(plansPath)
    await page.getByRole('link', { name: planName }).click()
    const next = page.getByRole('region', { name: 'Next stop' })
    await next.getByRole('heading', { name: first.name }).waitFor()
    await next.getByRole('link', { name: 'Open, change status' }).click()
    await takeStep(officer.page, 'Start visit')
    await soon(state).toBe('In progress')
    await takeStep(officer.page, 'Complete', 'Stock is fine')
    await soon(state).toBe('Done')
    await page.goBack()
    await next.getByRole('heading', { name: stops[1]?.name ?? '' }).waitFor()
    await page.getByText('1 / 4').waitFor()
    await expectSound(officer, 'the plan on the phone')
    await page.goto('/agents/landingpage')
    await page
      .getByRole('link', { name: stops[3]?.name ?? '' })
      .first()
      .waitFor()
    await page.getByRole('button', { name: /^Application is currently online/ }).click()
    await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
    // As on a phone, which has no Escape.
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  })

  it('goes on without a network, with place, photo and a missed stop', async () => {
    const { page } = officer
    const [, second, third] = stops as [Stop, Stop, Stop]
    await officer.setOffline(true)
    await arrive(second)
    await page.locator('a[href$="/visit"]', { hasText: second.name }).first().click()
    await takeStep(officer.page, 'Start visit')
    await soon(state).toBe('In progress')
    await page.getByLabel('Take photo').setInputFiles({ name: 'IMG_7.png', mimeType: 'image/png', buffer: await page.screenshot() })
    await page.locator('.av-thumb img').first().waitFor()
    await takeStep(officer.page, 'Complete', 'New sign is up')
    await soon(state).toBe('Done')
    await arrive(third)
    // My Work leads to the route, which knows what was done since it was kept.
    await page.goto('/agents/landingpage')
    await page.getByRole('region', { name: 'Routes' }).getByRole('link').first().click()
    await soon(() => page.getByLabel('Stops', { exact: true }).locator(`[data-meaning=done]`, { hasText: second.name }).count()).toBe(1)
    await soon(() => page.getByRole('region', { name: 'Next stop' }).innerText()).toContain(third.name)
    await expectSound(officer, 'the route without a network')
    await page.reload()
    await page.getByRole('region', { name: 'Next stop' }).getByRole('link', { name: 'Open, change status' }).click()
    await page.locator('.av h1', { hasText: third.name }).waitFor()
    await takeStep(officer.page, 'Missed', 'Closed today')
    await soon(state).toBe('Missed')
    expect(await officersDay()).toMatchObject({ planned: 4, done: 1, missed: 0 })
    await officer.setOffline(false)
    await soon(officersDay).toMatchObject({ planned: 4, done: 2, missed: 1 })
    await soon(async () => (await office.query('select from activity_file where "activityId" = $1', [second.Id])).rowCount).toBe(1)
  })

  it('ends, and the manager sees planned against done, the way, first start and last end', async () => {
    const { page } = officer
    await page.goto('/agents/landingpage')
    await page.getByRole('button', { name: 'Stop day' }).click()
    await page.getByRole('button', { name: 'Start day' }).waitFor()
    await soon(async () => ((await officersDay()) as AgentDay | undefined)?.dayStop ?? null).not.toBe(null)
    const day = (await officersDay()) as AgentDay
    expect(day.firstStart).not.toBeNull()
    expect(Date.parse(day.lastEnd ?? '')).toBeGreaterThan(Date.parse(day.firstStart ?? ''))
    expect(Date.parse(day.dayStop ?? '')).toBeGreaterThan(Date.parse(day.lastEnd ?? ''))
    // Two steps of 0.002 degrees from stop to stop.
    expect(day.km).toBeGreaterThan(0.3)
    await manager.page.goto(`${plansPath}/day-overview?date=${today}`)
    await settle(manager)
    const row = manager.page.getByRole('row', { name: day.agent })
    await row.getByText(`${day.km.toFixed(1)} km`).waitFor()
    for (const [words, count] of [
      ['Planned', 4],
      ['Done', 2],
      ['Missed', 1],
    ] as const)
      await row.getByRole('button', { name: `${words}: ${count}, ${day.agent}` }).waitFor()
    await row.getByRole('button', { name: /^Done/ }).click()
    const panel = manager.page.getByRole('dialog')
    await soon(async () => (await panel.locator('.dv-records li').allInnerTexts()).length).toBe(2)
    for (const { name } of stops.slice(0, 2)) await panel.getByText(name).first().waitFor()
    await panel.getByText('Planned and driven').click()
    await panel.getByText(/driven \d/).waitFor()
    await expectSound(manager, 'the day of the officer')
  })

  it('has moved the officer’s target by exactly what was done, and the number opens the records', async () => {
    expect(await visitsReached()).toBe(before.visits + 2)
    const { page } = manager
    await page.goto('/sales/targets?owner=user&metric=visits.done')
    await settle(manager)
    const name = before.day?.agent ?? ''
    await page
      .getByRole('region', { name: `${name}, Person` })
      .getByRole('listitem')
      .filter({ hasText: '48,263' })
      .getByRole('button', { name: 'Visits done' })
      .click()
    const panel = page.getByRole('dialog')
    for (const { name: stop } of stops.slice(0, 2)) await panel.getByRole('link', { name: stop }).waitFor()
    expect(await panel.getByRole('link', { name: stops[2]?.name ?? '' }).count()).toBe(0)
  })
})
