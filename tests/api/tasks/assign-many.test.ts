import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Assignees, Verdict } from '@outpost/contract/assigning'
import type { SignedInClient } from '../../support/app.ts'
import type { MadeUser } from '../../support/make.ts'
import { makeWorld, type World } from '../world.ts'

let world: World
let second: MadeUser
beforeAll(async () => {
  world = await makeWorld()
  second = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Amani', lastName: 'Second' })
})
afterAll(() => world.app.close())

interface TaskRow {
  Id: string
  title: string
  tenantId: string
  version: number
  status: string
  assignedUsers: { Id: string }[]
}
const make = async (title: string, ...people: MadeUser[]) => {
  const answer = await world.as.manager.post<{ task: TaskRow }>('/api/tasks', { title, assignedUsers: people.map(({ id }) => id) })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.task
}
const read = async (id: string) => (await world.as.admin.get<{ task: TaskRow }>(`/api/tasks/${id}`)).body.data.task
const holders = async (id: string) => (await read(id)).assignedUsers.map(({ Id }) => Id).toSorted()
const give = (by: SignedInClient, user: MadeUser, ...ids: string[]) =>
  by.post<{ results: Verdict[] }>('/api/tasks/assign-many', { assignments: ids.map((id) => ({ id, userId: user.id })) })
const undo = (by: SignedInClient, ...ids: string[]) => by.post<{ results: Verdict[] }>('/api/tasks/undo-assignments', { ids })
const doneOf = ({ body }: { body: { data: { results: Verdict[] } } }) => body.data.results.map(({ isDone }) => isDone)
const newsOf = async (userId: string) =>
  (
    await world.app.database.admin.query<{ message: string }>(
      'select "message" from notification where "userId" = $1 order by "dateCreated", "id"',
      [userId],
    )
  ).rows

describe('tasks that are given away in bulk', () => {
  it('go to one person each, with a verdict on each, and that person is told', async () => {
    const { officer, manager } = world.people
    const [one, own, over] = [
      await make('Bring the stamp', officer, manager),
      await make('Is theirs', second),
      await make('Is over', officer),
    ]
    expect((await world.as.officer.post(`/api/tasks/${over.Id}/move`, { move: 'done' })).status).toBe(200)
    const { agents, records } = (await world.as.manager.post<Assignees>('/api/tasks/assignees', { ids: [one.Id, over.Id] })).body.data
    expect(agents.find(({ Id }) => Id === second.id)).toMatchObject({ open: 1 })
    expect(records.find(({ Id }) => Id === one.Id)).toMatchObject({ holderIds: [officer.id, manager.id].toSorted(), isOpen: true })
    expect(records.find(({ Id }) => Id === over.Id)).toMatchObject({ isOpen: false })
    expect(agents.some(({ Id }) => [world.people.elsewhere.id, world.people.foreign.id].includes(Id))).toBe(false)
    const given = await give(world.as.manager, second, one.Id, own.Id, over.Id)
    expect(given.body.data.results).toEqual([
      { Id: one.Id, isDone: true },
      { Id: own.Id, isDone: false, message: 'Amani Second has this task already.' },
      { Id: over.Id, isDone: false, message: 'It is Done: nothing is left to do.' },
    ])
    expect(await holders(one.Id)).toEqual([second.id])
    expect((await newsOf(second.id)).map(({ message }) => message)).toContain('Baraka gave you the task “Bring the stamp”')
  })

  it('are taken back as they were, unless somebody has worked with them since, or somebody else gave them', async () => {
    const { officer, manager } = world.people
    const [one, begun, others, old] = [
      await make('One', officer, manager),
      await make('Begun', officer),
      await make('Of others', officer),
      await make('Old', officer),
    ]
    const before = await read(one.Id)
    expect(doneOf(await give(world.as.manager, second, one.Id, begun.Id, old.Id))).toEqual([true, true, true])
    await give(world.as.admin, second, others.Id)
    expect((await (await world.app.as(second)).post(`/api/tasks/${begun.Id}/move`, { move: 'start' })).status).toBe(200)
    await world.app.database.admin.query(`update task_gift set "dateCreated" = now() - interval '16 minutes' where "taskId" = $1`, [old.Id])
    expect(doneOf(await undo(world.as.manager, one.Id, begun.Id, others.Id, old.Id))).toEqual([true, false, false, false])
    expect(await holders(one.Id)).toEqual([officer.id, manager.id].toSorted())
    expect((await read(one.Id)).tenantId).toBe(before.tenantId)
    expect([await holders(begun.Id), await holders(others.Id), await holders(old.Id)]).toEqual([[second.id], [second.id], [second.id]])
    expect(doneOf(await undo(world.as.manager, one.Id))).toEqual([false])
    expect((await newsOf(second.id)).map(({ message }) => message)).toContain('1 task given to you by mistake was taken back')
  })

  it('of other companies and branches are not found, and neither are people out of reach', async () => {
    const { Id } = await make('Ours', world.people.officer)
    for (const by of [world.as.foreign, world.as.elsewhere])
      expect((await give(by, second, Id)).body.data?.results?.[0]?.isDone ?? false).toBe(false)
    expect(doneOf(await give(world.as.manager, world.people.foreign, Id))).toEqual([false])
    expect(doneOf(await give(world.as.manager, world.people.elsewhere, Id))).toEqual([false])
    expect(await holders(Id)).toEqual([world.people.officer.id])
    for (const path of ['assign-many', 'assignees', 'undo-assignments'])
      expect((await world.app.nobody.post(`/api/tasks/${path}`, { ids: [Id] })).status, path).toBe(401)
  })

  it('are one person’s when five give them at once', async () => {
    const { Id } = await make('Many want it', world.people.officer)
    const takers = await Promise.all(Array.from({ length: 5 }, () => world.app.make.user({ tenant: world.team, role: 'officer' })))
    const answers = await Promise.all(takers.map((taker) => give(world.as.manager, taker, Id)))
    expect(answers.map(({ status }) => status)).toEqual(takers.map(() => 200))
    expect(await holders(Id)).toHaveLength(1)
  })
})

describe('the palette', () => {
  interface Hits {
    results: { resource: string; Id: string; screen: string; subtitle: string }[]
  }
  const find = async (q: string, by: SignedInClient) => (await by.get<Hits>(`/api/search?q=${encodeURIComponent(q)}`)).body.data.results

  it('finds tasks by title and number, as far as the caller sees them', async () => {
    const { Id } = await make('Zanzibar ledger', world.people.officer)
    const { rows } = await world.app.database.admin.query<{ number: string }>(
      `select 'T-' || lpad("number"::text, 5, '0') as number from task where "id" = $1`,
      [Id],
    )
    const number = rows[0]?.number ?? ''
    for (const q of ['zanzibar', number])
      expect(await find(q, world.as.officer), q).toMatchObject([
        { resource: 'task', Id, screen: `/tasks/view/${Id}`, subtitle: `${number} · Open` },
      ])
    for (const by of [world.as.elsewhere, world.as.foreign]) expect(await find('zanzibar', by)).toEqual([])
  })
})
