import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SignedInClient } from '../../support/app.ts'
import { workAlways } from '../../support/at-work.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
  await workAlways(world.app.make, world.company.id)
})
afterAll(() => world.app.close())

interface ActionRow {
  Id: string
  action: number
  agentName: string
  performedByUserId: string
  latitude: number | null
  source: string
  isAutomatic: boolean
}
/** A day of the company, which is in Kenya. */
const day = (offset = 0) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(Date.now() + offset * 86_400_000)
const nairobi = { latitude: -1.2921, longitude: 36.8219, accuracy: 15 }
const rowsOf = async (text: string, ...values: unknown[]) =>
  (await world.app.database.admin.query(text, values)).rows as Record<string, unknown>[]
const choose = (id: string, values: object) => world.as.admin.put(`/api/settings/${id}`, values)
const log = (by: SignedInClient, body: object) => by.post<{ agentAction: ActionRow[] }>('/api/agent/action', body)
const history = async (by: SignedInClient, more = '') =>
  (await by.get<{ agentActions: ActionRow[] }>(`/api/agent/actions/${day(-2)}/${day(1)}${more}`)).body.data.agentActions

describe('starting and ending the day', () => {
  it('is kept with its tracking record, once however often it is sent', async () => {
    const Id = randomUUID()
    for (let sent = 0; sent < 3; sent += 1)
      expect((await log(world.as.officer, { Id, action: 1, location: { ...nairobi, source: 'cached', battery: 55 } })).status).toBe(200)
    expect(await rowsOf('select action, source, latitude, "isAutomatic" from agent_action where id = $1', Id)).toEqual([
      { action: 1, source: 'cached', latitude: '-1.292100', isAutomatic: false },
    ])
    expect(await rowsOf('select source, battery, "entityType", "entityId" from user_position where "entityId" = $1', Id)).toEqual([
      { source: 'cached', battery: 55, entityType: 'agent_action', entityId: Id },
    ])
    expect((await world.as.officer.get<{ agentAction: ActionRow[] }>('/api/agent/action/latest')).body.data.agentAction).toMatchObject([
      { Id, action: 1, source: 'cached' },
    ])
  })

  it('needs a place where the tenant asks for one; 0 and 999 are none', async () => {
    await choose(world.other.id, { locationRule: 'required' })
    const officer = await world.app.as(await world.app.make.user({ tenant: world.other, role: 'officer' }))
    for (const location of [undefined, null, { latitude: 0, longitude: 36.8 }, { latitude: 999, longitude: 999 }]) {
      const { status, body } = await log(officer, { action: 1, location })
      expect([status, body.message]).toEqual([422, 'Enable location access in-order to update activity status and start or stop your day!'])
    }
    expect((await officer.get<{ agentAction: unknown[] }>('/api/agent/action/latest')).body.data.agentAction).toEqual([])
    expect((await log(officer, { action: 1, location: nairobi })).status).toBe(200)
    await choose(world.other.id, { locationRule: null })
  })

  it('says where none was known, and is nobody else’s to log', async () => {
    const { body } = await log(world.as.manager, { action: 1, location: { latitude: 999, longitude: 999 } })
    expect(body.data.agentAction).toMatchObject([{ source: 'none' }])
    const Id = body.data.agentAction[0]?.Id
    expect((await world.as.manager.get(`/api/agent/action/location/${Id}`)).body.data).toMatchObject({
      location: { latitude: 999, longitude: 999, source: 'none', agentName: 'Baraka Manager' },
    })
    expect((await world.as.officer.get(`/api/agent/action/location/${Id}`)).status).toBe(404)
    expect((await world.as.foreign.get(`/api/agent/action/location/${Id}`)).status).toBe(404)
    expect((await log(world.as.manager, { action: 1, performedByUserId: world.people.officer.id })).status).toBe(403)
    expect(fieldsOf(await log(world.as.manager, { action: 4, mood: 'good' }))).toEqual(['action', 'mood'])
  })

  it('is ended by the program at the tenant’s hour when nothing followed', async () => {
    await choose(world.branch.id, { dayEnd: '19' })
    const { body } = await log(world.as.officer, { action: 1 })
    const [job] = await rowsOf(
      `select payload, "runAt" from outbox where type = 'agents.endDay' and payload->>'actionId' = $1`,
      body.data.agentAction[0]?.Id,
    )
    const due = new Date(String(job?.['runAt']))
    expect([due.getUTCHours(), due.getUTCMinutes(), due > new Date(), +due - Date.now() <= 86_400_000]).toEqual([16, 0, true, true])
    const { endDayJob } = await import('../../../apps/server/src/areas/agents/end-of-day.job.ts')
    const { makeJobCtx } = await import('../../../apps/server/src/kernel/session/jobs.ts')
    const run = async () => {
      const ctx = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
      await ctx.transaction((inner) =>
        endDayJob.run(inner, job?.['payload'] as never, { id: randomUUID(), attempt: 1, signal: new AbortController().signal }),
      )
    }
    await run()
    await run()
    const [latest] = (await world.as.officer.get<{ agentAction: ActionRow[] }>('/api/agent/action/latest')).body.data.agentAction
    expect(latest).toMatchObject({ action: 0, isAutomatic: true, source: 'none' })
    expect((await history(world.as.officer)).filter(({ isAutomatic }) => isAutomatic)).toHaveLength(1)
    const { notifications } = (
      await world.as.officer.get<{ notifications: { message: string }[] }>('/api/notification/unreadnotifications')
    ).body.data
    expect(notifications.map(({ message }) => message)).toContain('Your day was ended for you. Start it again if you are still at work.')
  })
})

describe('the history', () => {
  it('shows agents their own actions, managers those of their reach, strangers none', async () => {
    await log(world.as.elsewhere, { action: 1 })
    const own = await history(world.as.officer)
    expect(own.length).toBeGreaterThan(0)
    expect(new Set(own.map(({ performedByUserId }) => performedByUserId))).toEqual(new Set([world.people.officer.id]))
    const seen = new Set((await history(world.as.manager)).map(({ performedByUserId }) => performedByUserId))
    expect([seen.has(world.people.officer.id), seen.has(world.people.elsewhere.id)]).toEqual([true, false])
    expect((await history(world.as.admin)).some(({ performedByUserId }) => performedByUserId === world.people.elsewhere.id)).toBe(true)
    expect(await history(world.as.foreign)).toEqual([])
  })

  it('is paged, searched and filtered, and whole when it is downloaded', async () => {
    const first = await world.as.admin.get<{ agentActions: ActionRow[] }>(`/api/agent/actions/${day(-2)}/${day(1)}?page=1&size=2`)
    expect([first.body.data.agentActions.length, first.body.meta?.size]).toEqual([2, 2])
    const all = await history(world.as.admin)
    expect(await history(world.as.admin, '?size=2&download=true')).toHaveLength(all.length)
    const found = await history(world.as.admin, '?search=chidi%20officer')
    expect(new Set(found.map(({ agentName }) => agentName))).toEqual(new Set(['Chidi Officer']))
    const filter = JSON.stringify([{ field: 'action', op: 'eq', value: '0' }])
    expect(new Set((await history(world.as.admin, `?filter=${encodeURIComponent(filter)}`)).map(({ action }) => Number(action)))).toEqual(
      new Set([0]),
    )
    expect(await world.as.admin.get(`/api/agent/actions/${day(-400)}/${day(-399)}`)).toMatchObject({
      status: 200,
      body: { data: { agentActions: [] }, meta: { total: 0, size: 1_000_000 } },
    })
    expect(fieldsOf(await world.as.admin.get('/api/agent/actions/never/2026-01-01'))).toEqual(['from'])
    expect(
      (await world.as.manager.get<{ agentActions: ActionRow[] }>('/api/agent/actions?size=5')).body.data.agentActions.length,
    ).toBeGreaterThan(0)
    expect((await world.as.officer.get('/api/agent/actions')).status).toBe(403)
  })

  it('of one agent’s day', async () => {
    const path = `/api/agent/${world.people.officer.id}/${day()}`
    expect((await world.as.manager.get<{ agentActions: ActionRow[] }>(path)).body.data.agentActions.length).toBeGreaterThan(0)
    for (const who of [world.as.elsewhere, world.as.foreign])
      expect((await who.get<{ agentActions: ActionRow[] }>(path)).body.data.agentActions).toEqual([])
    expect(
      (await world.as.manager.get<{ agentActions: ActionRow[] }>(`/api/agent/${world.people.officer.id}/${day(-30)}`)).body.data
        .agentActions,
    ).toEqual([])
    expect(fieldsOf(await world.as.manager.get('/api/agent/nobody/today'))).toEqual(['date', 'id'])
  })
})

describe('the summary by region', () => {
  interface Region {
    region_name: string
    agents: number
    days_started: number
    days_open: number
    hours: number
    activities: number
    done: number
    leads: number
  }
  const summary = (by: SignedInClient, more = '') => by.get<{ summaryReport: Region[] }>(`/api/agent/summary-report${more}`)

  it('adds up what the agents of each branch did', async () => {
    const hour = 3_600_000
    const { id: performedByUserId, companyId } = await world.app.make.user({ tenant: world.other, role: 'officer' })
    // A start that was followed by an end an hour and a half later, on a day of its own.
    const noon = Date.parse(`${day(-40)}T09:00:00Z`)
    for (const [action, at] of [
      [1, noon],
      [0, noon + 1.5 * hour],
      [1, noon + 2 * hour],
      [0, noon + 2.25 * hour],
    ] as const) {
      await world.app.make.row('agent_action', {
        companyId,
        id: randomUUID(),
        tenantId: world.other.id,
        performedByUserId,
        action,
        dateCreated: new Date(at),
      })
    }
    const { body } = await summary(world.as.admin, `?thedate=${day(-40)}&period=day`)
    expect(body.data.summaryReport.find(({ region_name }) => region_name === 'Mombasa')).toMatchObject({
      days_started: 2,
      days_open: 0,
      hours: 1.75,
      activities: 0,
    })
    expect(body.data.summaryReport.map(({ region_name }) => region_name)).toEqual(['Nairobi', 'Mombasa'])
    expect(
      (await summary(world.as.admin, `?thedate=${day(-40)}&period=YEAR&search=momb&sortField=hours`)).body.data.summaryReport,
    ).toHaveLength(1)
    expect((await summary(world.as.admin, '?size=1')).body.meta).toMatchObject({ size: 1, total: 2 })
  })

  it('is cut to the reach, and for managers', async () => {
    expect((await summary(world.as.manager, '?period=month')).body.data.summaryReport.map(({ region_name }) => region_name)).toEqual([
      'Nairobi',
    ])
    expect((await summary(world.as.foreign)).body.data.summaryReport).toEqual([])
    expect((await summary(world.as.officer)).status).toBe(403)
    expect(fieldsOf(await summary(world.as.admin, '?period=hour&sortField=name'))).toEqual(['period', 'sortField'])
  })
})

describe('stats', () => {
  it('count what waits for an agent and for nobody, and agents with and without a team', async () => {
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const make = async (assignedUsers: string[]) =>
      expect(
        (await world.as.manager.post('/api/activities', { name: 'Visit', startDate: at(1), endDate: at(2), assignedUsers })).status,
      ).toBe(200)
    await make([world.people.officer.id])
    await make([world.people.officer.id, world.people.manager.id])
    await make([])
    // One that nobody has any more: made without agents it would be its maker's.
    await world.app.database.admin.query(
      'delete from activity_assignment where "userId" = $1 and "activityId" not in (select "activityId" from activity_assignment where "userId" = $2)',
      [world.people.manager.id, world.people.officer.id],
    )
    expect((await world.as.manager.get(`/api/stats/agent/${world.people.officer.id}`)).body.data).toEqual({
      stats: { assignedActivities: 2, unassignedActivities: 1 },
    })
    expect((await world.as.admin.get(`/api/stats/team/${world.people.manager.id}`)).body.data).toEqual({
      stats: { assignedAgents: 1, unassignedAgents: 0 },
    })
    expect((await world.as.admin.get(`/api/stats/${world.people.admin.id}`)).body.data).toMatchObject({
      stats: { assignedAgents: 1, unassignedAgents: 3 },
    })
  })

  it('are zero when there is no user, and nobody’s business beyond the reach', async () => {
    for (const none of ['00000000-0000-0000-0000-000000000000', 'undefined', 'null']) {
      expect((await world.as.officer.get(`/api/stats/${none}`)).body.data).toEqual({
        stats: { assignedActivities: 0, unassignedActivities: 0, assignedAgents: 0, unassignedAgents: 0 },
      })
      expect((await world.as.officer.get(`/api/stats/agent/${none}`)).body.data).toEqual({
        stats: { assignedActivities: 0, unassignedActivities: 0 },
      })
      expect((await world.as.officer.get(`/api/stats/team/${none}`)).body.data).toEqual({
        stats: { assignedAgents: 0, unassignedAgents: 0 },
      })
    }
    expect((await world.as.officer.get(`/api/stats/agent/${world.people.manager.id}`)).status).toBe(403)
    expect((await world.as.foreign.get(`/api/stats/agent/${world.people.officer.id}`)).status).toBe(404)
    expect(fieldsOf(await world.as.officer.get('/api/stats/nobody'))).toEqual(['userId'])
  })
})

describe('where agents are', () => {
  it('on the manager’s map with the newest position and how it was known', async () => {
    await world.as.officer.post('/api/usertracking', { ...nairobi, battery: 40, deviceTime: new Date().toISOString() })
    interface Agent {
      Id: string
      source: string
      latitude: number | null
      isOnline: boolean
      battery: number | null
    }
    const agents = async (by: SignedInClient) => (await by.get<{ agents: Agent[] }>('/api/agent/positions')).body.data.agents
    const seen = await agents(world.as.manager)
    expect(seen.find(({ Id }) => Id === world.people.officer.id)).toMatchObject({
      latitude: -1.2921,
      source: 'live',
      battery: 40,
      isOnline: false,
    })
    expect(seen.map(({ Id }) => Id)).not.toContain(world.people.elsewhere.id)
    expect((await agents(world.as.admin)).find(({ Id }) => Id === world.people.elsewhere.id)).toMatchObject({
      latitude: null,
      source: 'none',
      isOnline: true,
    })
    expect(await agents(world.as.foreign)).toEqual([])
    // The dashboard's number is as many as are at work on the map that it opens.
    for (const by of [world.as.admin, world.as.manager]) {
      const { body } = await by.get<{ tiles: Record<string, { value: number; open: string }> }>('/api/home/figures')
      const atWork = (await agents(by)).filter(({ isOnline }) => isOnline).length
      expect(body.data.tiles['agents-online']).toMatchObject({ value: atWork, open: '/sales/agents/map?show=online' })
    }
    const { body: own } = await world.as.officer.get<{ tiles: object }>('/api/home/figures')
    expect(Object.keys(own.data.tiles)).not.toContain('agents-online')
    expect((await world.as.officer.get('/api/agent/positions')).status).toBe(403)
  })

  it('along the day: events in order, visits, track and kilometres without the doubtful', async () => {
    const who = world.as.elsewhere
    const dayOf = (time: number) => new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(time)
    // The track is of yesterday's noon, so that no midnight falls into it.
    const yesterday = dayOf(Date.now() - 86_400_000)
    const minutesAgo = (minutes: number) => new Date(Date.parse(`${yesterday}T12:00:00+03:00`) - minutes * 60_000).toISOString()
    const positions = [
      [8, 0],
      [6, 0.009],
      [4, 0.018],
      [2, 0.018],
    ].map(([minutes = 0, north = 0]) => ({ latitude: -1.3 + north, longitude: 36.8, accuracy: 10, deviceTime: minutesAgo(minutes) }))
    await who.post('/api/usertracking', { positions })
    await who.post('/api/usertracking', { latitude: -4.05, longitude: 39.67, accuracy: 10, deviceTime: minutesAgo(1) })
    await who.post('/api/leads', { firstName: 'Wanjiru', lastName: 'Kamau', phonenumber: '0700123456' })
    interface Day {
      agent: { name: string }
      events: { kind: string; at: string }[]
      track: { flags: string[] }[]
      totals: { km: number; hours: number }
    }
    const pathOf = (day: string) => `/api/agent/timeline/${world.people.elsewhere.id}/${day}`
    const path = pathOf(yesterday)
    const { body } = await who.get<Day>(path)
    const events = [...body.data.events, ...(await who.get<Day>(pathOf(dayOf(Date.now())))).body.data.events]
    expect(body.data.agent.name).toBe('Dalia Elsewhere')
    expect(events.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['start', 'lead']))
    expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted())
    expect([body.data.track.length, body.data.track.at(-1)?.flags]).toEqual([5, ['teleport']])
    expect(body.data.totals.km).toBe(2)
    expect((await world.as.admin.get(path)).status).toBe(200)
    expect((await world.as.manager.get(path)).status).toBe(404)
    expect((await world.as.officer.get(path)).status).toBe(403)
  })
})

describe('places', () => {
  interface Found {
    address: string | null
    distance: number | null
    place: { name: string; countryCode: string } | null
  }
  it('name the nearest with its distance, and nothing in the middle of the sea', async () => {
    const at = async (lat: number, lng: number) =>
      (await world.as.officer.get<Found>(`/api/usertracking/geo_address/${lat}/${lng}`)).body.data
    expect(await at(-1.2833, 36.8167)).toMatchObject({ address: 'Nairobi, Kenya', place: { name: 'Nairobi', countryCode: 'KE' } })
    const far = await at(-2.3, 37.9)
    expect(far.address).toMatch(/^\d+(\.\d)? km from .+, Kenya$/)
    expect(far.distance).toBeGreaterThan(1_000)
    expect(await at(-30, -30)).toEqual({ address: null, place: null, distance: null })
    expect((await world.as.officer.get('/api/usertracking/geo_address/0/36.8')).body).toMatchObject({
      message: 'No position available',
      details: { code: 101 },
    })
    expect(fieldsOf(await world.as.officer.get('/api/usertracking/geo_address/north/36'))).toEqual(['lat'])
  })

  it('are found by name, the caller’s country first, whatever the accents', async () => {
    interface Lookup {
      places: { name: string; countryCode: string }[]
      latitude: number | null
    }
    const find = async (text: string) =>
      (await world.as.officer.get<Lookup>(`/api/usertracking/geo_lat/${encodeURIComponent(text)}`)).body.data
    expect((await find('kisumu')).places[0]).toMatchObject({ name: 'Kisumu', countryCode: 'KE' })
    expect((await find('yaounde')).places[0]).toMatchObject({ countryCode: 'CM' })
    expect(await find('zzzzqq')).toEqual({ places: [], latitude: null, longitude: null })
    expect(fieldsOf(await world.as.officer.get('/api/usertracking/geo_lat/x'))).toEqual(['text'])
  })
})
