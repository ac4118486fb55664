import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CustomView } from '@outpost/contract/views'
import { testApp, type SignedInClient, type TestApp } from '../../support/app.ts'
import type { MadeTenant } from '../../support/make.ts'

interface Entry {
  Id: string
  title: string
  start: string
  end: string
  note: string
}

let app: TestApp
let company: MadeTenant
let branch: MadeTenant
let officer: SignedInClient
let officerId: string
let manager: SignedInClient
let neighbour: SignedInClient
let stranger: SignedInClient

const base = '/api/activities/calendar-layers'
const ask = async (by: SignedInClient, layer: string, window: { startDate: string; endDate: string }) => {
  const answer = await by.get<{ entries: Entry[] }>(
    `${base}/${layer}?startDate=${encodeURIComponent(window.startDate)}&endDate=${encodeURIComponent(window.endDate)}`,
  )
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.entries
}
/** A lead whose consent came at that moment. */
const consented = async (at: string, more: object = {}) =>
  (await app.make.lead({ tenant: branch, firstName: 'Wanjiru', lastName: 'Kamau', consentDate: at, consentStatus: 'GRANTED', ...more })).id
/** Someone with these permissions and no others. */
const withOnly = async (...permissions: string[]) => {
  const role = await app.make.role({ company, name: `Only ${permissions.join()} ${randomUUID()}`, permissions })
  return app.as(await app.make.user({ role, tenant: branch }))
}
const day = { startDate: '2026-03-10', endDate: '2026-03-10' }

beforeAll(async () => {
  app = await testApp()
  const { make } = app
  company = await make.company()
  branch = await make.tenant({ company })
  const sibling = await make.tenant({ company })
  const elsewhere = await make.tenant({ company: await make.company() })
  const person = await make.user({ role: 'officer', tenant: branch })
  officerId = person.id
  officer = await app.as(person)
  manager = await app.as(await make.user({ role: 'branch', tenant: branch }))
  neighbour = await app.as(await make.user({ role: 'branch', tenant: sibling }))
  stranger = await app.as(await make.user({ role: 'admin', tenant: elsewhere }))
})
afterAll(() => app.close())

describe('a layer of the calendar', () => {
  it('holds the dates of the asked days, in the company’s time zone, within the caller’s reach', async () => {
    // Nairobi is three hours ahead: 21:30 UTC of the 9th is the 10th there, 21:30 UTC of the 10th the 11th.
    const early = await consented('2026-03-09T21:30:00Z')
    const late = await consented('2026-03-10T20:59:00Z')
    await consented('2026-03-10T21:30:00Z')
    await consented('2026-03-09T20:30:00Z')
    await consented('2026-03-10T09:00:00Z', { deletedAt: '2026-03-11T09:00:00Z' })
    const entries = await ask(officer, 'leadConsent', day)
    expect(entries.map(({ Id }) => Id)).toEqual([early, late])
    expect(entries[0]).toMatchObject({ title: 'Wanjiru Kamau', note: 'GRANTED' })
    expect((await ask(manager, 'leadConsent', day)).map(({ Id }) => Id)).toEqual([early, late])
    expect(await ask(neighbour, 'leadConsent', day)).toEqual([])
    expect(await ask(stranger, 'leadConsent', day)).toEqual([])
    expect(
      (await ask(officer, 'leadConsent', { startDate: '2026-03-10T20:00:00Z', endDate: '2026-03-10T21:00:00Z' })).map(({ Id }) => Id),
    ).toEqual([late])
  })

  it('of days reaches as far as the record does', async () => {
    await app.make.plan({ tenant: branch, name: 'Westlands round', startDate: '2026-04-06', endDate: '2026-04-08' })
    const names = async (startDate: string, endDate: string) =>
      (await ask(manager, 'routePlans', { startDate, endDate })).map(({ title, start, end }) => `${title} ${start} ${end}`)
    expect(await names('2026-04-08', '2026-04-20')).toEqual(['Westlands round 2026-04-06 2026-04-08'])
    expect(await names('2026-04-01', '2026-04-06')).toHaveLength(1)
    expect([await names('2026-04-09', '2026-04-20'), await names('2026-04-01', '2026-04-05')]).toEqual([[], []])
    expect(await ask(neighbour, 'routePlans', { startDate: '2026-04-01', endDate: '2026-04-30' })).toEqual([])
  })

  it('is refused without its permission, an unknown one and days the wrong way round are 422', async () => {
    const watcher = await withOnly('SALES/ACTIVITIES/CALENDAR')
    expect((await watcher.get(`${base}/leadConsent?startDate=2026-03-10&endDate=2026-03-10`)).status).toBe(403)
    const nobody = await withOnly('SALES/LEADS')
    expect((await nobody.get(`${base}/leadConsent?startDate=2026-03-10&endDate=2026-03-10`)).status).toBe(403)
    for (const wrong of [
      'birthdays?startDate=2026-03-10&endDate=2026-03-10',
      'leadConsent?startDate=2026-03-10',
      'leadConsent?startDate=2026-03-10&endDate=soon',
      'groupMeetings?startDate=2026-03-10&endDate=2027-05-10',
    ]) {
      expect((await officer.get(`${base}/${wrong}`)).status, wrong).toBe(422)
    }
    const turned = await officer.get<never>(`${base}/leadConsent?startDate=2026-03-11&endDate=2026-03-10`)
    expect([turned.status, turned.text]).toEqual([422, expect.stringContaining('lies before the start')])
  })
})

describe('the layer of group meetings', () => {
  it('holds the meetings of groups in reach by their calendars, moved ones where they are, none that are left out', async () => {
    // Tuesdays at 22:30 UTC are Wednesdays at 01:30 in Nairobi.
    const made = await officer.post<{ clientGroup: { Id: string } }>('/api/client-groups', {
      name: 'Tumaini',
      minMembers: 2,
      meetingStart: '2026-03-03T22:30:00.000Z',
      meetingRule: 'FREQ=WEEKLY',
      meetingPlace: 'Church hall',
      meetingChanges: [
        { meetingOn: '2026-03-18', movedTo: '2026-03-20T07:00:00.000Z', reason: 'Holiday' },
        { meetingOn: '2026-03-25', reason: 'Elections' },
      ],
    })
    expect(made.status, made.text).toBe(200)
    const { Id } = made.body.data.clientGroup
    const month = { startDate: '2026-03-11', endDate: '2026-04-01' }
    expect(await ask(officer, 'groupMeetings', month)).toEqual(
      ['2026-03-10T22:30:00.000Z', '2026-03-20T07:00:00.000Z', '2026-03-31T22:30:00.000Z'].map((start) => ({
        Id,
        title: 'Tumaini',
        start,
        end: start,
        note: 'Church hall',
      })),
    )
    for (const other of [neighbour, stranger]) expect(await ask(other, 'groupMeetings', month)).toEqual([])
    const blind = await withOnly('SALES/ACTIVITIES/CALENDAR')
    expect((await blind.get(`${base}/groupMeetings?startDate=2026-03-11&endDate=2026-03-11`)).status).toBe(403)
    expect((await officer.post(`/api/client-groups/${Id}/move`, { move: 'close', reason: 'Split up' })).status).toBe(200)
    expect(await ask(officer, 'groupMeetings', month)).toEqual([])
  })
})

describe('the screen of the calendar', () => {
  const screen = async (by: SignedInClient) => await by.get<{ view: CustomView }>('/api/console/screens/sales-activities-calendar')
  it('offers the layers and deeds that the caller is permitted', async () => {
    const { data } = (await screen(officer)).body.data.view
    expect(data).toMatchObject({ mayEdit: true, mayCreate: true })
    expect((data.layers as { key: string }[]).map(({ key }) => key)).toEqual([
      'leadConsent',
      'leadAffordability',
      'leadCaptured',
      'routePlans',
      'groupMeetings',
    ])
    const watcher = await withOnly('SALES/ACTIVITIES/CALENDAR')
    expect((await screen(watcher)).body.data.view.data).toEqual({ layers: [], hasOwnWork: false, mayEdit: false, mayCreate: false })
  })
  it('knows who has own work to begin with', async () => {
    expect((await screen(officer)).body.data.view.data).toMatchObject({ hasOwnWork: false })
    const start = Date.now() + 86_400_000
    const made = await officer.post('/api/activities', {
      name: 'Visit',
      startDate: new Date(start).toISOString(),
      endDate: new Date(start + 3_600_000).toISOString(),
    })
    expect(made.status, made.text).toBeLessThan(300)
    const { Id } = (made.body.data as { activity: { Id: string } }).activity
    await officer.post('/api/activities/assignment', { activityId: Id, userId: officerId })
    expect((await screen(officer)).body.data.view.data).toMatchObject({ hasOwnWork: true })
    expect((await screen(manager)).body.data.view.data).toMatchObject({ hasOwnWork: false })
  })
})
