import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Page } from 'playwright'
import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { launchProfile } from '../console/support/browser.ts'
import { contextOf, follow, signIn, type Person } from '../support/browser.ts'
import { callAs, type Call } from './support/calls.ts'
import { finishRunning, isKept, takePhoto, visitState } from './support/field.ts'
import { expectSound } from './support/look.ts'
import { takeStep } from './support/planning.ts'

const url = inject('outpostUrl')
const zone = 'Africa/Nairobi'
const companyId = demoId('sunrise')
const officerId = demoId('sunrise officer')
const today = dayOf(Date.now(), zone)
const days = [today, addDays(today, 1), addDays(today, 2)] as const
const stops = ['Kamau stall, day one', 'Kamau store, day two', 'Kamau yard, day three']
const folder = mkdtempSync(join(tmpdir(), 'outpost-phone-'))
let office: pg.Pool
let manage: Call
let administrate: Call
let officer: Person
let planId = ''
let leadId = ''
let team: { id: string; parentId: string } = { id: '', parentId: '' }
const ids: string[] = []

const rows = async (text: string, values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows
/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })
const expectDone = ({ status, text }: { status: number; text: string }) => expect(status, text).toBe(200)
const dataOf = <Data>({ body }: { body: Record<string, unknown> }) => body.data as Data

/** The phone is switched on: the same profile in a new browser. */
async function switchOn(): Promise<void> {
  officer = await follow(await launchProfile(folder, contextOf({ url, width: 390, height: 844, hasWorker: true })))
  await officer.context.grantPermissions(['geolocation'], { origin: url })
  await officer.context.setGeolocation({ latitude: -1.2921, longitude: 36.8219, accuracy: 8 })
}

/** Battery empty, no network when it is charged: the password opens what the device holds. */
async function restart(): Promise<void> {
  await officer.context.close()
  await switchOn()
  await officer.setOffline(true)
  const { page } = officer
  await page.goto('/login')
  await page.getByLabel('E-mail or user name').fill('officer@sunrise.test')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
}

async function open(page: Page, path: string, heading: string): Promise<void> {
  await page.goto(path)
  await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
}

/** From the route of a day to its visit. */
async function driveTo(place: number): Promise<void> {
  const { page } = officer
  await open(page, `/sales/activities/activity-plan/${planId}/map-view?day=${days[place]}`, 'Three days')
  const next = page.getByRole('region', { name: 'Next stop' })
  await next.getByRole('heading', { name: stops[place] ?? '' }).waitFor()
  await next.getByRole('link', { name: 'Open, change status' }).click()
  await page.locator('.av h1', { hasText: stops[place] ?? '' }).waitFor()
}

async function capture(first: string, phone: string): Promise<void> {
  const { page } = officer
  await open(page, '/sales/leads/create', 'New lead')
  await page.getByLabel('First name').fill(first)
  await page.getByLabel('Last name').fill('Threedays')
  await page.getByLabel('Phone', { exact: true }).fill(phone)
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Saved on this device').first().waitFor()
}

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
  ;[manage, administrate] = [await callAs(url, 'branch@sunrise.test'), await callAs(url, 'admin@sunrise.test')]
  await finishRunning(office, manage)
  for (const [place, name] of stops.entries()) {
    const at = timeAt(days[place] ?? today, 10 * 60, zone)
    const made = await manage('POST', '/api/activities', {
      name,
      location: name,
      lat: -1.2921,
      lng: 36.8229,
      startDate: new Date(at).toISOString(),
      endDate: new Date(at + 1_800_000).toISOString(),
      assignedUsers: [officerId],
    })
    expectDone(made)
    ids.push(dataOf<{ activity: { Id: string } }>(made).activity.Id)
  }
  const plan = await manage('POST', '/api/activities/activity-plan', {
    name: 'Three days',
    startDate: days[0],
    endDate: days[2],
    stops: ids.map((activityId, place) => ({ activityId, userId: officerId, day: days[place] })),
  })
  expectDone(plan)
  planId = dataOf<{ activityPlan: { Id: string } }>(plan).activityPlan.Id
  const lead = await (
    await callAs(url, 'officer@sunrise.test')
  )('POST', '/api/leads', {
    firstName: 'Wambui',
    lastName: 'Disputed',
    phonenumber: '0712777101',
    city: 'Thika',
  })
  expectDone(lead)
  leadId = dataOf<{ lead: { Id: string } }>(lead).lead.Id
  ;[team] = (await rows(
    `select t."id", t."parentId" from tenant t join user_tenant u on u."companyId" = t."companyId" and u."tenantId" = t."id" where u."userId" = $1`,
    [officerId],
  )) as [typeof team]
  await switchOn()
}, 60_000)
afterAll(async () => {
  await administrate('PUT', `/api/tenants/${team.id}`, { parentId: team.parentId })
  await officer.context.close()
  await office.end()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => expect(officer.faults.splice(0)).toEqual([]))

describe('three days without a connection and two restarts', () => {
  it('begin with what the phone took along', async () => {
    const { page } = officer
    await signIn(officer, 'officer@sunrise.test')
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.getByRole('button', { name: /^Application is currently online/ }).click()
    await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
    await page.keyboard.press('Escape')
    // Loaded once more, so that every part of the program is kept.
    await page.reload()
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await isKept(page)
    await officer.setOffline(true)
  })

  it('day one: the route, a visit with a photo, a lead, an activity for it', async () => {
    const { page } = officer
    await driveTo(0)
    await takeStep(page, 'Start visit')
    await soon(() => visitState(page)).toBe('In progress')
    await takePhoto(page)
    await takeStep(page, 'Complete', 'Stock is fine')
    await soon(() => visitState(page)).toBe('Done')
    await capture('Achieng', '0712777102')
    await open(page, '/sales/activities/create', 'New activity')
    await page.getByLabel('Name', { exact: true }).fill('Call Achieng back')
    await page.getByLabel('Leads').click()
    await page.getByLabel('Leads').fill('Achieng')
    await page.locator('.ant-select-item-option:visible', { hasText: 'Achieng Threedays' }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('heading', { name: 'Call Achieng back' }).waitFor()
  })

  it('day two, after a restart: a visit missed, a case opened, a lead changed that the office changes, too', async () => {
    await restart()
    const { page } = officer
    await driveTo(1)
    await takeStep(page, 'Missed', 'Closed for a funeral')
    await soon(() => visitState(page)).toBe('Missed')
    await open(page, '/sales/cases/add', 'New case')
    await page.getByLabel('Title').fill('Achieng has no payslip')
    await page.getByLabel('Lead').click()
    await page.getByLabel('Lead').fill('Achieng')
    await page.locator('.ant-select-item-option:visible', { hasText: 'Achieng Threedays' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('link', { name: 'Achieng has no payslip' }).waitFor()
    await page.goto(`/sales/leads/edit/${leadId}`)
    await page.getByLabel('Town').fill('Kisumu')
    await page.getByLabel('Other phone').fill('0712777109')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Saved on this device').first().waitFor()
  })

  it('day three, after another one: the last visit, while the office edits and the team moves to another branch', async () => {
    await restart()
    const { page } = officer
    expectDone(await manage('PUT', `/api/leads/${leadId}`, { city: 'Nyeri', lastName: 'Decided' }))
    expectDone(await manage('PUT', `/api/activities/${ids[2]}`, { description: 'Ask for the yard’s papers' }))
    const [branch] = await rows(`select "id" from tenant where "companyId" = $1 and "type" = 3 and "id" <> $2 order by "name" limit 1`, [
      companyId,
      team.parentId,
    ])
    expectDone(await administrate('PUT', `/api/tenants/${team.id}`, { parentId: branch?.id }))
    await driveTo(2)
    await takeStep(page, 'Start visit')
    await soon(() => visitState(page)).toBe('In progress')
    await takePhoto(page)
    await takeStep(page, 'Complete', 'Papers are in order')
    await soon(() => visitState(page)).toBe('Done')
    await page.getByRole('button', { name: /^Application is currently offline/ }).click()
    await page
      .getByRole('dialog')
      .getByText(/waits?|unsent/i)
      .first()
      .waitFor()
    await expectSound(officer, 'what waits after three days')
    await page.keyboard.press('Escape')
    // Nothing of it is at the office yet.
    expect(await rows('select from lead where "lastName" = $1', ['Threedays'])).toEqual([])
  })

  it('end with everything at the office, once, and a question where two people meant different things', async () => {
    const { page } = officer
    await officer.setOffline(false)
    const visits = () =>
      rows(
        `select v."name", s."meaning", (select count(*)::int from activity_file f where f."activityId" = v."id") as photos
        from activity v join activity_assignment a on a."activityId" = v."id" and a."userId" = $2
        join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId" where v."id" = any($1) order by v."name"`,
        [ids, officerId],
      )
    await soon(visits).toEqual([
      { name: stops[0], meaning: 'done', photos: 1 },
      { name: stops[1], meaning: 'missed', photos: 0 },
      { name: stops[2], meaning: 'done', photos: 1 },
    ])
    await soon(() =>
      rows(
        `select l."firstName", (select count(*)::int from activity_lead x where x."leadId" = l."id") as activities,
          (select array_agg(c."title") from sales_case c where c."leadId" = l."id") as cases from lead l where l."lastName" = 'Threedays'`,
        [],
      ),
    ).toEqual([{ firstName: 'Achieng', activities: 1, cases: ['Achieng has no payslip'] }])
    await soon(() => rows('select "lastName", "city", "contactNumber" from lead where "id" = $1', [leadId])).toEqual([
      { lastName: 'Decided', city: 'Nyeri', contactNumber: '0712777109' },
    ])
    await open(page, '/offline/attention', 'Needs attention')
    await page.getByText('Office: Nyeri').waitFor()
    await expectSound(officer, 'the question')
    await page.getByRole('radio', { name: /Kisumu/ }).check({ force: true })
    await page.getByRole('button', { name: 'Send my values' }).click()
    await soon(() => rows('select "city" from lead where "id" = $1', [leadId])).toEqual([{ city: 'Kisumu' }])
    await page.getByText('All clear').waitFor()
    // The office sees the device with nothing left to send. Signed in once more: the reach has moved with the team.
    const look = await callAs(url, 'admin@sunrise.test')
    const states = async () => {
      const { body } = await look('GET', '/api/sync/devices?size=200&sortField=lastSeen&sortOrder=DESC')
      const { devices } = body.data as { devices: { userId: string; pendingCount: number; openLetters: number; state: string }[] }
      return devices
        .filter(({ userId }) => userId === officerId)
        .map(({ pendingCount, openLetters, state }) => [pendingCount, openLetters, state])
    }
    await soon(async () => (await states())[0]).toEqual([0, 0, 'sent'])
  })
})
