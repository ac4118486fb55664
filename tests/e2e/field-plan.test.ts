import pg from 'pg'
import type { Browser, Page } from 'playwright'
import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { callAs, type Call } from './support/calls.ts'
import { isKept } from './support/field.ts'
import { expectSound, settle } from './support/look.ts'
import { chooseAgents } from './support/planning.ts'

interface Plan {
  Id: string
  name: string
  status: string
  notes: string | null
  route: { activityId: string; userId: string }[]
}

const url = inject('outpostUrl')
const zone = 'Africa/Nairobi'
const day = addDays(dayOf(Date.now(), zone), 12)
const leaderId = demoId('sunrise leader')
const plansPath = '/sales/activities/activity-plan'
const [made, shared] = ['Round made in the field', 'Round of the office']
let browser: Browser
let office: pg.Pool
let manage: Call
let leader: Person
let leaderName = ''
const activities: { Id: string; name: string }[] = []
let sharedId = ''

const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })
const planNamed = async (name: string) => {
  const { rows } = await office.query<{ id: string }>(
    'select "id" from activity_plan where "companyId" = $1 and "name" = $2 and "deletedAt" is null',
    [demoId('sunrise'), name],
  )
  return Promise.all(
    rows.map(
      async ({ id }) => ((await manage('GET', `/api/activities/activity-plan/${id}`)).body.data as { activityPlan: Plan }).activityPlan,
    ),
  )
}
const namesOf = (plan: Plan | undefined) =>
  plan?.route.map(({ activityId }) => activities.find(({ Id }) => Id === activityId)?.name ?? activityId)

async function makeActivity(name: string, hour: number): Promise<{ Id: string; name: string }> {
  const at = timeAt(day, hour * 60, zone)
  const { status, text, body } = await manage('POST', '/api/activities', {
    name,
    location: 'Stall',
    assignedUsers: [leaderId],
    lat: -1.28 - hour / 1_000,
    lng: 36.82,
    startDate: new Date(at).toISOString(),
    endDate: new Date(at + 1_800_000).toISOString(),
  })
  if (status !== 200) throw new Error(text)
  return (body.data as { activity: { Id: string; name: string } }).activity
}

async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}
const showPart = (page: Page, part: string) =>
  page.getByRole('radiogroup', { name: 'Part of the plan' }).getByText(part, { exact: true }).click()

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
  browser = await launchBrowser()
  manage = await callAs(url, 'branch@sunrise.test')
  const { rows } = await office.query<{ name: string }>(
    `select concat_ws(' ', "firstName", "lastName") as name from app_user where "id" = $1`,
    [leaderId],
  )
  leaderName = rows[0]?.name ?? ''
  for (const [index, name] of ['Kiosk A', 'Kiosk B', 'Kiosk C', 'Kiosk D', 'Kiosk E'].entries())
    activities.push(await makeActivity(name, 9 + index))
  const [, , third, fourth] = activities
  // Whose plan it is may change it: a manager's is filed above the leader's team.
  const plan = await (
    await callAs(url, 'leader@sunrise.test')
  )('POST', '/api/activities/activity-plan', {
    name: shared,
    startDate: day,
    endDate: day,
    stops: [third, fourth].map((one) => ({ activityId: one?.Id, userId: leaderId, day })),
  })
  if (plan.status !== 200) throw new Error(plan.text)
  sharedId = (plan.body.data as { activityPlan: Plan }).activityPlan.Id
  leader = await openPerson(browser, { url, width: 390, height: 844, hasWorker: true })
})
afterAll(async () => {
  await browser.close()
  await office.end()
})
afterEach(() => expect(leader.faults.splice(0)).toEqual([]))

describe('routes planned without a connection', () => {
  it('are a plan of activities that the device holds, pending until it is sent', async () => {
    const { page } = leader
    await signIn(leader, 'leader@sunrise.test')
    await page.waitForURL((now) => now.pathname !== '/login')
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.getByRole('button', { name: /^Application is currently online/ }).click()
    await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
    await page.keyboard.press('Escape')
    // The base map is kept by who has seen it.
    await open(page, `${plansPath}/map-overview?date=${day}`, 'Routes of the day')
    await settle(leader)
    await isKept(page)
    await leader.setOffline(true)
    await open(page, `${plansPath}?from=${day}&to=${day}`, 'Route Plans')
    await page.getByRole('link', { name: shared }).waitFor()
    await expectSound(leader, 'route plans without a connection')
    await open(page, `${plansPath}/create`, 'New route plan')
    await page.getByLabel('Name').fill(made)
    for (const field of ['First day', 'Last day']) {
      await page.getByLabel(field).fill(day)
      await page.keyboard.press('Enter')
    }
    await chooseAgents(page, [leaderName])
    const pool = page.getByRole('region', { name: 'Unplanned activities' })
    await pool.getByText('Kiosk A').waitFor()
    // What is planned already is not offered, on this device either.
    expect(await pool.getByText('Kiosk C').count()).toBe(0)
    for (const name of ['Kiosk A', 'Kiosk B']) await pool.getByLabel(new RegExp(`^${name}`)).check()
    await page.getByRole('button', { name: 'Add 2 to the plan' }).click()
    await showPart(page, 'Stops')
    await page.getByText('Kiosk B').first().waitFor()
    await expectSound(leader, 'a plan made without a connection')
    await page.getByRole('button', { name: 'Save plan' }).click()
    await page.getByText('The plan is saved on this device').first().waitFor()
    await page.waitForURL((now) => now.pathname === plansPath)
    expect(await planNamed(made)).toEqual([])
  })

  it('have the vehicles beside them: the list as it was, searched and opened, and nothing of it is changed here', async () => {
    const { page } = leader
    const ask = await callAs(url, 'leader@sunrise.test')
    const { body } = await ask('GET', '/api/tracking/assets')
    const { assets } = body.data as { assets: { registrationNumber: string; make: string | null }[] }
    const [first] = assets
    expect(assets.length).toBeGreaterThan(1)
    await open(page, '/tracking/assets', 'Assets')
    await page.getByRole('link', { name: first?.registrationNumber ?? '' }).waitFor()
    await expectSound(leader, 'vehicles without a connection')
    await page.goto(`/tracking/assets?search=${encodeURIComponent(first?.registrationNumber ?? '')}`)
    await page.getByRole('link', { name: first?.registrationNumber ?? '' }).click()
    await page.getByRole('heading', { name: first?.registrationNumber ?? '', level: 1 }).waitFor()
    await page
      .getByText(first?.make ?? '')
      .first()
      .waitFor()
    await expectSound(leader, 'a vehicle without a connection')
    // What agents did lately is there as well, by the same means.
    const { agentActions } = (await ask('GET', '/api/agent/actions')).body.data as { agentActions: { agentName: string }[] }
    await open(page, '/sales/agents/actions', 'Agent actions')
    await page
      .getByText(agentActions[0]?.agentName ?? 'nobody')
      .first()
      .waitFor()
  })

  it('are driven, shown on the day’s map and changed once more after a restart', async () => {
    const { page } = leader
    await open(page, `${plansPath}?from=${day}&to=${day}`, 'Route Plans')
    await page.getByRole('link', { name: made }).click()
    await page.getByRole('heading', { name: made, level: 1 }).waitFor()
    await page.getByRole('region', { name: 'Next stop' }).getByRole('heading', { name: 'Kiosk A' }).waitFor()
    const path = new URL(page.url()).pathname
    await page.reload()
    await page.getByRole('region', { name: 'Next stop' }).getByRole('heading', { name: 'Kiosk A' }).waitFor()
    await open(page, `${plansPath}/map-overview?date=${day}`, 'Routes of the day')
    await page.getByRole('link', { name: made }).first().waitFor()
    await page.getByRole('link', { name: shared }).first().waitFor()
    await open(page, path.replace('/map-view', '/edit'), 'Edit route plan')
    await showPart(page, 'Stops')
    await page.getByRole('button', { name: 'More for Kiosk B' }).click()
    await page.getByRole('menuitem', { name: 'Take out of the plan' }).click()
    await page.getByRole('button', { name: 'Save plan' }).click()
    await page.getByText('The plan is saved on this device').first().waitFor()
  })

  it('keep what the office did to the same plan meanwhile, each once', async () => {
    const { page } = leader
    await open(page, `${plansPath}/${sharedId}/edit`, 'Edit route plan')
    await page
      .getByRole('region', { name: 'Unplanned activities' })
      .getByLabel(/^Kiosk B/)
      .check()
    await page.getByRole('button', { name: 'Add 1 to the plan' }).click()
    await page.getByRole('button', { name: 'Save plan' }).click()
    await page.getByText('The plan is saved on this device').first().waitFor()
    const [, , , fourth, fifth] = activities
    const { status, text } = await manage('PUT', `/api/activities/activity-plan/${sharedId}`, {
      notes: 'Gate code 4711',
      stops: [fourth, fifth].map((one) => ({ activityId: one?.Id, userId: leaderId, day })),
    })
    expect(status, text).toBe(200)
    await leader.setOffline(false)
    await soon(async () => (await planNamed(made)).map(namesOf)).toEqual([['Kiosk A']])
    await soon(async () => (await planNamed(shared)).map(namesOf)).toEqual([['Kiosk D', 'Kiosk B', 'Kiosk E']])
    expect(await planNamed(made)).toMatchObject([{ status: 'PENDING' }])
    expect(await planNamed(shared)).toMatchObject([{ notes: 'Gate code 4711' }])
    await open(page, `${plansPath}/${sharedId}/map-view`, shared)
    await soon(() => page.getByRole('list', { name: 'Stops' }).innerText()).toMatch(/Kiosk D[\s\S]*Kiosk B[\s\S]*Kiosk E/)
  })
})
