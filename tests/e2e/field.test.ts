import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { callAs, type Call } from './support/calls.ts'
import { expectSound } from './support/look.ts'
import { finishRunning, takePhoto, visitState } from './support/field.ts'
import { takeStep } from './support/planning.ts'

const url = inject('outpostUrl')
const officerId = demoId('sunrise officer')
const names = { first: 'Zawadi stall, Gikomba', second: 'Zawadi workshop, Kariokor', third: 'Zawadi group, Umoja' }
const ids: Record<keyof typeof names, string> = { first: '', second: '', third: '' }
let browser: Browser
let office: pg.Pool
let manage: Call
let officer: Person
let manager: Person

const rows = async (text: string, values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows
const statusOf = async (id: string) =>
  (
    await rows(
      'select s."meaning" from activity_assignment a left join activity_status s on s."companyId" = a."companyId" and s."id" = a."statusId" where a."activityId" = $1 and a."userId" = $2',
      [id, officerId],
    )
  )[0]?.meaning
/** The device looks for the network from time to time, and a loaded machine takes its own. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })

async function plan(key: keyof typeof names, minutes: number): Promise<void> {
  const at = (more: number) => new Date(Date.now() + (minutes + more) * 60_000).toISOString()
  const { status, body, text } = await manage('POST', '/api/activities', {
    name: names[key],
    location: names[key],
    lat: -1.2921,
    lng: 36.8229,
    startDate: at(0),
    endDate: at(20),
    assignedUsers: [officerId],
  })
  if (status !== 200) throw new Error(text)
  ids[key] = (body.data as { activity: { Id: string } }).activity.Id
}

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
  browser = await launchBrowser()
  manage = await callAs(url, 'branch@sunrise.test')
  await finishRunning(office, manage)
  // One day, whatever the hour: all three begin within the same minutes.
  await plan('first', -30)
  await plan('second', -29)
  await plan('third', -28)
  officer = await openPerson(browser, { url, width: 390, height: 844, hasWorker: true })
  await officer.context.grantPermissions(['geolocation'], { origin: url })
  await officer.context.setGeolocation({ latitude: -1.2921, longitude: 36.8219, accuracy: 8 })
  manager = await openPerson(browser, { url, width: 1440, height: 900 })
})
afterAll(async () => {
  await browser.close()
  await office.end()
})
afterEach(() => expect([...officer.faults.splice(0), ...manager.faults.splice(0)]).toEqual([]))

async function openVisit(page: Page, name: string): Promise<void> {
  await page.goto('/agents/landingpage')
  // News of the visit have its name too, and open its record.
  await page.locator('a[href$="/visit"]', { hasText: name }).first().click()
  await page.locator('.av h1', { hasText: name }).waitFor()
}

describe('visits without a connection', () => {
  it('begin with the day on the device', async () => {
    const { page } = officer
    await signIn(officer, 'officer@sunrise.test')
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    await openVisit(page, names.first)
    await page.getByText('110 m away').waitFor()
    await expectSound(officer, 'the visit at 390 px')
    await page.goto('/agents/landingpage')
    await page.getByRole('link', { name: names.third }).first().waitFor()
    // The pull of the day is over when the device says when it was.
    await page.getByRole('button', { name: /^Application is currently online/ }).click()
    await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
    await page.keyboard.press('Escape')
  })

  it('are started, completed with a note and a photo, and missed with a reason, each with the place', async () => {
    const { page } = officer
    await officer.setOffline(true)
    await openVisit(page, names.first)
    await takeStep(page, 'Start visit')
    await soon(() => visitState(page)).toBe('In progress')
    await page.getByText('Position: Live').first().waitFor()
    await openVisit(page, names.second)
    await takeStep(page, 'Start visit')
    await page.getByText(`“${names.first}” is still in progress. Finish it first.`).waitFor()
    await takeStep(page, 'Missed', 'Closed today')
    await soon(() => visitState(page)).toBe('Missed')
    await openVisit(page, names.first)
    await takePhoto(page)
    await takeStep(page, 'Complete', 'Stock counted')
    await soon(() => visitState(page)).toBe('Done')
    await page.getByText('Kept on this device; sent when there is a connection.').waitFor()
    await expectSound(officer, 'a visit that waits')
    expect([await statusOf(ids.first), await statusOf(ids.second)]).toEqual(['open', 'open'])
  })

  it('are still there after a reload without a connection', async () => {
    const { page } = officer
    await page.reload()
    await page.locator('.av h1', { hasText: names.first }).waitFor()
    expect(await visitState(page)).toBe('Done')
    await page.locator('.av-thumb img').waitFor()
    await page.getByText('“Stock counted”').or(page.getByText('Stock counted')).first().waitFor()
  })

  it('reach the office once each when the network is back, photo included, and the manager sees it', async () => {
    await signIn(manager, 'branch@sunrise.test')
    await manager.page.goto(`/sales/activities?search=${encodeURIComponent('Zawadi')}`)
    await manager.page.locator('.record-table .ant-table-row', { hasText: names.first }).waitFor()
    await officer.setOffline(false)
    await soon(async () => [await statusOf(ids.first), await statusOf(ids.second)]).toEqual(['done', 'missed'])
    await soon(() => rows('select from activity_file where "activityId" = $1', [ids.first]).then((found) => found.length)).toBe(1)
    expect(
      (
        await rows('select "meaning" from record_move where "objectId" = $1 and "partId" = $2 order by "meaning"', [ids.first, officerId])
      ).map((row) => row.meaning),
    ).toEqual(['done', 'started'])
    expect(await rows('select "statusReason", "distance" from activity_assignment where "activityId" = $1', [ids.second])).toEqual([
      { statusReason: 'Closed today', distance: 111 },
    ])
    expect(
      (
        await rows('select "source" from user_position where "userId" = $1 and "entityId" = any($2)', [officerId, [ids.first, ids.second]])
      ).map((row) => row.source),
    ).toEqual(['live', 'live', 'live'])
    const files = await rows('select "path", "mimeType", encode("sha256", $2) as sha256 from stored_file where "ownerId" = $1', [
      ids.first,
      'hex',
    ])
    expect(files).toMatchObject([{ mimeType: 'image/jpeg' }])
    const login = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'branch@sunrise.test', password: demoPassword }),
    })
    const {
      data: { token },
    } = (await login.json()) as { data: { token: string } }
    const answer = await fetch(`${url}/api/storage/${String(files[0]?.path).split('/').map(encodeURIComponent).join('/')}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    expect(
      createHash('sha256')
        .update(Buffer.from(await answer.arrayBuffer()))
        .digest('hex'),
    ).toBe(files[0]?.sha256)
    await soon(() => manager.page.locator('.record-table .ant-table-row', { hasText: names.second }).innerText()).toMatch(/missed/i)
    await soon(() => officer.page.locator('.av-thumb').count()).toBe(0)
    await officer.page.getByText('1 at the office').waitFor()
  })

  it('are under Needs attention when the office closed them meanwhile, photo held, until a person decides', async () => {
    const { page } = officer
    await openVisit(page, names.third)
    await officer.setOffline(true)
    await takeStep(page, 'Missed', 'Nobody came')
    await soon(() => visitState(page)).toBe('Missed')
    await takePhoto(page)
    const { body } = await manage('GET', '/api/activities/statuses')
    const done = (body.data as { activityStatuses: { Id: string; meaning: string }[] }).activityStatuses.find(
      ({ meaning }) => meaning === 'done',
    )
    expect(
      (await manage('PUT', '/api/activities/updateAssignmentStatus', { activityId: ids.third, userId: officerId, statusId: done?.Id }))
        .status,
    ).toBe(200)
    await officer.setOffline(false)
    await soon(() =>
      rows('select from sync_dead_letter where "envelope"->>\'entityId\' = $1', [ids.third]).then((found) => found.length),
    ).toBe(1)
    await page.goto('/offline/attention')
    await page.getByRole('heading', { name: `Change of activity: ${names.third}` }).waitFor()
    await page.getByText('Held with the visit it belongs to').waitFor()
    await expectSound(officer, 'needs attention')
    await page.getByRole('button', { name: 'Discard' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByText('All clear').waitFor()
    expect(await statusOf(ids.third)).toBe('done')
    expect(await rows('select from stored_file where "ownerId" = $1', [ids.third])).toEqual([])
  })
})
