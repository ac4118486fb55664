import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Assignees, Verdict } from '@outpost/contract/assigning'
import type { SignedInClient } from '../../support/app.ts'
import type { MadeUser } from '../../support/make.ts'
import { makeWorld, type World } from '../world.ts'
import type { ActivityRow } from './support.ts'

let world: World
let second: MadeUser
const statuses = { open: randomUUID(), started: randomUUID(), done: randomUUID() }
beforeAll(async () => {
  world = await makeWorld()
  second = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Amani', lastName: 'Second' })
  for (const [meaning, id] of Object.entries(statuses)) {
    await world.app.make.row('activity_status', {
      companyId: world.company.id,
      id,
      tenantId: world.company.id,
      name: `It is ${meaning}`,
      meaning,
      default: meaning === 'open',
      colour: 'blue',
    })
  }
})
afterAll(() => world.app.close())

const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
async function plan(by: SignedInClient, ...agents: MadeUser[]): Promise<ActivityRow> {
  const { status, body, text } = await by.post<{ activity: ActivityRow }>('/api/activities', {
    name: 'Visit',
    startDate: at(1),
    endDate: at(2),
    assignedUsers: agents.map(({ id }) => id),
  })
  expect(status, text).toBe(200)
  return body.data.activity
}
const read = async (id: string, by = world.as.admin) =>
  (await by.get<{ activity: ActivityRow }>(`/api/activities/${id}`)).body.data.activity
const assign = (by: SignedInClient, assignments: { id: string; userId: string }[]) =>
  by.post<{ results: Verdict[] }>('/api/activities/assign-many', { assignments })
const give = (by: SignedInClient, user: MadeUser, ...ids: string[]) =>
  assign(
    by,
    ids.map((id) => ({ id, userId: user.id })),
  )
const undo = (by: SignedInClient, ...ids: string[]) => by.post<{ results: Verdict[] }>('/api/activities/undo-assignments', { ids })
const people = async (by: SignedInClient, ...ids: string[]) => (await by.post<Assignees>('/api/activities/assignees', { ids })).body.data
const loadOf = ({ agents }: Assignees, user: MadeUser) => agents.find(({ Id }) => Id === user.id)?.open
const start = (by: SignedInClient, activityId: string) =>
  by.put('/api/activities/updateAssignmentStatus', { activityId, statusId: statuses.started, statusText: 'started' })
const crew = async (id: string) =>
  (await read(id)).assignedUsers.map(({ Id, statusId, activityAssignmentId }) => ({ Id, statusId, activityAssignmentId }))

it('names people in reach with what each has still to do, and who holds the chosen ones', async () => {
  const { officer } = world.people
  const both = await plan(world.as.manager, officer, second)
  const first = await people(world.as.manager, both.Id)
  expect(first.agents.map(({ name }) => name)).toEqual(['Amani Second', 'Baraka Manager', 'Chidi Officer'])
  const [done, strange] = [await plan(world.as.manager, officer), await plan(world.as.elsewhere)]
  await world.as.manager.put(`/api/activities/status/${done.Id}`, { statusId: statuses.done })
  const now = await people(world.as.manager, both.Id, done.Id, strange.Id)
  expect([loadOf(now, officer), loadOf(now, second)]).toEqual([loadOf(first, officer), loadOf(first, second)])
  expect(
    now.records
      .map(({ Id, holderIds, isOpen }) => ({ Id, holders: holderIds.toSorted(), isOpen }))
      .toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen)),
  ).toEqual([
    { Id: both.Id, holders: [officer.id, second.id].toSorted(), isOpen: true },
    { Id: done.Id, holders: [], isOpen: false },
  ])
})

it('gives each to its agent, notifies them once, and says why for each that it cannot give, under reach and permission', async () => {
  const { manager, elsewhere, foreign, officer } = world.as
  const [one, two, done, running] = [
    await plan(manager, world.people.officer),
    await plan(manager),
    await plan(manager),
    await plan(manager, world.people.officer),
  ]
  const [far, strange] = [await plan(elsewhere), await plan(foreign)]
  await manager.put(`/api/activities/status/${done.Id}`, { statusId: statuses.done })
  expect((await start(officer, running.Id)).status).toBe(200)
  const answer = await assign(manager, [
    ...[one, two].map(({ Id }) => ({ id: Id, userId: second.id })),
    { id: far.Id, userId: second.id },
    { id: strange.Id, userId: second.id },
    { id: done.Id, userId: second.id },
    { id: running.Id, userId: second.id },
  ])
  expect(answer.status, answer.text).toBe(200)
  expect(answer.body.data.results.map(({ isDone, message }) => isDone || message)).toEqual([
    true,
    true,
    'Activity not found',
    'Activity not found',
    'It is It is done: nothing is left to do.',
    'Chidi Officer is at it now.',
  ])
  expect((await give(manager, second, one.Id)).body.data.results).toMatchObject([
    { isDone: false, message: 'Amani Second has this activity already.' },
  ])
  expect((await give(manager, world.people.elsewhere, two.Id)).body.data.results).toMatchObject([
    { isDone: false, message: 'The chosen person is not an active user in your reach.' },
  ])
  expect((await give(manager, world.people.foreign, two.Id)).body.data.results).toMatchObject([{ isDone: false }])
  expect(await crew(one.Id)).toMatchObject([{ Id: second.id, statusId: statuses.open }])
  expect((await (await world.app.as(second)).get(`/api/activities/${one.Id}`)).status).toBe(200)
  expect(await crew(running.Id)).toMatchObject([{ Id: world.people.officer.id }])
  const told = await world.app.database.admin.query(
    'select message, link from notification where "userId" = $1 and message like \'%activities were given%\'',
    [second.id],
  )
  expect(told.rows).toEqual([{ message: '2 activities were given to you', link: '/agents/landingpage' }])
  expect(
    (
      await assign(manager, [
        { id: two.Id, userId: second.id },
        { id: two.Id.toUpperCase(), userId: second.id },
      ])
    ).status,
  ).toBe(422)
  const reader = await world.app.as(
    await world.app.make.user({
      tenant: world.branch,
      role: await world.app.make.role({
        company: world.company,
        name: 'Viewer',
        permissions: ['SALES', 'SALES/ACTIVITIES', 'SALES/ACTIVITIES/ACTIVITIES'],
      }),
    }),
  )
  for (const path of ['assign-many', 'assignees', 'undo-assignments']) {
    expect((await reader.post(`/api/activities/${path}`, { ids: [one.Id] })).status, path).toBe(403)
    expect((await world.app.nobody.post(`/api/activities/${path}`, { ids: [one.Id] })).status, path).toBe(401)
  }
})

it('takes back what was just given away: the very agents, each as far as they had come, and the branch', async () => {
  const { manager } = world.as
  const both = await plan(manager, world.people.officer, world.people.manager)
  const [before, tenantId] = [await crew(both.Id), both.tenantId]
  const own = await plan(manager)
  await give(manager, second, both.Id, own.Id)
  expect(await crew(both.Id)).toMatchObject([{ Id: second.id }])
  const version = (await read(both.Id)).version
  expect((await undo(manager, both.Id, own.Id)).body.data.results).toEqual([
    { Id: both.Id, isDone: true },
    { Id: own.Id, isDone: true },
  ])
  expect((await crew(both.Id)).toSorted((a, b) => a.Id.localeCompare(b.Id))).toEqual(before.toSorted((a, b) => a.Id.localeCompare(b.Id)))
  expect(await read(both.Id)).toMatchObject({ tenantId })
  expect((await read(both.Id)).version).toBeGreaterThan(version)
  expect((await undo(manager, both.Id)).body.data.results).toMatchObject([{ isDone: false }])
})

it('leaves what others have decided on since, what is begun, what is old, and what somebody else gave', async () => {
  const { manager, admin } = world.as
  const [moved, begun, old, others, twice] = [
    await plan(manager),
    await plan(manager),
    await plan(manager),
    await plan(manager),
    await plan(manager),
  ]
  const all = [moved, begun, old, others, twice].map(({ Id }) => Id)
  expect((await give(manager, second, ...all.filter((id) => id !== others.Id))).body.data.results.every(({ isDone }) => isDone)).toBe(true)
  await give(admin, second, others.Id)
  await manager.post('/api/activities/bulk-update', { ids: [moved.Id], assignedUsers: [world.people.officer.id] })
  expect((await start(await world.app.as(second), begun.Id)).status).toBe(200)
  await world.app.database.admin.query('update activity_gift set "dateCreated" = now() - interval \'16 minutes\' where "activityId" = $1', [
    old.Id,
  ])
  await give(admin, world.people.officer, twice.Id)
  const { results } = (await undo(manager, ...all)).body.data
  expect(results.map(({ isDone }) => isDone)).toEqual(all.map(() => false))
  expect(await crew(begun.Id)).toMatchObject([{ Id: second.id, statusId: statuses.started }])
  expect((await undo(world.as.foreign, others.Id)).body.data.results).toMatchObject([{ isDone: false, message: 'Activity not found' }])
})

it('lets one of five takers at once have it, and tells the other four that it is gone', async () => {
  const { manager } = world.as
  const { Id } = await plan(manager)
  const takers = await Promise.all(Array.from({ length: 5 }, () => world.app.make.user({ tenant: world.team, role: 'officer' })))
  const answers = await Promise.all(takers.map((taker) => give(manager, taker, Id)))
  expect(answers.map(({ status }) => status)).toEqual(takers.map(() => 200))
  expect(await crew(Id)).toHaveLength(1)
  const undone = await Promise.all(takers.map(() => undo(manager, Id)))
  expect(undone.flatMap(({ body }) => body.data.results).filter(({ isDone }) => isDone).length).toBeLessThanOrEqual(5)
  expect(await crew(Id)).toHaveLength(1)
})
