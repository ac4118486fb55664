import { addDays, dayOf } from '@outpost/rules/time-zone'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const plans = '/api/activities/activity-plan'
/** The day after tomorrow in the company, so that no midnight lies between making and asking. */
const day = () => addDays(dayOf(Date.now(), 'Africa/Johannesburg'), 2)
const rows = async <Row extends object>(text: string, ...values: unknown[]) =>
  (await world.app.database.admin.query<Row>(text, values)).rows

it('a deactivated user’s route plans and teams go to the heir with the rest, and come back with the user', async () => {
  const leaver = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Neema', lastName: 'Leaver' })
  const heir = world.people.officer
  const activity = async (name: string, assignedUsers: string[]) => {
    const [startDate, endDate] = [`${day()}T08:00:00Z`, `${day()}T09:00:00Z`]
    const answer = await world.as.manager.post<{ activity: { Id: string } }>('/api/activities', {
      name,
      startDate,
      endDate,
      assignedUsers,
      lat: -1.28,
      lng: 36.8,
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.activity.Id
  }
  const [own, shared] = [await activity('Own', [leaver.id]), await activity('Shared', [leaver.id, heir.id])]
  const stop = (activityId: string, userId: string) => ({ activityId, userId, day: day() })
  const made = await world.as.manager.post<{ activityPlan: { Id: string } }>(plans, {
    name: 'Round',
    startDate: day(),
    endDate: day(),
    stops: [stop(own, leaver.id), stop(shared, leaver.id), stop(shared, heir.id)],
  })
  expect(made.status, made.text).toBe(200)
  const planId = made.body.data.activityPlan.Id
  const team = await world.as.manager.post<{ team: { Id: string } }>('/api/teams', { name: 'Movers', leaderUserId: leaver.id })
  expect(team.status, team.text).toBe(200)

  const before = (who: keyof World['as'], ids: string[]) =>
    world.as[who].post<{ message: string; work: Record<string, unknown>[] }>('/api/users/open-work', { ids })
  const told = (await before('admin', [leaver.id, heir.id])).body.data
  expect(told.message).toBe(
    'Neema Leaver still has 2 activities, 1 route plan, 1 team to lead. Chidi Officer still has 1 activity, 1 route plan',
  )
  expect(told.work).toMatchObject([
    { userId: leaver.id, name: 'Neema Leaver', leads: 0, activities: 2, plans: 1, teams: 1 },
    { userId: heir.id, activities: 1 },
  ])
  expect((await before('admin', [world.people.elsewhere.id])).body.data).toEqual({ message: '', work: [], counts: [] })
  expect([(await before('foreign', [leaver.id])).status, (await before('officer', [leaver.id])).status]).toEqual([404, 403])

  const remove = (more: object = {}) => world.as.admin.del('/api/users/delete', { userIds: [leaver.id], ...more })
  const asked = await remove()
  expect(asked.body.details?.['work']).toMatchObject([{ activities: 2, plans: 1, teams: 1 }])
  expect(asked.body.message).toContain('1 route plan, 1 team to lead')
  const state = async () => ({
    stops: (
      await rows<{ activityId: string; userId: string }>(
        'select "activityId", "userId" from activity_plan_activity where "planId" = $1',
        planId,
      )
    )
      .map(({ activityId, userId }) => [activityId === own ? 'own' : 'shared', userId === heir.id ? 'heir' : 'leaver'].join(' '))
      .toSorted(),
    agents: (await rows<{ userId: string }>('select "userId" from activity_plan_agent where "planId" = $1', planId))
      .map(({ userId }) => (userId === heir.id ? 'heir' : 'leaver'))
      .toSorted(),
    leader: (await rows<{ leaderUserId: string }>('select "leaderUserId" from team where id = $1', team.body.data.team.Id))[0]
      ?.leaderUserId,
  })
  const gone = await remove({ toUserId: heir.id })
  expect(gone.status, gone.text).toBe(200)
  expect(await state()).toEqual({ stops: ['own heir', 'shared heir'], agents: ['heir'], leader: heir.id })
  expect((await world.as.admin.post('/api/users/undelete', { userIds: [leaver.id] })).status).toBe(200)
  expect(await state()).toMatchObject({
    stops: ['own leaver', 'shared heir', 'shared leaver'],
    agents: ['heir', 'leaver'],
    leader: leaver.id,
  })
  expect((await remove({ leaveWork: true })).status).toBe(200)
  expect((await state()).leader).toBe(leaver.id)
})

it('whoever is in a sales team counts as in a team, as those in a team of the tenant tree do', async () => {
  const stats = async () =>
    (await world.as.admin.get<{ stats: { assignedAgents: number } }>(`/api/stats/team/${world.people.admin.id}`)).body.data.stats
      .assignedAgents
  const before = await stats()
  const made = await world.as.admin.post<{ team: { Id: string } }>('/api/teams', { name: 'Coast', members: [world.people.elsewhere.id] })
  expect(made.status, made.text).toBe(200)
  expect(await stats()).toBe(before + 1)
  const people = await world.as.admin.get<{ users: { Id: string }[] }>(`/api/users/by-team-id/${made.body.data.team.Id}`)
  expect(people.body.data.users.map(({ Id }) => Id)).toEqual([world.people.elsewhere.id])
  expect((await world.as.admin.post('/api/teams/delete', { ids: [made.body.data.team.Id] })).status).toBe(200)
  expect(await stats()).toBe(before)
})

it('a deactivated user’s open tasks go to the heir, and come back with the user', async () => {
  const leaver = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Tuma', lastName: 'Leaver' })
  const heir = world.people.officer
  const taskFor = async (title: string, assignedUsers: string[]) =>
    (await world.as.manager.post<{ task: { Id: string } }>('/api/tasks', { title, assignedUsers })).body.data.task.Id
  const [own, shared, done] = [
    await taskFor('Own', [leaver.id]),
    await taskFor('Shared', [leaver.id, heir.id]),
    await taskFor('Done', [leaver.id]),
  ]
  await world.as.manager.post(`/api/tasks/${done}/move`, { move: 'done' })
  const peopleOf = async (id: string) =>
    (await rows<{ userId: string }>('select "userId" from task_assignee where "taskId" = $1', id))
      .map(({ userId }) => (userId === heir.id ? 'heir' : 'leaver'))
      .toSorted()
  const asked = await world.as.admin.del('/api/users/delete', { userIds: [leaver.id] })
  expect([asked.status, asked.body.message]).toEqual([409, expect.stringContaining('2 open tasks')])
  expect((await world.as.admin.del('/api/users/delete', { userIds: [leaver.id], toUserId: heir.id })).status).toBe(200)
  expect([await peopleOf(own), await peopleOf(shared), await peopleOf(done)]).toEqual([['heir'], ['heir'], ['leaver']])
  expect((await world.as.admin.post('/api/users/undelete', { userIds: [leaver.id] })).status).toBe(200)
  expect([await peopleOf(own), await peopleOf(shared), await peopleOf(done)]).toEqual([['leaver'], ['heir', 'leaver'], ['leaver']])
})

it('what clients asked a deactivated user for by USSD goes to the heir while it is open, and comes back with the user', async () => {
  const leaver = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Umi', lastName: 'Leaver' })
  const heir = world.people.officer
  for (const [number, status] of [
    [71, 'Open'],
    [72, 'Done'],
  ] as const)
    await rows(
      `insert into ussd_request ("companyId", "id", "tenantId", "number", "kind", "msisdn", "status", "assignedUserId") values ($1, uuidv7(), $2, $3, 'Call back', '+27821234567', $4, $5)`,
      world.company.id,
      world.team.id,
      number,
      status,
      leaver.id,
    )
  const agents = async () =>
    (await rows<{ id: string }>('select "assignedUserId" as id from ussd_request where "number" in (71, 72) order by "number"')).map(
      ({ id }) => (id === heir.id ? 'heir' : 'leaver'),
    )
  const asked = await world.as.admin.del('/api/users/delete', { userIds: [leaver.id] })
  expect([asked.status, asked.body.message]).toEqual([409, expect.stringContaining('still has 1 USSD request.')])
  expect((await world.as.admin.del('/api/users/delete', { userIds: [leaver.id], toUserId: heir.id })).status).toBe(200)
  expect(await agents()).toEqual(['heir', 'leaver'])
  expect((await world.as.admin.post('/api/users/undelete', { userIds: [leaver.id] })).status).toBe(200)
  expect(await agents()).toEqual(['leaver', 'leaver'])
})

it('groups of clients and maintenance plans go to the heir, who is reminded from then on, and come back with the user', async () => {
  const leaver = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Gathoni', lastName: 'Leaver' })
  const heir = world.people.officer
  const group = async (name: string) =>
    (await world.as.manager.post<{ clientGroup: { Id: string } }>('/api/client-groups', { name, assignedUserId: leaver.id })).body.data
      .clientGroup.Id
  const groups = [await group('Umoja'), await group('Gone')]
  const closed = await world.as.manager.post(`/api/client-groups/${groups[1]}/move`, { move: 'close', reason: 'It parted' })
  expect(closed.status, closed.text).toBe(200)
  const assetId = crypto.randomUUID()
  await rows(
    `insert into asset ("companyId", "id", "tenantId", "registrationNumber") values ($1, $2, $3, 'KDA 001A')`,
    ...[world.company.id, assetId, world.team.id],
  )
  const plan = async (name: string, isActive: boolean) => {
    const id = crypto.randomUUID()
    await rows(
      `insert into maintenance_plan ("companyId", "id", "tenantId", "name", "assetId", "everyDays", "responsibleUserId", "isActive")
       values ($1, $2, $3, $4, $5, 30, $6, $7)`,
      ...[world.company.id, id, world.team.id, name, assetId, leaver.id, isActive],
    )
    return id
  }
  const plans = [await plan('Service', true), await plan('Rested', false)]
  const who = (id: string) => (id === heir.id ? 'heir' : id === leaver.id ? 'leaver' : id)
  const holders = async () =>
    [
      ...(await Promise.all(
        groups.map((id) => rows<{ id: string }>('select "assignedUserId" as id from client_group where "id" = $1', id)),
      )),
      ...(await Promise.all(
        plans.map((id) => rows<{ id: string }>('select "responsibleUserId" as id from maintenance_plan where "id" = $1', id)),
      )),
    ].map(([row]) => who(row?.id ?? ''))
  const reminded = async () =>
    (await rows<{ id: string }>(`select distinct payload->>'responsibleUserId' as id from outbox where "type" = 'geo.maintenance'`))
      .map(({ id }) => who(id))
      .toSorted()
  const asked = await world.as.admin.del('/api/users/delete', { userIds: [leaver.id] })
  expect([asked.status, asked.body.message]).toEqual([409, expect.stringContaining('still has 1 group of clients, 1 maintenance plan.')])
  // An heir of another company is none.
  expect((await world.as.admin.del('/api/users/delete', { userIds: [leaver.id], toUserId: world.people.foreign.id })).status).toBe(422)
  expect((await world.as.admin.del('/api/users/delete', { userIds: [leaver.id], toUserId: heir.id })).status).toBe(200)
  expect(await holders()).toEqual(['heir', 'leaver', 'heir', 'leaver'])
  expect(await reminded()).toEqual(['heir'])
  const back = await world.as.admin.post('/api/users/undelete', { userIds: [leaver.id] })
  expect(back.status, back.text).toBe(200)
  expect(await holders()).toEqual(['leaver', 'leaver', 'leaver', 'leaver'])
  expect(await reminded()).toEqual(['heir', 'leaver'])
})
