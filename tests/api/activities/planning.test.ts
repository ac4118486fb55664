import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import { activityWorld, at, names, plan, read, visit } from './support.ts'

const { world, types, statuses, rows, move } = await activityWorld()
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

  it('notifies new agents, and files the activity where all of them see it', async () => {
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
