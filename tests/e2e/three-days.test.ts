import { mkdtempSync, rmSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { Page } from 'playwright'
import { addDays, dayOf, timeAt } from '@outpost/rules/time-zone'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { launchBrowser, launchProfile } from '../console/support/browser.ts'
import { contextOf, follow, openPerson, signInFor, type Person } from '../support/browser.ts'
import { callAs, type Call } from './support/calls.ts'
import { fingerprintOf, withoutList } from './support/fingerprint.ts'
import { finishRunning, isKept, takePhoto, visitState } from './support/field.ts'
import { expectSound } from './support/look.ts'
import { awayFromMidnight } from './support/midnight.ts'
import { takeStep } from './support/planning.ts'

/** By a name: fingerprints are not made for addresses of numbers. */
const url = inject('outpostUrl').replace('127.0.0.1', 'localhost')
const zone = 'Africa/Nairobi'
const companyId = demoId('sunrise')
const officerId = demoId('sunrise officer')
await awayFromMidnight(zone, 12)
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
/** An activity that the phone makes on the first day. */
let madeId = ''
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

interface Reported {
  userId: string
  pendingCount: number
  pendingFiles: number
  openLetters: number
  state: string
  why: string
}

/** What the office knows of the officer's phone. Signed in anew: the reach moves with the team. */
async function reported(): Promise<Reported | undefined> {
  const look = await callAs(url, 'admin@sunrise.test')
  const { body } = await look('GET', '/api/sync/devices?size=200&sortField=lastSeen&sortOrder=DESC')
  return (body.data as { devices: Reported[] }).devices.find(({ userId }) => userId === officerId)
}

/** An administrator looks which devices hold unsent work, and why. */
async function seeFromOffice(): Promise<void> {
  const browser = await launchBrowser()
  const admin = await openPerson(browser, { url, width: 1440, height: 900 })
  await signInFor(admin, 'admin@sunrise.test', '/admin/work-devices')
  const row = admin.page.locator('.ant-table-row', { hasText: 'The server could not take them' })
  await row.getByText('Holds unsent work').waitFor()
  await expectSound(admin, 'devices with unsent work')
  expect(admin.faults).toEqual([])
  await browser.close()
}

/** What lies on the phone and was not sent, counted without its key. */
const waitingOn = (page: Page): Promise<{ changes: number; photos: number }> =>
  page.evaluate(async () => {
    const heard = <Value>(request: IDBRequest<Value>) =>
      new Promise<Value>((done, refuse) => {
        request.onsuccess = () => done(request.result)
        request.onerror = () => refuse(request.error)
      })
    const counts = { changes: 0, photos: 0 }
    for (const { name = '' } of await indexedDB.databases()) {
      if (!name.startsWith('outpost:')) continue
      const database = await heard(indexedDB.open(name))
      counts.changes += await heard(database.transaction('log').objectStore('log').count())
      counts.photos += await heard(database.transaction('blobs').objectStore('blobs').count())
      database.close()
    }
    return counts
  })

async function capture(first: string, phone: string): Promise<void> {
  const { page } = officer
  await open(page, '/sales/leads/create', 'New lead')
  await page.getByLabel('First name').fill(first)
  await page.getByLabel('Last name').fill('Threedays')
  await page.getByLabel('Phone', { exact: true }).fill(phone)
  await page.getByRole('button', { name: /^Save/ }).click()
  await page.getByText('Saved on this device').first().waitFor()
}

/** Anew for each part: a token lasts ten minutes. */
async function signInOffice(): Promise<void> {
  ;[manage, administrate] = [await callAs(url, 'branch@sunrise.test'), await callAs(url, 'admin@sunrise.test')]
}

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 3 })
  await signInOffice()
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
})
afterAll(async () => {
  await signInOffice()
  await administrate('PUT', `/api/tenants/${team.id}`, { parentId: team.parentId })
  await office.query('delete from passkey where "userId" = $1', [officerId])
  await officer.context.close()
  await office.end()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => expect(officer.faults.splice(0)).toEqual([]))

describe('three days without a connection and two restarts', () => {
  it('begin with a fingerprint, and with what the phone took along', async () => {
    const { page } = officer
    await withoutList(officer)
    await signInFor(officer, 'officer@sunrise.test', '/profile')
    await page.evaluate(() => navigator.serviceWorker.ready)
    const card = page.getByRole('region', { name: 'Fingerprint and passkeys' })
    await card.getByRole('button', { name: 'Add a passkey' }).click()
    await card.getByLabel('Name of the passkey').fill('Phone of three days')
    await card.getByLabel('Your password').fill(demoPassword)
    await fingerprintOf(officer)
    await card.getByRole('button', { name: 'Continue' }).click()
    await card.getByText('not used yet').waitFor()
    // Set before: the page gets it as soon as it is there.
    officer.allow(/WebSocket/, 'its ticket ended with the session, when the page of the sign-out opened it in the same moment')
    await page.goto('/logout')
    await page.waitForURL('**/login**')
    await page.getByRole('button', { name: 'Use fingerprint or passkey' }).click()
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
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
    madeId = /activities\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? ''
  })

  it('day two, after a restart: a visit missed, a case opened, a form filled in, a client captured, a lead changed that the office changes, too', async () => {
    await restart()
    const { page } = officer
    await driveTo(1)
    await takeStep(page, 'Missed', 'Closed for a funeral')
    await soon(() => visitState(page)).toBe('Missed')
    // What was made yesterday is changed and moved on, and the office knows nothing of it yet.
    await page.goto(`/sales/activities/${madeId}/edit`)
    await page.getByLabel('Description').fill('Bring the forms')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Saved on this device').first().waitFor()
    await page.goto(`/sales/activities/${madeId}/visit`)
    await takeStep(page, 'Start visit')
    await soon(() => visitState(page)).toBe('In progress')
    await takeStep(page, 'Complete', 'She comes to the branch')
    await soon(() => visitState(page)).toBe('Done')
    await open(page, '/sales/cases/add', 'New case')
    await page.getByLabel('Title').fill('Achieng has no payslip')
    await page.getByLabel('Lead').click()
    await page.getByLabel('Lead').fill('Achieng')
    await page.locator('.ant-select-item-option:visible', { hasText: 'Achieng Threedays' }).click()
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('link', { name: 'Achieng has no payslip' }).waitFor()
    await open(page, '/forms', 'Forms')
    await page.getByRole('link', { name: 'Shop visit v1' }).click()
    await page.getByLabel('Lead', { exact: true }).click()
    await page.getByLabel('Lead', { exact: true }).fill('Achieng')
    await page.locator('.ant-select-item-option:visible', { hasText: 'Achieng Threedays' }).click()
    await page.getByLabel('What do they sell?').click()
    await page.locator('.ant-select-item-option:visible', { hasText: 'Clothes' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Saved on this device').first().waitFor()
    await page.goto(`/sales/leads/edit/${leadId}`)
    await page.getByLabel('Town').fill('Kisumu')
    await page.getByLabel('Other phone').fill('0712777109')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Saved on this device').first().waitFor()
    await open(page, '/clients/create', 'New client')
    await page.getByLabel('First name').fill('Baraka')
    await page.getByLabel('Last name').fill('Threedays')
    await page.getByLabel('Phone', { exact: true }).fill('0712777103')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByText('Saved on this device').first().waitFor()
  })

  it('day three, after another one: the last visit, while the office edits and the team moves to another branch', async () => {
    await restart()
    const { page } = officer
    await signInOffice()
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
    for (const table of ['lead', 'client']) expect(await rows(`select from ${table} where "lastName" = $1`, ['Threedays'])).toEqual([])
  })

  it('meet a new version of the program on the way back, which costs none of the work that waits (sync fault 16)', async () => {
    const { page } = officer
    const waited = await waitingOn(page)
    expect(waited).toMatchObject({ changes: expect.any(Number), photos: 2 })
    expect(waited.changes).toBeGreaterThan(8)
    officer.allow(/503/, 'the server is busy while the new version arrives')
    // Somebody holds the company's counter: the server takes nothing yet, and says so.
    const busy = await office.connect()
    try {
      await busy.query('begin')
      await busy.query('select from sync_stream where "companyId" = $1 for update', [companyId])
      await appendFile(join(inject('outpostConsole'), 'worker.js'), '\n// deployed while the phone was away')
      await officer.setOffline(false)
      await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update().then(() => undefined))
      const prompt = page.getByRole('dialog', { name: 'Update Available' })
      await prompt.waitFor()
      await soon(reported).toMatchObject({ state: 'unsent', why: 'The server could not take them: it was busy, or failed.' })
      await Promise.all([page.waitForEvent('load'), prompt.getByRole('button', { name: 'OK' }).click()])
      await page.locator('.o-layout').waitFor()
      expect(await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting ?? null)).toBe(null)
      expect(await waitingOn(page)).toEqual(waited)
      await seeFromOffice()
    } finally {
      await busy.query('rollback')
      busy.release()
    }
  })

  it('end with everything at the office, once, and a question where two people meant different things', async () => {
    const { page } = officer
    await open(page, '/agents/landingpage', 'My Work')
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
    await soon(() =>
      rows(
        `select a."name", a."summary" from web_form_answer a join lead l on l."companyId" = a."companyId" and l."id" = a."leadId" where l."lastName" = 'Threedays'`,
        [],
      ),
    ).toEqual([{ name: 'Shop visit', summary: 'What do they sell?: Clothes' }])
    await soon(() => rows('select "firstName", "phonenumber" from client where "lastName" = $1', ['Threedays'])).toEqual([
      { firstName: 'Baraka', phonenumber: '0712777103' },
    ])
    await soon(() => rows('select "lastName", "city", "contactNumber" from lead where "id" = $1', [leadId])).toEqual([
      { lastName: 'Decided', city: 'Nyeri', contactNumber: '0712777109' },
    ])
    await open(page, '/offline/attention', 'Needs attention')
    await page.getByText('Office: Nyeri').waitFor()
    await expectSound(officer, 'the question')
    await page.getByText('Mine: Kisumu').click()
    await soon(() => page.getByRole('radio', { name: /Kisumu/ }).isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Send my values' }).click()
    await soon(() => rows('select "city" from lead where "id" = $1', [leadId])).toEqual([{ city: 'Kisumu' }])
    await page.getByText('All clear').waitFor()
    await soon(() =>
      rows(
        `select v."description", s."meaning", (select count(*)::int from record_move m where m."objectId" = v."id" and m."isFirst") as moves
        from activity v join activity_status s on s."companyId" = v."companyId" and s."id" = v."statusId" where v."name" = 'Call Achieng back'`,
        [],
      ),
    ).toEqual([{ description: 'Bring the forms', meaning: 'done', moves: expect.any(Number) }])
    // The office sees the device with nothing left to send.
    await soon(reported).toMatchObject({ pendingCount: 0, pendingFiles: 0, openLetters: 0, state: 'sent', why: '' })
  })
})
