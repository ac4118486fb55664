import { afterAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import { activityWorld, plan, read, visit, type ActivityRow } from './support.ts'

const { world, types, statuses, rows, move } = await activityWorld()
afterAll(() => world.app.close())

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
      'select "from", "to", meaning, "partId", "userId", "realUserId", facts, latitude from record_move where "objectId" = $1 and "partId" is not null order by "dateCreated"',
      [made.Id],
    )
    const officer = world.people.officer.id
    expect(log).toEqual([
      {
        from: 'It is open',
        to: 'It is started',
        meaning: 'started',
        partId: officer,
        userId: officer,
        realUserId: officer,
        facts: { distance: 11, isOutOfRange: false },
        latitude: '-1.280100',
      },
      {
        from: 'It is started',
        to: 'It is done',
        meaning: 'done',
        partId: officer,
        userId: officer,
        realUserId: officer,
        facts: { distance: 2224, isOutOfRange: true },
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
    const strict = await world.app.make.tenant({ parent: world.branch, name: 'Strict' })
    expect((await world.as.admin.put(`/api/settings/${strict.id}`, { locationRule: 'required' })).status).toBe(200)
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

  it('is returned by the assignment call', async () => {
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
