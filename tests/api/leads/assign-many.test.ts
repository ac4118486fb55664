import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Assignees, Verdict } from '@outpost/contract/assigning'
import type { SignedInClient } from '../../support/app.ts'
import type { MadeUser } from '../../support/make.ts'
import { makeWorld, type World } from '../world.ts'
import { capture, read } from './world.ts'

let world: World
let second: MadeUser
beforeAll(async () => {
  world = await makeWorld()
  second = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Amani', lastName: 'Second' })
})
afterAll(() => world.app.close())

const assign = (by: SignedInClient, assignments: { id: string; userId: string }[]) =>
  by.post<{ results: Verdict[] }>('/api/leads/assign-many', { assignments })
const undo = (by: SignedInClient, ...ids: string[]) => by.post<{ results: Verdict[] }>('/api/leads/undo-assignments', { ids })
const people = async (by: SignedInClient, ids: string[]) => (await by.post<Assignees>('/api/leads/assignees', { ids })).body.data
const loadOf = ({ agents }: Assignees, user: MadeUser) => agents.find(({ Id }) => Id === user.id)?.open
const standing = async (id: string) => {
  const { status, assignedUserId, tenantId, statusSince } = await read(world.as.admin, id)
  return { status, holder: assignedUserId, tenantId, since: new Date(String(statusSince)).getTime() }
}
const log = async (id: string) =>
  (
    await world.as.admin.get<{ assignments: { agent: string; endedAt: string | null; explanation: string | null }[] }>(
      `/api/leads/${id}/assignments`,
    )
  ).body.data.assignments

it('names whom leads may be given to, in reach, with the open leads of each', async () => {
  const { manager } = world.as
  const before = await people(manager, [(await capture(manager)).Id])
  expect(before.agents.map(({ name }) => name)).toEqual(['Amani Second', 'Baraka Manager', 'Chidi Officer'])
  expect(before.agents.find(({ Id }) => Id === second.id)).toMatchObject({ place: 'Westlands' })
  const [mine, lost] = [await capture(manager), await capture(manager)]
  await assign(
    manager,
    [mine, lost].map(({ Id }) => ({ id: Id, userId: second.id })),
  )
  await manager.put(`/api/leads/status/${lost.Id}`, { status: 'Junk', reason: 'A wrong number' })
  const elsewhere = await capture(world.as.elsewhere)
  const now = await people(manager, [mine.Id, lost.Id, elsewhere.Id])
  expect(loadOf(now, second)).toBe((loadOf(before, second) ?? 0) + 1)
  expect(now.records.toSorted((a, b) => Number(b.isOpen) - Number(a.isOpen))).toEqual([
    { Id: mine.Id, holderIds: [second.id], isOpen: true },
    { Id: lost.Id, holderIds: [second.id], isOpen: false },
  ])
})

it('gives each lead to its agent and says of each that it cannot why, under reach and permission', async () => {
  const { manager, elsewhere, foreign } = world.as
  const [one, two, held] = [await capture(manager), await capture(manager), await capture(manager)]
  await assign(manager, [{ id: held.Id, userId: second.id }])
  const [far, strange] = [await capture(elsewhere), await capture(foreign)]
  const answer = await assign(manager, [
    { id: one.Id, userId: second.id },
    { id: far.Id, userId: second.id },
    { id: strange.Id, userId: second.id },
    { id: held.Id, userId: second.id },
    { id: two.Id, userId: world.people.elsewhere.id },
  ])
  const across = await assign(world.as.admin, [{ id: two.Id, userId: world.people.elsewhere.id }])
  expect(across.body.data.results).toEqual([
    { Id: two.Id, isDone: false, message: 'Dalia Elsewhere works elsewhere and could not open this lead.' },
  ])
  expect(answer.status, answer.text).toBe(200)
  const [done, ...refused] = answer.body.data.results
  expect(done).toEqual({ Id: one.Id, isDone: true })
  expect(refused.map(({ isDone, message }) => [isDone, message])).toEqual([
    [false, 'lead not found'],
    [false, 'lead not found'],
    [false, 'Amani Second has this lead already.'],
    [false, 'The chosen person is not an active user in your reach.'],
  ])
  // It moves down to the team of its agent, who could not open it where it was.
  expect(await standing(one.Id)).toMatchObject({ status: 'Assigned', holder: second.id, tenantId: world.team.id })
  expect((await (await world.app.as(second)).get(`/api/leads/${one.Id}`)).status).toBe(200)
  expect([await standing(far.Id), await standing(two.Id)]).toMatchObject([
    { holder: null, status: 'New' },
    { holder: null, status: 'New' },
  ])
  // Devices get what was done through the feed, and nothing else; a second lead in one call is refused by name.
  expect(
    (
      await assign(manager, [
        { id: two.Id, userId: second.id },
        { id: two.Id.toUpperCase(), userId: second.id },
      ])
    ).status,
  ).toBe(422)
  const told = await world.app.database.admin.query(
    'select message from notification where "userId" = $1 order by "dateCreated" desc limit 1',
    [second.id],
  )
  expect(told.rows).toEqual([{ message: 'A lead was assigned to you' }])
  const reader = await world.app.as(
    await world.app.make.user({
      tenant: world.branch,
      role: await world.app.make.role({ company: world.company, name: 'Viewer', permissions: ['SALES', 'SALES/LEADS'] }),
    }),
  )
  for (const path of ['assign-many', 'assignees', 'undo-assignments'])
    expect((await reader.post(`/api/leads/${path}`, { ids: [one.Id] })).status, path).toBe(403)
})

it('takes back what was just given away: holder, branch, status and its age, and the history keeps both', async () => {
  const { manager } = world.as
  const [fresh, passed] = [await capture(manager), await capture(manager)]
  await assign(manager, [{ id: passed.Id, userId: world.people.officer.id }])
  const before = [await standing(fresh.Id), await standing(passed.Id)]
  await assign(
    manager,
    [fresh, passed].map(({ Id }) => ({ id: Id, userId: second.id })),
  )
  expect(await standing(passed.Id)).toMatchObject({ holder: second.id })
  const { results } = (await undo(manager, fresh.Id, passed.Id)).body.data
  expect(results).toEqual([
    { Id: fresh.Id, isDone: true },
    { Id: passed.Id, isDone: true },
  ])
  for (const [index, { Id }] of [fresh, passed].entries()) {
    const now = await standing(Id)
    expect(now).toMatchObject({ status: before[index]?.status, holder: before[index]?.holder, tenantId: before[index]?.tenantId })
    // The log counts whole seconds.
    expect(Math.abs(now.since - (before[index]?.since ?? 0))).toBeLessThanOrEqual(1_000)
  }
  expect((await log(passed.Id)).map(({ agent, explanation, endedAt }) => [agent, explanation, endedAt === null]).toSorted()).toEqual([
    ['Amani Second', 'Taken back', false],
    ['Chidi Officer', null, true],
  ])
  expect((await undo(manager, fresh.Id)).body.data.results[0]?.isDone).toBe(false)
})

it('leaves alone what somebody else gave, what was worked on since, and what was given too long ago', async () => {
  const { manager, admin } = world.as
  const [others, worked, old] = [await capture(manager), await capture(manager), await capture(manager)]
  await assign(admin, [{ id: others.Id, userId: second.id }])
  await assign(
    manager,
    [worked, old].map(({ Id }) => ({ id: Id, userId: second.id })),
  )
  await (await world.app.as(second)).put(`/api/leads/status/${worked.Id}`, { status: 'Contacted' })
  await world.app.database.admin.query(`update lead_assignment set "dateCreated" = now() - interval '16 minutes' where "leadId" = $1`, [
    old.Id,
  ])
  const { results } = (await undo(manager, others.Id, worked.Id, old.Id)).body.data
  expect(results.map(({ isDone, message }) => [isDone, message])).toEqual([
    [false, 'Somebody else has decided on it since, or it was given away too long ago.'],
    [false, 'It is Contacted by now: somebody works with it already.'],
    [false, 'Somebody else has decided on it since, or it was given away too long ago.'],
  ])
  expect([await standing(others.Id), await standing(worked.Id), await standing(old.Id)].map(({ holder }) => holder)).toEqual([
    second.id,
    second.id,
    second.id,
  ])
})

it('has one holder after a gift is taken back, also where several ended in the same millisecond', async () => {
  const { manager } = world.as
  const { Id } = await capture(manager)
  for (const { id: userId } of [world.people.officer, world.people.officer, second])
    await manager.post('/api/leads/assignlead', { leadId: Id, userId })
  await world.app.database.admin.query(
    `update lead_assignment set "endedAt" = (select max("dateCreated") from lead_assignment where "leadId" = $1) where "leadId" = $1 and "endedAt" is not null`,
    [Id],
  )
  expect((await undo(manager, Id)).body.data.results).toEqual([{ Id, isDone: true }])
  expect((await log(Id)).filter(({ endedAt }) => endedAt === null).map(({ agent }) => agent)).toEqual(['Chidi Officer'])
  expect((await undo(manager, Id)).status).toBe(200)
})
