import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const dayNames = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const line = (weekday: number, startsAt = '08:00', endsAt = '17:00') => ({ weekday: dayNames[weekday - 1], startsAt, endsAt })
const hours = (body: object, by: keyof World['as'] = 'admin') =>
  world.as[by].post<{ workingCalendar: { Id: string; week: string; overrides: boolean; version: number } }>(
    '/api/working-calendars/add',
    body,
  )
const dayOff = (body: object, by: keyof World['as'] = 'admin') =>
  world.as[by].post<{ holiday: { Id: string; country: string; tenantId: string; overrides: boolean } }>('/api/holidays', body)
interface Days {
  days: number[]
  hours: object[]
  holidays: string[]
  timeZone: string
}
const holding = async (tenantId?: string, by: keyof World['as'] = 'admin') =>
  (await world.as[by].get<Days>(`/api/working-days${tenantId ? `?tenantId=${tenantId}` : ''}`)).body.data

describe('working hours', () => {
  it('are those of an office until somebody says otherwise; a branch has its own and its team inherits them', async () => {
    expect(await holding()).toMatchObject({ days: [1, 2, 3, 4, 5], holidays: [], timeZone: 'Africa/Nairobi' })
    const company = await hours({ tenantId: world.company.id, hours: [1, 2, 3, 4, 5, 6].map((day) => line(day)) })
    expect(company.body.data.workingCalendar).toMatchObject({ overrides: false })
    expect((await holding(world.branch.id)).days).toEqual([1, 2, 3, 4, 5, 6])
    const branch = await hours({ tenantId: world.branch.id, hours: [line(2, '09:00', '12:00'), line(2, '13:00', '18:00')] })
    expect(branch.body.data.workingCalendar).toMatchObject({ overrides: true, week: 'Tue 09:00–12:00, Tue 13:00–18:00' })
    expect(await holding(world.team.id)).toMatchObject({
      days: [2],
      hours: [{ weekday: 2, startsAt: '09:00', endsAt: '12:00' }, { startsAt: '13:00' }],
    })
    expect((await holding(world.other.id)).days).toEqual([1, 2, 3, 4, 5, 6])
    const id = branch.body.data.workingCalendar.Id
    expect((await world.as.admin.post('/api/working-calendars/delete', { ids: [id] })).status).toBe(200)
    expect((await holding(world.team.id)).days).toEqual([1, 2, 3, 4, 5, 6])
  })

  it.each([
    [['hours.0.startsAt'], [line(1, '8', '17:00')]],
    [['hours.0.endsAt'], [line(1, '08:00', '25:00')]],
    [['hours.0.endsAt'], [line(1, '08:00', '08:00')]],
    [['hours.1.startsAt'], [line(1), line(1, '16:59', '18:00')]],
    [['hours.0.weekday'], [{ ...line(1), weekday: '8' }]],
    [['hours'], []],
    [['hours'], [line(1, '08:00', '12:59')]],
  ])('name the wrong line: %j', async (fields, lines) => {
    const answer = await hours({ tenantId: world.team.id, hours: lines })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, fields])
  })

  it('are one set a tenant, even when five are added at once, and go on until midnight', async () => {
    const body = { tenantId: world.other.id, hours: [line(7, '00:00', '24:00')] }
    const answers = await Promise.all(Array.from({ length: 5 }, () => hours(body)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422])
    expect((await holding(world.other.id)).hours).toEqual([{ weekday: 7, startsAt: '00:00', endsAt: '24:00' }])
  })

  it('are changed line by line, read and put back, by who may change settings and within the own company', async () => {
    const rows = (await world.as.admin.get<{ workingCalendars: { Id: string; tenantId: string }[] }>('/api/working-calendars')).body.data
    const id = rows.workingCalendars.find(({ tenantId }) => tenantId === world.other.id)?.Id ?? ''
    const path = `/api/working-calendars/${id}`
    const read = (await world.as.admin.get<{ workingCalendar: object }>(path)).body.data.workingCalendar
    expect((await world.as.admin.put(path, read)).status).toBe(200)
    expect((await world.as.admin.put(path, { hours: [line(1), line(3)] })).status).toBe(200)
    expect((await holding(world.other.id)).days).toEqual([1, 3])
    expect((await world.as.manager.put(path, { hours: [line(1)] })).status).toBe(403)
    expect((await hours({ tenantId: world.team.id, hours: [line(1)] }, 'officer')).status).toBe(403)
    expect((await world.as.foreign.get(path)).status).toBe(404)
    expect((await world.as.foreign.put(path, { hours: [line(1)] })).status).toBe(404)
    expect((await hours({ tenantId: world.branch.id, hours: [line(1)] }, 'foreign')).status).toBe(422)
    expect(await holding(world.branch.id, 'foreign')).toMatchObject({ days: [1, 2, 3, 4, 5], holidays: [] })
  })
})

describe('holidays', () => {
  it('are of the company and its country; a branch adds its own, and works on one of the company', async () => {
    const first = await dayOff({ date: '2026-12-25', name: 'Christmas Day' })
    expect(first.body.data.holiday).toMatchObject({ country: 'KE', tenantId: world.company.id, overrides: false })
    await dayOff({ date: '2026-12-16', name: 'Day of Reconciliation', country: 'ZA' })
    await dayOff({ date: '2026-11-30', name: 'Show day', tenantId: world.branch.id })
    const worked = await dayOff({ date: '2026-12-25', name: 'Open for Christmas', tenantId: world.team.id, isWorked: true })
    expect(worked.body.data.holiday.overrides).toBe(true)
    expect((await holding()).holidays).toEqual(['2026-12-25'])
    expect((await holding(world.branch.id)).holidays).toEqual(['2026-11-30', '2026-12-25'])
    expect((await holding(world.team.id)).holidays).toEqual(['2026-11-30'])
    expect((await dayOff({ date: '2026-12-25', name: 'Again' })).status).toBe(409)
    expect(fieldsOf(await dayOff({ date: '2026-12-27', name: 'Open', isWorked: true }))).toEqual(['isWorked'])
    expect(fieldsOf(await dayOff({ date: '2026-12-27', name: 'Where', country: '1!' }))).toEqual(['country'])
  })

  it('are imported for the country of the company, once each, days in lieu included', async () => {
    const bring = (year: number, by: keyof World['as'] = 'admin') =>
      world.as[by].post<{ added: number; present: number }>('/api/holidays/import', { year })
    const [first, second] = [(await bring(2026)).body.data, (await bring(2026)).body.data]
    expect(first.added).toBeGreaterThan(8)
    expect([first.present, second]).toEqual([1, { added: 0, present: first.added + 1 }])
    const { holidays } = await holding()
    expect(holidays).toEqual(expect.arrayContaining(['2026-01-01', '2026-04-03', '2026-05-01', '2026-10-20', '2026-12-12', '2026-12-25']))
    const many = await Promise.all(Array.from({ length: 5 }, () => bring(2027)))
    expect(many.filter(({ body }) => body.data.added > 0)).toHaveLength(1)
    expect((await bring(2028, 'manager')).status).toBe(403)
    expect(fieldsOf(await bring(1999))).toEqual(['year'])
  })
})
