import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import type { SignedInClient } from '../../support/app.ts'

interface ActivityRow {
  Id: string
  name: string
  startDate: string
  endDate: string
  seriesId: string | null
  recurrence: string | null
  agentName: string
  meaning: string
}

let world: World
const day = 86_400_000
/** Monday after next, nine o'clock in Nairobi. */
const monday = (() => {
  const now = new Date(Date.now() + 7 * day)
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + ((8 - now.getUTCDay()) % 7 || 7), 6))
})()
const at = (days: number, hours = 0) => new Date(monday.getTime() + days * day + hours * 3_600_000).toISOString()
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.app.database.admin.query<Row>(text, values)).rows
const weekly = { name: 'Weekly', startDate: at(0), endDate: at(0, 1), recurrence: 'FREQ=WEEKLY' }

async function plan(by: SignedInClient, over: object = {}): Promise<ActivityRow> {
  const { status, body, text } = await by.post<{ activity: ActivityRow }>('/api/activities', { ...weekly, ...over })
  expect(status, text).toBe(200)
  return body.data.activity
}
/** Live occurrences of a series, the first first. */
const occurrences = async (seriesId: string | null) =>
  await rows<{ id: string; name: string; startDate: Date; endDate: Date }>(
    'select id, name, "startDate", "endDate" from activity where "seriesId" = $1 and "deletedAt" is null order by "startDate"',
    [seriesId],
  )
const starts = async (seriesId: string | null) => (await occurrences(seriesId)).map(({ startDate }) => startDate.toISOString())

beforeAll(async () => {
  world = await makeWorld()
  for (const [place, meaning] of ['open', 'started', 'done'].entries()) {
    await world.app.make.row('activity_status', {
      companyId: world.company.id,
      id: `0${place}000000-0000-4000-8000-00000000000${place}`,
      tenantId: world.company.id,
      name: meaning,
      meaning,
      default: meaning === 'open',
      position: place,
    })
  }
})
afterAll(() => world.app.close())

describe('a series', () => {
  it.each(['FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30', 'FREQ=DAILY;BYDAY=XX', 'FREQ=constructor'])(
    'of %s is refused at once, and the field named',
    async (recurrence) => {
      const began = process.cpuUsage()
      const { status, body } = await world.as.manager.post('/api/activities', { ...weekly, recurrence })
      expect(status).toBe(422)
      expect(body.fields?.map(({ field }) => field)).toEqual(['recurrence'])
      // One that looks for a thirtieth of February to the end takes minutes.
      expect(process.cpuUsage(began).user).toBeLessThan(2_000_000)
      const series = await plan(world.as.manager)
      expect((await world.as.manager.put(`/api/activities/${series.Id}`, { recurrence, scope: 'all' })).status).toBe(422)
      expect(await rows('select 1 from activity_series where recurrence = $1', [recurrence])).toEqual([])
    },
  )

  it('is stored as activities of their own for 90 days, with agents and leads, each in the feed once', async () => {
    const lead = await world.app.make.lead({ tenant: world.team })
    const made = await plan(world.as.manager, { assignedUsers: [world.people.officer.id], leads: [lead.id] })
    const all = await occurrences(made.seriesId)
    expect(all).toHaveLength(13)
    expect(all.map(({ startDate }) => startDate.toISOString())).toEqual(Array.from({ length: 13 }, (_, week) => at(week * 7)))
    const linked = await rows(
      'select 1 from activity_assignment a join activity_lead l using ("companyId", "activityId") where "activityId" = any($1) and a."userId" = $2',
      [all.map(({ id }) => id), world.people.officer.id],
    )
    expect(linked).toHaveLength(13)
    const feed = await rows<{ id: string }>('select "entityId" as id from sync_feed where op = \'put\' and "entityId" = any($1)', [
      all.map(({ id }) => id),
    ])
    expect(feed).toHaveLength(13)
    expect(await rows('select 1 from notification where "userId" = $1', [world.people.officer.id])).toHaveLength(1)
    const [stream] = await rows<{ seq: string; receipts: string }>(
      'select seq, (select count(*) from sync_receipt r where r."companyId" = s."companyId") as receipts from sync_stream s where "companyId" = $1',
      [world.company.id],
    )
    expect(stream?.receipts).toBe(stream?.seq)
  })

  it('keeps the time of day when the clocks change', async () => {
    const { make } = world.app
    const company = await make.company({ timeZone: 'Europe/Berlin' })
    const admin = await world.app.as(await make.user({ company, role: 'admin' }))
    const year = new Date().getUTCMonth() < 2 ? new Date().getUTCFullYear() : new Date().getUTCFullYear() + 1
    // Summer time begins on the last Sunday of March, the day after the second of three Saturdays.
    const april = Date.UTC(year, 3, 1)
    const lastSunday = april - (new Date(april).getUTCDay() || 7) * 86_400_000
    const saturday = (weeks: number, hour: string) =>
      `${new Date(lastSunday + (7 * weeks - 8) * 86_400_000).toISOString().slice(0, 10)}T${hour}`
    const made = (
      await admin.post<{ activity: ActivityRow }>('/api/activities', {
        name: 'Morning',
        startDate: saturday(0, '08:00:00Z'),
        endDate: saturday(0, '09:00:00Z'),
        recurrence: 'FREQ=WEEKLY;COUNT=3',
      })
    ).body.data.activity
    expect(await starts(made.seriesId)).toEqual([saturday(0, '08:00:00.000Z'), saturday(1, '08:00:00.000Z'), saturday(2, '07:00:00.000Z')])
  })

  it('is topped up by its job, makes none twice and none that was deleted, and ends with its count', async () => {
    const made = await plan(world.as.manager, { name: 'Topped' })
    const before = await occurrences(made.seriesId)
    await world.as.manager.post('/api/activities/delete', { id: before[3]?.id })
    await rows(`update activity_series set "madeUntil" = "startDate" where id = $1`, [made.seriesId])
    const job = world.app.areas.flatMap((area) => area.jobs).find(({ name }) => name === 'activities.topUp')
    const ctx = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
    await ctx.transaction(async (inner) => {
      await job?.run(inner, { seriesId: made.seriesId }, { id: '1', attempt: 1, signal: new AbortController().signal })
    })
    expect(await occurrences(made.seriesId)).toHaveLength(12)
    const waiting = await rows<{ runAt: Date }>(
      `select "runAt" from outbox where type = 'activities.topUp' and payload ->> 'seriesId' = $1`,
      [made.seriesId],
    )
    expect(waiting).toHaveLength(2)
    const counted = await plan(world.as.manager, { recurrence: 'FREQ=DAILY;COUNT=4' })
    expect(await occurrences(counted.seriesId)).toHaveLength(4)
  })
})

describe('changing a series', () => {
  it('this one only', async () => {
    const made = await plan(world.as.manager)
    const [first, second, third] = await occurrences(made.seriesId)
    await world.as.manager.put(`/api/activities/${second?.id}`, { scope: 'this', name: 'Special', startDate: at(8), endDate: at(8, 2) })
    const after = await occurrences(made.seriesId)
    expect(after.slice(0, 3).map(({ name, startDate }) => [name, startDate.toISOString()])).toEqual([
      ['Weekly', first?.startDate.toISOString()],
      ['Special', at(8)],
      ['Weekly', third?.startDate.toISOString()],
    ])
  })

  it('this and the following ones, which stay at their days; earlier ones stay as they are', async () => {
    const made = await plan(world.as.manager)
    const third = (await occurrences(made.seriesId))[2]
    const saved = await world.as.manager.put(`/api/activities/${third?.id}`, {
      scope: 'following',
      name: 'Later',
      startDate: at(14, 3),
      endDate: at(14, 5),
      assignedUsers: [world.people.officer.id],
    })
    expect(saved.status, saved.text).toBe(200)
    const after = await occurrences(made.seriesId)
    expect(after.map(({ name }) => name)).toEqual(['Weekly', 'Weekly', ...Array.from({ length: 11 }, () => 'Later')])
    expect(after.slice(0, 4).map(({ startDate }) => startDate.toISOString())).toEqual([at(0), at(7), at(14, 3), at(21, 3)])
    expect(after[5] && (after[5].endDate.getTime() - after[5].startDate.getTime()) / 3_600_000).toBe(2)
    const [series] = await rows<{ name: string; minutes: number; agents: string[] }>(
      'select name, minutes, agents from activity_series where id = $1',
      [made.seriesId],
    )
    expect(series).toEqual({ name: 'Later', minutes: 120, agents: [world.people.officer.id] })
    await rows(`update activity_series set "madeUntil" = "startDate" where id = $1`, [made.seriesId])
    const ctx = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
    const job = world.app.areas.flatMap((area) => area.jobs).find(({ name }) => name === 'activities.topUp')
    await ctx.transaction(async (inner) => {
      await job?.run(inner, { seriesId: made.seriesId }, { id: '1', attempt: 1, signal: new AbortController().signal })
    })
    // The first two are at their old times, which the moved pattern does not know: they come again at the new ones.
    expect((await starts(made.seriesId)).filter((time) => time >= at(14))).toEqual(
      after.slice(2).map(({ startDate }) => startDate.toISOString()),
    )
  })

  it('all that are still to be done; what is done stays', async () => {
    const made = await plan(world.as.manager)
    const all = await occurrences(made.seriesId)
    await world.as.manager.put(`/api/activities/status/${all[1]?.id}`, { statusId: '02000000-0000-4000-8000-000000000002' })
    await world.as.manager.put(`/api/activities/${all[4]?.id}`, { scope: 'all', name: 'Everywhere' })
    expect((await occurrences(made.seriesId)).map(({ name }) => name)).toEqual([
      'Everywhere',
      'Weekly',
      ...Array.from({ length: 11 }, () => 'Everywhere'),
    ])
  })

  it('its rule begins a new series from here on', async () => {
    const made = await plan(world.as.manager)
    const third = (await occurrences(made.seriesId))[2]
    const refused = await world.as.manager.put(`/api/activities/${third?.id}`, { recurrence: 'FREQ=MONTHLY' })
    expect([refused.status, fieldsOf(refused)]).toEqual([422, ['scope']])
    const saved = (
      await world.as.manager.put<{ activity: ActivityRow }>(`/api/activities/${third?.id}`, {
        recurrence: 'FREQ=WEEKLY;INTERVAL=2',
        scope: 'following',
      })
    ).body.data.activity
    expect(saved.recurrence).toBe('FREQ=WEEKLY;INTERVAL=2')
    expect(await occurrences(made.seriesId)).toHaveLength(2)
    expect((await starts(saved.seriesId)).slice(0, 3)).toEqual([at(14), at(28), at(42)])
  })

  it('to another day asks for another rule when the rule names days', async () => {
    const made = await plan(world.as.manager, { recurrence: 'FREQ=WEEKLY;BYDAY=MO' })
    const answer = await world.as.manager.put(`/api/activities/${made.Id}`, { scope: 'all', startDate: at(1), endDate: at(1, 1) })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['startDate']])
    const free = await plan(world.as.manager)
    expect((await world.as.manager.put(`/api/activities/${free.Id}`, { scope: 'all', startDate: at(1), endDate: at(1, 1) })).status).toBe(
      200,
    )
    expect((await starts(free.seriesId)).slice(0, 2)).toEqual([at(1), at(8)])
  })

  it('deletes this one, the following ones or all that are to be done, and never makes them again', async () => {
    const made = await plan(world.as.manager)
    const all = await occurrences(made.seriesId)
    const remove = (id: string | undefined, scope?: string) =>
      world.as.manager.post<{ ids: string[] }>('/api/activities/delete', { id, scope })
    expect((await remove(all[12]?.id)).body.data.ids).toHaveLength(1)
    expect((await remove(all[10]?.id, 'following')).body.data.ids).toHaveLength(2)
    expect(await occurrences(made.seriesId)).toHaveLength(10)
    expect((await remove(all[5]?.id, 'all')).body.data.ids).toHaveLength(10)
    expect(await occurrences(made.seriesId)).toEqual([])
    const [series] = await rows<{ isEnded: boolean }>('select "endedAt" is not null as "isEnded" from activity_series where id = $1', [
      made.seriesId,
    ])
    expect(series?.isEnded).toBe(true)
  })

  it('can begin with an existing activity', async () => {
    const { recurrence: _, ...single } = weekly
    const made = (await world.as.manager.post<{ activity: ActivityRow }>('/api/activities', single)).body.data.activity
    expect(made.seriesId).toBeNull()
    const saved = (
      await world.as.manager.put<{ activity: ActivityRow }>(`/api/activities/${made.Id}`, { recurrence: 'FREQ=WEEKLY;COUNT=3' })
    ).body.data.activity
    expect(await starts(saved.seriesId)).toEqual([at(0), at(7), at(14)])
  })
})
