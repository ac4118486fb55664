import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import type { Answer, SignedInClient } from '../../support/app.ts'

export interface Agent {
  Id: string
  label: string
  statusId: string
  statusText: string
  distance: number | null
  isOutOfRange: boolean
  activityAssignmentId: string
}
export interface ActivityRow {
  Id: string
  name: string
  tenantId: string
  status: string
  statusId: string
  meaning: string
  typeDesc: string | null
  location: string | null
  lat: number | null
  lng: number | null
  startDate: string
  endDate: string
  assignedUsers: Agent[]
  agentName: string
  leads: { Id: string }[]
  clients: { Id: string }[]
  version: number
  [key: string]: unknown
}
type Status = { Id: string; name: string; label: string; meaning: string }

let world: World
let types: Record<string, string>
let statuses: Record<string, string>

const hour = 3_600_000
const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
const visit = (over: object = {}) => ({ name: 'Visit', startDate: at(1), endDate: at(2), ...over })
const rows = async <Row extends object>(text: string, values: unknown[] = []) =>
  (await world.app.database.admin.query<Row>(text, values)).rows

async function plan(by: SignedInClient, over: object = {}): Promise<ActivityRow> {
  const { status, body, text } = await by.post<{ activity: ActivityRow }>('/api/activities', visit(over))
  expect(status, text).toBe(200)
  return body.data.activity
}
const read = async (by: SignedInClient, id: string) => (await by.get<{ activity: ActivityRow }>(`/api/activities/${id}`)).body.data.activity
const names = (answer: Answer<{ activities?: ActivityRow[] }>) => (answer.body.data.activities ?? []).map(({ name }) => name)
const move = (by: SignedInClient, activityId: string, meaning: string, over: object = {}) =>
  by.put<{ activity: ActivityRow; gpsLogged?: boolean }>('/api/activities/updateAssignmentStatus', {
    activityId,
    statusId: statuses[meaning],
    statusText: meaning,
    ...over,
  })

async function makeOptions(companyId: string): Promise<{ types: Record<string, string>; statuses: Record<string, string> }> {
  const made = { types: {} as Record<string, string>, statuses: {} as Record<string, string> }
  for (const [place, name] of ['open', 'started', 'done', 'missed', 'cancelled'].entries()) {
    made.statuses[name] = randomUUID()
    await world.app.make.row('activity_status', {
      companyId,
      id: made.statuses[name],
      tenantId: companyId,
      name: `It is ${name}`,
      meaning: name,
      default: name === 'open',
      position: place,
      colour: 'blue',
    })
  }
  for (const [name, radius] of [
    ['Visit', 200],
    ['Call', null],
  ] as const) {
    made.types[name] = randomUUID()
    await world.app.make.row('activity_type', { companyId, id: made.types[name], tenantId: companyId, name, geofenceRadius: radius })
  }
  return made
}

beforeAll(async () => {
  world = await makeWorld()
  ;({ types, statuses } = await makeOptions(world.company.id))
})
afterAll(() => world.app.close())

describe('planning', () => {
  it('gives an activity the default status, the caller as agent and the place of the caller’s tenant', async () => {
    const made = await plan(world.as.officer, { location: 'Unknown', activityTypeId: types['Visit'] })
    expect(made).toMatchObject({
      status: 'It is open',
      meaning: 'open',
      typeDesc: 'Visit',
      location: 'Nairobi',
      lat: -1.28,
      lng: 36.8,
      tenantId: world.team.id,
      branch: 'Nairobi',
      agentName: 'Chidi Officer',
      version: 1,
    })
    expect(made.assignedUsers).toEqual([
      expect.objectContaining({ Id: world.people.officer.id, label: 'Chidi Officer', statusId: statuses['open'], isOutOfRange: false }),
    ])
    expect(made['activityAssignmentId']).toBe(made.assignedUsers[0]?.activityAssignmentId)
  })

  it('belongs to whoever made it when nobody is chosen, also when everybody is taken off it, alone and in a series', async () => {
    const agentsOf = async (id: string) => (await read(world.as.manager, id)).assignedUsers.map(({ Id }) => Id)
    const made = await plan(world.as.officer, { name: 'Nobody chosen', assignedUsers: [] })
    expect(await agentsOf(made.Id)).toEqual([world.people.officer.id])
    expect(names(await world.as.officer.get('/api/activities/agent-my-work-activities'))).toContain('Nobody chosen')
    await world.as.manager.put(`/api/activities/${made.Id}`, { assignedUsers: [world.people.manager.id] })
    expect(await agentsOf(made.Id)).toEqual([world.people.manager.id])
    await world.as.manager.put(`/api/activities/${made.Id}`, { assignedUsers: [] })
    expect(await agentsOf(made.Id)).toEqual([world.people.officer.id])
    await plan(world.as.officer, {
      name: 'Every day',
      assignedUsers: [],
      startDate: '2027-02-01T06:00:00Z',
      endDate: '2027-02-01T07:00:00Z',
      recurrence: 'FREQ=DAILY;COUNT=3',
    })
    expect(
      await rows('select distinct a."userId" from activity_assignment a join activity v on v."id" = a."activityId" where v."name" = $1', [
        'Every day',
      ]),
    ).toEqual([{ userId: world.people.officer.id }])
    expect(
      (await rows('select 1 from activity_assignment a join activity v on v."id" = a."activityId" where v."name" = $1', ['Every day']))
        .length,
    ).toBe(3)
  })

  it('keeps a place that was given, and an id that the client chose', async () => {
    const Id = randomUUID()
    expect(await plan(world.as.officer, { Id, location: 'Gikomba market', lat: -1.29, lng: 36.84 })).toMatchObject({
      Id,
      location: 'Gikomba market',
      lat: -1.29,
    })
  })

  it('takes the body of the specification’s client: what the server gives is ignored, places may come as text', async () => {
    const made = await plan(world.as.manager, {
      Id: 'none',
      parentId: null,
      status: 'PENDING',
      statusText: 'PENDING',
      lat: '-1.29',
      lng: '36.84',
      location: 'Gikomba market',
      createdUserId: randomUUID(),
      createdBy: 'Somebody',
      userName: 'x',
      agentName: 'x',
      branch: 'x',
      region: 'x',
      activityDateCreated: null,
      activityPlans: [],
      activityPlanNames: '',
      typeDesc: 'x',
      activityAssignmentId: '',
      client: [],
      dateCreated: '2020-01-01',
      dateModified: null,
      newFiles: [],
      removedFiles: [],
    })
    expect(made).toMatchObject({ lat: -1.29, lng: 36.84, createdUserId: world.people.manager.id })
    const { version: _, ...whole } = await read(world.as.manager, made.Id)
    const answer = await world.as.manager.put<{ activity: object }>(`/api/activities/${made.Id}`, {
      ...whole,
      name: 'Second visit',
      status: 'DONE',
    })
    expect([answer.status, answer.body.data?.activity], answer.text).toMatchObject([200, { name: 'Second visit', status: made.status }])
    expect((await plan(world.as.manager, { lat: '0', lng: '0' })).Id).toHaveLength(36)
  })

  it('tells new agents, and files the activity where all of them see it', async () => {
    const made = await plan(world.as.manager, {
      name: 'Together',
      assignedUsers: [world.people.officer.id, { Id: world.people.manager.id }],
    })
    expect(made.tenantId).toBe(world.team.id)
    expect((await read(world.as.officer, made.Id)).agentName).toContain('Chidi Officer')
    const told = await rows<{ message: string; link: string }>(
      'select message, link from notification where "userId" = $1 and "itemId" = $2',
      [world.people.officer.id, made.Id],
    )
    expect(told).toEqual([{ message: 'You were given “Together”', link: `/sales/activities/${made.Id}/view` }])
    expect(await rows('select 1 from notification where "userId" = $1 and "itemId" = $2', [world.people.manager.id, made.Id])).toEqual([])
  })

  it('refuses agents who see nothing in common', async () => {
    const answer = await world.as.admin.post(
      '/api/activities',
      visit({ assignedUsers: [world.people.officer.id, world.people.elsewhere.id] }),
    )
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['assignedUsers']])
  })

  it.each<[string[], () => object]>([
    [['name'], () => visit({ name: '' })],
    [['startDate'], () => visit({ startDate: 'tomorrow' })],
    [['endDate'], () => visit({ startDate: at(3) })],
    [['assignedUsers'], () => visit({ assignedUsers: [world.people.foreign.id] })],
    [['leads'], () => visit({ leads: [randomUUID()] })],
    [['clients'], () => visit({ clients: [randomUUID()] })],
    [['statusId'], () => visit({ statusId: randomUUID() })],
    [['activityTypeId'], () => visit({ activityTypeId: randomUUID() })],
    [['nickname'], () => visit({ nickname: 'x' })],
    [['recurrence'], () => visit({ recurrence: 'FREQ=SECONDLY' })],
    [['lat'], () => visit({ lat: 999 })],
  ])('names %j of a bad input', async (fields, body) => {
    const answer = await world.as.admin.post('/api/activities', body())
    expect([answer.status, fieldsOf(answer)], answer.text).toEqual([422, fields])
  })

  it('is not for those who may not', async () => {
    const viewer = await world.app.as(
      await world.app.make.user({
        tenant: world.team,
        role: await world.app.make.role({ company: world.company, name: 'Viewer', permissions: ['SALES/ACTIVITIES/ACTIVITIES'] }),
      }),
    )
    const made = await plan(world.as.officer)
    expect((await viewer.get(`/api/activities/${made.Id}`)).status).toBe(200)
    for (const call of [
      viewer.post('/api/activities', visit()),
      viewer.put(`/api/activities/${made.Id}`, { name: 'Mine' }),
      viewer.post('/api/activities/delete', { id: made.Id }),
      move(viewer, made.Id, 'done'),
      viewer.post('/api/activities/bulk-update', { ids: [made.Id], days: 1 }),
      viewer.put(`/api/activities/status/${made.Id}`, { statusId: statuses['done'] }),
    ])
      expect((await call).status).toBe(403)
  })
})

describe('seeing', () => {
  it('shows a branch its own; neither the other branch nor another company sees, changes or removes anything', async () => {
    const made = await plan(world.as.officer, { name: 'Hidden from others' })
    for (const who of [world.as.officer, world.as.manager, world.as.admin])
      expect(names(await who.get('/api/activities?search=hidden from'))).toEqual(['Hidden from others'])
    for (const who of [world.as.elsewhere, world.as.foreign]) {
      expect(names(await who.get('/api/activities?search=hidden from'))).toEqual([])
      const { Id } = made
      for (const call of [
        who.get(`/api/activities/${Id}`),
        who.get(`/api/activities/${Id}/timeline`),
        who.get(`/api/activities/list/${Id}`),
        who.get(`/api/activities/activityagents/${Id}`),
        who.put(`/api/activities/${Id}`, { name: 'Taken' }),
        who.post('/api/activities/assignment', { activityId: Id, userId: who.user.id }),
        who.get(`/api/activities/get-activity-assignment/${Id}/x`),
        who.put('/api/activities/update-assignment-files', { activityId: Id }),
        who.post('/api/activities/lead', { activityId: Id, leadId: randomUUID() }),
      ]) {
        const { status, body } = await call
        expect([status, body.message]).toEqual([404, 'Activity not found'])
      }
    }
    expect((await read(world.as.officer, made.Id)).name).toBe('Hidden from others')
  })

  it('lists from a day back to a week ahead, latest first, and narrows by status and type', async () => {
    const run = `Window ${randomUUID().slice(0, 8)}`
    for (const [name, hours, over] of [
      ['now', 1, { activityTypeId: types['Call'] }],
      ['yesterday', -20, {}],
      ['long ago', -72, {}],
      ['far ahead', 24 * 9, {}],
    ] as const) {
      await plan(world.as.officer, { name: `${run} ${name}`, startDate: at(hours), endDate: at(hours + 1), ...over })
    }
    const list = async (query: string) =>
      names(await world.as.officer.get(`/api/activities?search=${run}${query}`)).map((name) => name.slice(run.length + 1))
    expect(await list('')).toEqual(['now', 'yesterday'])
    expect(await list('&startDate=2020-01-01&endDate=2100-01-01&sortField=startDate&sortOrder=ASC')).toEqual([
      'long ago',
      'yesterday',
      'now',
      'far ahead',
    ])
    expect(await list('&status=it is open')).toEqual(['now', 'yesterday'])
    expect(await list('&status=ALL&type=ALL')).toEqual(['now', 'yesterday'])
    expect(await list(`&status=${statuses['done']}`)).toEqual([])
    expect(await list('&type=call')).toEqual(['now'])
    expect(await list(`&type=${types['Visit']}`)).toEqual([])
    const { body } = await world.as.officer.get('/api/activities')
    expect(body.meta).toMatchObject({ page: 1, size: 10_000 })
  })

  it('finds by agent, lead and meaning', async () => {
    const lead = await world.app.make.lead({ tenant: world.team })
    const made = await plan(world.as.manager, { name: 'Found by links', assignedUsers: [world.people.officer.id], leads: [lead.id] })
    const by = async (...filter: object[]) =>
      names(await world.as.manager.get(`/api/activities?search=found by&filter=${encodeURIComponent(JSON.stringify(filter))}`)).length
    expect(await by({ field: 'assignedUsers', op: 'contains', value: world.people.officer.id })).toBe(1)
    expect(await by({ field: 'assignedUsers', op: 'contains', value: world.people.elsewhere.id })).toBe(0)
    expect(await by({ field: 'leads', op: 'contains', value: lead.id }, { field: 'meaning', op: 'in', value: ['open'] })).toBe(1)
    expect(await by({ field: 'leads', op: 'empty' })).toBe(0)
    expect(await by({ field: 'clients', op: 'empty' })).toBe(1)
    const bad = await world.as.manager.get(
      `/api/activities?filter=${encodeURIComponent(JSON.stringify([{ field: 'leads', op: 'contains', value: `${made.Id}' or true` }]))}`,
    )
    expect([bad.status, fieldsOf(bad)]).toEqual([422, ['filter']])
  })

  it('gives the caller’s own work, an agent’s work, several by id, and who is on one', async () => {
    const own = await plan(world.as.officer, { name: 'Own work' })
    const others = await plan(world.as.manager, { name: 'Work of the manager' })
    expect(names(await world.as.officer.get('/api/activities/agent-my-work-activities?search=work'))).toEqual(['Own work'])
    expect(names(await world.as.manager.get(`/api/activities/agents/${world.people.officer.id}?search=work`))).toEqual(['Own work'])
    expect(names(await world.as.manager.get(`/api/activities/list/${own.Id},${others.Id}`)).toSorted()).toEqual([
      'Own work',
      'Work of the manager',
    ])
    expect((await world.as.officer.get(`/api/activities/list/${own.Id},${others.Id}`)).status).toBe(404)
    const { body } = await world.as.manager.get<{ agents: Agent[] }>(`/api/activities/activityagents/${own.Id}`)
    expect(body.data.agents.map(({ label }) => label)).toEqual(['Chidi Officer'])
  })

  it('counts by status and by type for the widgets, with the list’s own window', async () => {
    await plan(world.as.elsewhere, { name: 'Counted', activityTypeId: types['Visit'] })
    const done = await plan(world.as.elsewhere, { name: 'Counted done', activityTypeId: types['Call'] })
    await plan(world.as.elsewhere, { name: 'Too far', startDate: at(24 * 30), endDate: at(24 * 30 + 1) })
    await move(world.as.elsewhere, done.Id, 'done')
    const of = async (path: string) =>
      (await world.as.elsewhere.get<{ activities: { label: string; count: number }[]; total: number }>(path)).body.data
    expect(await of('/api/activities/for-status-widget')).toMatchObject({
      activities: [
        { label: 'It is open', meaning: 'open', count: 1 },
        { label: 'It is done', count: 1 },
      ],
      total: 2,
    })
    const byType = await of('/api/activities/for-type-widget')
    expect(Object.fromEntries(byType.activities.map(({ label, count }) => [label, count]))).toEqual({ Visit: 1, Call: 1 })
    expect((await of(`/api/activities/for-type-widget?status=${statuses['done']}`)).total).toBe(1)
  })

  it('reports each agent’s work with its status, 30 days ahead, latest change first', async () => {
    const first = await plan(world.as.officer, { name: 'Report a' })
    await plan(world.as.officer, { name: 'Report b' })
    await plan(world.as.officer, { name: 'Report past', startDate: at(-5), endDate: at(-4) })
    await move(world.as.officer, first.Id, 'missed', { reason: 'Nobody was there' })
    const report = async (query: string) =>
      (
        await world.as.manager.get<{ activityAssignments: { name: string; status: string; statusReason: string; agentName: string }[] }>(
          `/api/activities/agentActivityStatusReport?search=report${query}`,
        )
      ).body
    const all = await report('')
    expect(all.data.activityAssignments.map(({ name }) => name)).toEqual(['Report a', 'Report b'])
    expect(all.data.activityAssignments[0]).toMatchObject({
      status: 'It is missed',
      statusReason: 'Nobody was there',
      agentName: 'Chidi Officer',
    })
    expect(all.meta?.size).toBe(1_000_000)
    expect((await report('&status=missed')).data.activityAssignments).toHaveLength(1)
    expect((await report('&status=ALL')).data.activityAssignments).toHaveLength(2)
  })
})

describe('types and statuses', () => {
  it('are the caller’s tenant’s and its parents’, active ones only; another tenant’s carry its short code', async () => {
    const { make } = world.app
    await make.row('activity_type', { companyId: world.company.id, id: randomUUID(), tenantId: world.branch.id, name: 'Branch only' })
    await make.row('activity_type', {
      companyId: world.company.id,
      id: randomUUID(),
      tenantId: world.company.id,
      name: 'Retired',
      status: 0,
    })
    const labels = async (who: SignedInClient) =>
      (await who.get<{ activityTypes: { label: string }[] }>('/api/activities/types')).body.data.activityTypes.map(({ label }) => label)
    expect(await labels(world.as.officer)).toEqual(
      ['Branch only', 'Call', 'Visit'].map((name) =>
        name === 'Branch only' ? `${name} (${world.branch.shortCode})` : `${name} (${world.company.shortCode})`,
      ),
    )
    expect(await labels(world.as.elsewhere)).toEqual([`Call (${world.company.shortCode})`, `Visit (${world.company.shortCode})`])
    expect(await labels(world.as.admin)).toEqual([`Branch only (${world.branch.shortCode})`, 'Call', 'Visit'])
    expect(await labels(world.as.foreign)).toEqual([])
    const shown = (await world.as.admin.get<{ activityStatuses: Status[] }>('/api/activities/statuses')).body.data.activityStatuses
    expect(shown.map(({ meaning }) => meaning).toSorted()).toEqual(['cancelled', 'done', 'missed', 'open', 'started'])
  })

  it('are managed by administrators: one default, which means work to be done; what is used stays', async () => {
    const [path, { admin, officer }] = ['/api/activities/statuses/manage', world.as]
    expect((await officer.get(path)).status).toBe(403)
    const made = (
      await admin.post<{ activityStatus: { Id: string } }>(path, { name: 'Planned', meaning: 'open', default: true, colour: 'gold' })
    ).body.data.activityStatus
    const defaults = await rows<{ name: string }>('select name from activity_status where "companyId" = $1 and "default"', [
      world.company.id,
    ])
    expect(defaults).toEqual([{ name: 'Planned' }])
    expect(fieldsOf(await admin.put(`${path}/${made.Id}`, { meaning: 'done' }))).toEqual(['default'])
    expect(fieldsOf(await admin.put(`${path}/${made.Id}`, { status: 0 }))).toEqual(['default'])
    expect(fieldsOf(await admin.put(`${path}/${statuses['done']}`, { meaning: 'missed' }))).toEqual(['meaning'])
    expect(fieldsOf(await admin.post(path, { name: 'Odd', meaning: 'nearly' }))).toEqual(['meaning'])
    expect((await admin.put(`${path}/${statuses['open']}`, { default: true })).status).toBe(200)
    expect((await admin.post(`${path}/delete`, { id: made.Id })).status).toBe(200)
    expect((await admin.post(`${path}/delete`, { id: statuses['open'] })).body.code).toBe('STILL_IN_USE')
    expect((await world.as.foreign.put(`${path}/${statuses['open']}`, { name: 'Taken' })).status).toBe(404)
  })

  it('that are inactive cannot be chosen any more', async () => {
    const id = randomUUID()
    await world.app.make.row('activity_status', {
      companyId: world.company.id,
      id,
      tenantId: world.company.id,
      name: 'Old word',
      meaning: 'done',
      status: 0,
    })
    const made = await plan(world.as.officer)
    const answer = await world.as.officer.put('/api/activities/updateAssignmentStatus', { activityId: made.Id, statusId: id })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['statusId']])
  })
})

describe('the status of an agent', () => {
  it('changes with where it was done: log, assignment and activity in one go, out of range marked and not refused', async () => {
    const made = await plan(world.as.officer, { activityTypeId: types['Visit'], location: 'Shop', lat: -1.28, lng: 36.8 })
    const near = await move(world.as.officer, made.Id, 'started', { latitude: -1.2801, longitude: 36.8, gps: true })
    expect(near.body).toMatchObject({
      message: 'Activity Updated Successfully.',
      data: { gpsLogged: true, activity: { status: 'It is started', version: 2 } },
    })
    expect(near.body.data.activity.assignedUsers[0]).toMatchObject({ distance: 11, isOutOfRange: false, statusText: 'started' })
    const far = await move(world.as.officer, made.Id, 'done', { location: { latitude: -1.3, longitude: 36.8 } })
    expect(far.body.data.activity.assignedUsers[0]).toMatchObject({ distance: 2224, isOutOfRange: true })
    const track = await rows(
      'select "userId", latitude from user_position where "entityType" = \'activity\' and "entityId" = $1 order by latitude desc',
      [made.Id],
    )
    expect(track).toEqual([
      { userId: world.people.officer.id, latitude: -1.2801 },
      { userId: world.people.officer.id, latitude: -1.3 },
    ])
    const log = await rows(
      'select "fromStatus", "toStatus", meaning, "userId", "actorId", "realUserId", distance, "isOutOfRange", latitude from activity_status_log where "activityId" = $1 and "userId" is not null order by "dateCreated"',
      [made.Id],
    )
    const officer = world.people.officer.id
    expect(log).toEqual([
      {
        fromStatus: 'It is open',
        toStatus: 'It is started',
        meaning: 'started',
        userId: officer,
        actorId: officer,
        realUserId: officer,
        distance: 11,
        isOutOfRange: false,
        latitude: '-1.280100',
      },
      {
        fromStatus: 'It is started',
        toStatus: 'It is done',
        meaning: 'done',
        userId: officer,
        actorId: officer,
        realUserId: officer,
        distance: 2224,
        isOutOfRange: true,
        latitude: '-1.300000',
      },
    ])
  })

  it('that may not follow answers 409 with those that may, and changes nothing', async () => {
    const made = await plan(world.as.officer)
    await move(world.as.officer, made.Id, 'done')
    const { status, body } = await move(world.as.officer, made.Id, 'missed')
    expect([status, body.code, body.message]).toEqual([
      409,
      'ILLEGAL_TRANSITION',
      'The activity is It is done and cannot become It is missed.',
    ])
    expect(body.details?.['allowed']).toEqual([expect.objectContaining({ Id: statuses['done'], meaning: 'done' })])
    expect((await read(world.as.officer, made.Id)).meaning).toBe('done')
  })

  it('is in progress at one activity at a time; the answer names the running one', async () => {
    const [one, two] = [await plan(world.as.officer, { name: 'First visit' }), await plan(world.as.officer, { name: 'Second visit' })]
    await move(world.as.officer, one.Id, 'started')
    const { status, body } = await move(world.as.officer, two.Id, 'started')
    expect([status, body.message, body.details?.['running']]).toEqual([
      409,
      '“First visit” is still in progress. Finish it first.',
      { Id: one.Id, name: 'First visit' },
    ])
    await move(world.as.officer, one.Id, 'done')
    expect((await move(world.as.officer, two.Id, 'started')).status).toBe(200)
    await move(world.as.officer, two.Id, 'done')
  })

  it('of two at the same moment lets one start', async () => {
    const both = [await plan(world.as.officer, { name: 'Race a' }), await plan(world.as.officer, { name: 'Race b' })]
    const answers = await Promise.all(both.map(({ Id }) => move(world.as.officer, Id, 'started')))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    for (const [index, { Id }] of both.entries()) if (answers[index]?.status === 200) await move(world.as.officer, Id, 'done')
  })

  it('is still to begin for whoever joins; an activity planned as running is a visit like any other', async () => {
    const made = await plan(world.as.manager, { assignedUsers: [world.people.officer.id], statusId: statuses['started'] })
    expect([made.meaning, made.assignedUsers[0]?.statusId]).toEqual(['started', statuses['started']])
    const second = await world.as.manager.post(
      '/api/activities',
      visit({ assignedUsers: [world.people.officer.id], statusId: statuses['started'] }),
    )
    expect([second.status, second.body.details?.['running']]).toEqual([409, { Id: made.Id, name: 'Visit' }])
    const joined = (
      await world.as.manager.post<{ activity: ActivityRow }>('/api/activities/assignment', {
        activityId: made.Id,
        userId: world.people.manager.id,
      })
    ).body.data.activity
    expect(joined.assignedUsers.find(({ Id }) => Id === world.people.manager.id)?.statusId).toBe(statuses['open'])
    await world.as.manager.put(`/api/activities/status/${made.Id}`, { statusId: statuses['done'] })
  })

  it('without the fix that was wanted leaves an error-log row and the specification’s words', async () => {
    const made = await plan(world.as.officer)
    const { status, body } = await move(world.as.officer, made.Id, 'done', { gps: true, latitude: 999, longitude: 999 })
    expect([status, body.message, body.data.gpsLogged, body.data.activity.meaning]).toEqual([
      200,
      'Unable to log GPS Position! Please activate your GPS.',
      false,
      'done',
    ])
    expect(await rows('select "errorDetail" from error_log where "entityId" = $1', [made.Id])).toEqual([
      { errorDetail: 'Unable to log GPS Position! Please activate your GPS.' },
    ])
  })

  it('needs a fix where the tenant asks for one', async () => {
    const strict = await world.app.make.tenant({ parent: world.branch, name: 'Strict', locationRequired: true })
    const agent = await world.app.as(await world.app.make.user({ tenant: strict, role: 'officer' }))
    const made = await plan(agent)
    const refused = await move(agent, made.Id, 'done')
    expect([refused.status, refused.body.message]).toEqual([
      422,
      'Enable location access in-order to update activity status and start or stop your day!',
    ])
    expect((await move(agent, made.Id, 'done', { latitude: -1.28, longitude: 36.8 })).status).toBe(200)
  })

  it('is the agent’s own to change, or that of those who plan; never in somebody else’s name', async () => {
    const made = await plan(world.as.manager, { assignedUsers: [world.people.officer.id] })
    const worker = await world.app.as(
      await world.app.make.user({
        tenant: world.team,
        role: await world.app.make.role({ company: world.company, name: 'Worker', permissions: ['SALES/AGENTS/MYWORK'] }),
      }),
    )
    const other = await move(worker, made.Id, 'done', { userId: world.people.officer.id })
    expect([other.status, fieldsOf(other)]).toEqual([403, ['userId']])
    const unassigned = await move(worker, made.Id, 'done')
    expect([unassigned.status, unassigned.body.message, unassigned.body.details?.['code']]).toEqual([
      422,
      'No activity assignment found',
      101,
    ])
    expect((await move(worker, made.Id, 'done', { updatingUserId: world.people.officer.id })).status).toBe(403)
    expect(
      (await move(world.as.manager, made.Id, 'done', { userId: world.people.officer.id, updatingUserId: world.people.manager.id })).body
        .data.activity.meaning,
    ).toBe('done')
  })

  it('makes the activity’s own when several work on it', async () => {
    const made = await plan(world.as.manager, { assignedUsers: [world.people.officer.id, world.people.manager.id] })
    expect((await move(world.as.officer, made.Id, 'done')).body.data.activity.meaning).toBe('started')
    expect((await move(world.as.manager, made.Id, 'missed')).body.data.activity.meaning).toBe('done')
  })

  it('is told by the assignment call', async () => {
    const made = await plan(world.as.officer)
    const get = (x: string) =>
      world.as.officer.get<{ activityAssignment: { Id: string; userId: string } }>(
        `/api/activities/get-activity-assignment/${made.Id}/${x}`,
      )
    expect((await get(world.people.officer.id)).body.data.activityAssignment).toMatchObject({
      userId: world.people.officer.id,
      Id: made['activityAssignmentId'],
    })
    expect((await get('me')).body.data.activityAssignment.userId).toBe(world.people.officer.id)
    expect((await get(world.people.manager.id)).body.message).toBe('No activity assignment found')
  })
})

describe('changing', () => {
  it('sets fields, links and the status of all agents; somebody else’s change in between is a conflict', async () => {
    const lead = await world.app.make.lead({ tenant: world.team })
    const made = await plan(world.as.manager, { assignedUsers: [world.people.officer.id], leads: [lead.id] })
    const saved = (
      await world.as.manager.put<{ activity: ActivityRow }>(`/api/activities/${made.Id}`, {
        version: made.version,
        name: 'Renamed',
        leads: [],
        statusId: statuses['cancelled'],
      })
    ).body.data.activity
    expect(saved).toMatchObject({ name: 'Renamed', leads: [], meaning: 'cancelled' })
    expect(saved.assignedUsers[0]?.statusId).toBe(statuses['cancelled'])
    expect((await world.as.manager.put(`/api/activities/${made.Id}`, { version: made.version, name: 'Again' })).body.code).toBe('CONFLICT')
    expect((await world.as.manager.put(`/api/activities/${made.Id}`, { statusId: statuses['done'] })).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('adds agents, clients, leads and other records, and refuses what is not there', async () => {
    const lead = await world.app.make.lead({ tenant: world.team })
    const client = await world.app.make.lead({ tenant: world.team }).then((of) =>
      rows<{ id: string }>(
        `
      with s as (select set_config('app.company', $1, false), set_config('app.stream', $1, false)) insert into client ("companyId", id, "tenantId", "firstName", "lastName", phonenumber, "trimmedPhonenumber", "createdByUserId")
      select $1::uuid, gen_random_uuid(), $2::uuid, 'Client', 'One', '0700', '254700', $3::uuid from s returning id`,
        [world.company.id, world.team.id, of.id],
      ),
    )
    const made = await plan(world.as.manager, { assignedUsers: [world.people.officer.id] })
    const { manager } = world.as
    const post = (path: string, body: object) =>
      manager.post<{ activity: ActivityRow }>(`/api/activities/${path}`, { activityId: made.Id, ...body })
    expect((await post('assignment', { userId: world.people.manager.id })).body.data.activity.assignedUsers).toHaveLength(2)
    expect(
      (
        await manager.put<{ activity: ActivityRow }>('/api/activities/assignment', {
          activityId: made.Id,
          userIds: [world.people.manager.id],
        })
      ).body.data.activity.agentName,
    ).toBe('Baraka Manager')
    expect((await post('lead', { leadId: lead.id })).body.data.activity.leads.map(({ Id }) => Id)).toEqual([lead.id])
    expect((await post('client', { clientId: client[0]?.id })).body.data.activity.clients.map(({ Id }) => Id)).toEqual([client[0]?.id])
    expect(
      (
        await post('entities', {
          entities: [
            { entityType: 'tenant', entityId: world.team.id },
            { entityType: 'lead', entityId: lead.id },
          ],
        })
      ).body.data.activity,
    ).toMatchObject({ entities: [{ entityType: 'tenant', entityId: world.team.id }] })
    expect(fieldsOf(await post('entities', { entities: [{ entityType: 'spaceship', entityId: lead.id }] }))).toEqual(['entityType'])
    expect(fieldsOf(await post('entities', { entities: [{ entityType: 'tenant', entityId: world.other.id }] }))).toEqual(['entityId'])
    expect(fieldsOf(await post('entities', { entities: [{ entityType: 'tenant', entityId: world.stranger.id }] }))).toEqual(['entityId'])
    expect(fieldsOf(await post('lead', { leadId: randomUUID() }))).toEqual(['leads'])
    expect(fieldsOf(await post('client', {}))).toEqual(['clientId'])
  })

  it('many at once: status, agents, days; all or none', async () => {
    const made = [await plan(world.as.manager, { name: 'Bulk 1' }), await plan(world.as.manager, { name: 'Bulk 2' })]
    const ids = made.map(({ Id }) => Id)
    const bulk = (body: object) => world.as.manager.post<{ activities: ActivityRow[] }>('/api/activities/bulk-update', body)
    const moved = (await bulk({ ids, days: 2, assignedUsers: [world.people.officer.id] })).body.data.activities
    expect(
      moved.map(({ startDate, agentName }, index) => [Date.parse(startDate) - Date.parse(made[index]?.startDate ?? ''), agentName]),
    ).toEqual([
      [48 * hour, 'Chidi Officer'],
      [48 * hour, 'Chidi Officer'],
    ])
    await bulk({ ids: [ids[0]], statusId: statuses['done'] })
    const refused = await bulk({ ids, statusId: statuses['missed'] })
    expect(refused.body.code).toBe('ILLEGAL_TRANSITION')
    expect((await read(world.as.manager, ids[1] ?? '')).meaning).toBe('open')
    expect((await bulk({ activities: [{ Id: ids[1], name: 'Bulk renamed' }] })).body.data.activities[0]?.name).toBe('Bulk renamed')
    expect(fieldsOf(await bulk({ ids, activities: [] }))).toContain('activities')
    expect((await bulk({ ids: [...ids, randomUUID()], days: 1 })).status).toBe(404)
  })

  it('deletes and brings back', async () => {
    const made = await plan(world.as.manager)
    expect((await world.as.manager.post('/api/activities/delete', { id: made.Id })).status).toBe(200)
    expect((await world.as.manager.get(`/api/activities/${made.Id}`)).status).toBe(404)
    expect((await world.as.manager.post('/api/activities/restore', { ids: [made.Id] })).status).toBe(200)
    expect((await read(world.as.manager, made.Id)).name).toBe('Visit')
  })

  it('keeps files with agent actions 2 and 3, each added once', async () => {
    const made = await plan(world.as.officer)
    const fileId = randomUUID()
    await world.app.make.row('stored_file', {
      companyId: world.company.id,
      id: fileId,
      tenantId: world.team.id,
      storageKey: fileId,
      path: `uploads/${fileId}/photo.jpg`,
      name: 'photo.jpg',
      mimeType: 'image/jpeg',
      size: 12,
      sha256: Buffer.alloc(32),
    })
    const files = (body: object) =>
      world.as.officer.put<{ activity: ActivityRow & { files: { Id: string; name: string }[] } }>(
        '/api/activities/update-assignment-files',
        { activityId: made.Id, ...body },
      )
    const actions = async () =>
      (
        await rows<{ action: number }>(
          'select action from agent_action where "performedByUserId" = $1 and action in (2, 3) order by "dateCreated"',
          [world.people.officer.id],
        )
      ).map(({ action }) => action)
    expect((await files({ newFiles: [{ Id: fileId }], latitude: -1.28, longitude: 36.8 })).body.data.activity.files).toEqual([
      expect.objectContaining({ Id: fileId, name: 'photo.jpg' }),
    ])
    await files({ newFiles: [fileId] })
    expect(await actions()).toEqual([2])
    expect((await files({ removedFiles: [fileId] })).body.data.activity.files).toEqual([])
    expect(await actions()).toEqual([2, 3])
    expect(fieldsOf(await files({ newFiles: [randomUUID()] }))).toEqual(['newFiles'])
  })

  it('is told in the timeline: who did what, newest first', async () => {
    const made = await plan(world.as.manager, {
      activityTypeId: types['Visit'],
      location: 'Shop',
      lat: -1.28,
      lng: 36.8,
      assignedUsers: [world.people.officer.id],
    })
    await world.as.manager.put(`/api/activities/${made.Id}`, { name: 'New name' })
    await move(world.as.officer, made.Id, 'done', { latitude: -1.3, longitude: 36.8, reason: 'All well' })
    const { body } = await world.as.officer.get<{ timeline: { who: string; what: string; detail: string | null; at: string }[] }>(
      `/api/activities/${made.Id}/timeline`,
    )
    const told = body.data.timeline.map(({ who, what, detail }) => [who, what, detail])
    expect(told[0]).toEqual(['Chidi Officer', 'Status It is open → It is done', 'All well · 2224 m from the place, outside the circle'])
    expect(told).toContainEqual(['Baraka Manager', 'Changed', `Name: ${made.name} → New name`])
    expect(told).toContainEqual(['Baraka Manager', 'Planned', null])
    expect(told).toContainEqual(['Baraka Manager', 'Agents', 'Chidi Officer'])
    expect(told.filter(([, what]) => what?.startsWith('Status'))).toHaveLength(1)
  })
})
