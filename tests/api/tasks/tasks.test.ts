import { randomUUID } from 'node:crypto'
import type { ListView } from '@outpost/contract/views'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runJobs } from '../leads/world.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface TaskRow {
  Id: string
  taskNumber: string
  title: string
  status: string
  priority: string
  version: number
  tenantId: string
  createdBy: string
  completedAt: string | null
  remindedAt: string | null
  isOverdue: boolean
  assignedUsers: { Id: string; label: string }[]
  [key: string]: unknown
}
type Who = keyof World['as']

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const rows = async (text: string, ...values: unknown[]) => (await world.app.database.admin.query(text, values)).rows
const make = async (body: object = {}, by: Who = 'manager') => {
  const answer = await world.as[by].post<{ task: TaskRow }>('/api/tasks', { title: 'Call the employer', ...body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.task
}
const read = async (id: string, by: Who = 'admin') => (await world.as[by].get<{ task: TaskRow }>(`/api/tasks/${id}`)).body.data.task
const move = (id: string, body: object, by: Who = 'officer') => world.as[by].post<{ task: TaskRow }>(`/api/tasks/${id}/move`, body)
const list = async (terms: object[], by: Who = 'admin') =>
  (await world.as[by].get<{ tasks: TaskRow[] }>(`/api/tasks?filter=${encodeURIComponent(JSON.stringify(terms))}`)).body
const newsOf = async (userId: string) =>
  rows('select "message", "link" from notification where "userId" = $1 order by "dateCreated", "id"', userId)
const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()

describe('a task', () => {
  it('is of whoever made it where nobody was chosen, open, numbered through the company, also five at once', async () => {
    const first = await make({}, 'officer')
    expect(first).toMatchObject({
      status: 'Open',
      priority: 'Normal',
      createdBy: 'Chidi Officer',
      tenantId: world.team.id,
      completedAt: null,
    })
    expect(first.assignedUsers.map(({ Id }) => Id)).toEqual([world.people.officer.id])
    const made = await Promise.all(Array.from({ length: 5 }, () => make()))
    expect(new Set([first, ...made].map(({ taskNumber }) => taskNumber)).size).toBe(6)
    const Id = randomUUID()
    const same = await Promise.all(Array.from({ length: 5 }, () => world.as.manager.post('/api/tasks', { Id, title: 'Once' })))
    expect(same.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
  })

  it('given to somebody is filed where they see it, and told once; giving it on tells the next one', async () => {
    const { officer, manager } = world.people
    const made = await make({ title: 'Bring the stamp', assignedUsers: [officer.id] })
    expect(made.tenantId).toBe(world.team.id)
    expect((await world.as.officer.get(`/api/tasks/${made.Id}`)).status).toBe(200)
    await world.as.manager.put(`/api/tasks/${made.Id}`, { title: 'Bring the stamps', assignedUsers: [{ Id: officer.id }] })
    expect((await newsOf(officer.id)).filter(({ link }) => link === `/tasks/view/${made.Id}`)).toEqual([
      { message: 'Baraka gave you the task “Bring the stamp”', link: `/tasks/view/${made.Id}` },
    ])
    const given = await world.as.officer.put<{ task: TaskRow }>(`/api/tasks/${made.Id}`, { assignedUsers: [] })
    expect(
      given.body.data.task.assignedUsers.map(({ Id }) => Id),
      given.text,
    ).toEqual([manager.id])
  })

  it('goes its way by moves alone: begun, done with the moment of it, open again, cancelled with a reason', async () => {
    const { Id } = await make({}, 'officer')
    expect((await move(Id, { move: 'start' })).body).toMatchObject({
      message: 'The task is in progress now',
      data: { task: { status: 'In progress' } },
    })
    const done = await move(Id, { move: 'done' })
    expect(done.body.data.task.completedAt).not.toBeNull()
    const again = await move(Id, { status: 'In progress' })
    expect([again.status, again.body.code, again.body.details?.['allowed']]).toEqual([409, 'ILLEGAL_TRANSITION', ['Open']])
    expect((await move(Id, { move: 'reopen' })).body.data.task).toMatchObject({ status: 'Open', completedAt: null })
    expect(fieldsOf(await move(Id, { move: 'cancel' }))).toEqual(['reason'])
    expect((await move(Id, { move: 'cancel', reason: 'Not needed' })).body.data.task).toMatchObject({
      status: 'Cancelled',
      statusReason: 'Not needed',
    })
    await world.as.officer.put(`/api/tasks/${Id}`, { status: 'Done' })
    expect((await read(Id)).status).toBe('Cancelled')
    await world.as.officer.post(`/api/tasks/${Id}/comments`, { text: 'Nobody asks for it any more' })
    const { timeline, steps } = (
      await world.as.officer.get<{ timeline: { what: string; detail: string | null }[]; steps: { label: string; is: string }[] }>(
        `/api/tasks/${Id}/timeline`,
      )
    ).body.data
    expect(timeline.map(({ what, detail }) => [what, detail])).toEqual([
      ['Comment', 'Nobody asks for it any more'],
      ['Status Open → Cancelled', 'Not needed'],
      ['Status Done → Open', null],
      ['Status In progress → Done', null],
      ['Status Open → In progress', null],
      ['Created', null],
    ])
    expect(steps.at(-1)).toMatchObject({ is: 'ended' })
  })

  it('is done once by five at the same moment, and many in one call with a verdict on each', async () => {
    const { Id } = await make({}, 'officer')
    const answers = await Promise.all(Array.from({ length: 5 }, () => move(Id, { move: 'done' })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    const other = await make({}, 'officer')
    const { results } = (
      await world.as.officer.post<{ results: { Id: string; isDone: boolean }[] }>('/api/tasks/move', { ids: [Id, other.Id], move: 'done' })
    ).body.data
    expect(results.map(({ Id: id, isDone }) => [id, isDone])).toEqual([
      [Id, false],
      [other.Id, true],
    ])
  })

  it('reminds its people once, at the moment that holds, and not of what is done', async () => {
    const { officer } = world.people
    const remind = () => runJobs(world.app, world.company.id, 'tasks.remind')
    const told = async () =>
      (await newsOf(officer.id)).filter(({ message }) => message.startsWith('Reminder: ')).map(({ message }) => message)
    const kept = await make({ title: 'Kept', assignedUsers: [officer.id], remindAt: at(1) })
    const moved = await make({ title: 'Moved', assignedUsers: [officer.id], remindAt: at(1) })
    const closed = await make({ title: 'Closed', assignedUsers: [officer.id], remindAt: at(1) })
    await world.as.manager.put(`/api/tasks/${moved.Id}`, { remindAt: at(30) })
    await world.as.manager.put(`/api/tasks/${moved.Id}`, { remindAt: null })
    await move(closed.Id, { move: 'done' })
    // Set back and forth, the same moment is planned twice.
    const moment = (await read(kept.Id))['remindAt']
    await world.as.manager.put(`/api/tasks/${kept.Id}`, { remindAt: at(3) })
    await world.as.manager.put(`/api/tasks/${kept.Id}`, { remindAt: moment })
    await remind()
    expect(await told()).toEqual(['Reminder: Kept'])
    expect((await read(kept.Id)).remindedAt).toBe(moment)
    await remind()
    expect(await told()).toEqual(['Reminder: Kept'])
  })

  it.each([
    ['title', { title: ' ' }],
    ['priority', { priority: 'Huge' }],
    ['dueAt', { dueAt: 'tomorrow' }],
    ['remindAt', { remindAt: '2026-01-05T10:00:00Z' }],
    ['leadId', { leadId: randomUUID() }],
    ['nickname', { nickname: 'x' }],
  ])('names the wrong field %s', async (field, over) => {
    const answer = await world.as.manager.post('/api/tasks', { title: 'Wrong', ...over })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]])
  })

  it('is given to nobody elsewhere, and about nothing of another company', async () => {
    const lead = await world.as.foreign.post<{ lead: { Id: string } }>('/api/leads', {
      firstName: 'Esi',
      lastName: 'Far',
      phonenumber: '0711222333',
    })
    for (const [who, field, over] of [
      ['manager', 'assignedUsers', { assignedUsers: [world.people.foreign.id] }],
      ['manager', 'assignedUsers', { assignedUsers: [world.people.elsewhere.id] }],
      ['admin', 'leadId', { leadId: lead.body.data.lead.Id }],
    ] as const) {
      const answer = await world.as[who].post('/api/tasks', { title: 'Wrong', ...over })
      expect([answer.status, fieldsOf(answer)], answer.text).toEqual([422, [field]])
    }
    // Two who see nothing in common but the company: it is filed there, where neither looks.
    const both = await world.as.admin.post('/api/tasks', {
      title: 'Both',
      assignedUsers: [world.people.officer.id, world.people.elsewhere.id],
    })
    expect([both.status, fieldsOf(both)]).toEqual([422, ['assignedUsers']])
  })

  it('stays behind the walls of company, branch and permission', async () => {
    const { Id, version } = await make({}, 'officer')
    for (const who of ['foreign', 'elsewhere'] as const) {
      expect((await world.as[who].get(`/api/tasks/${Id}`)).status).toBe(404)
      expect((await move(Id, { move: 'done' }, who)).status).toBe(404)
      expect((await world.as[who].put(`/api/tasks/${Id}`, { title: 'Mine', version })).status).toBe(404)
      expect((await list([], who)).data.tasks.map((one) => one.Id)).not.toContain(Id)
    }
    expect((await world.as.officer.post('/api/tasks/delete', { id: Id })).status).toBe(403)
    const { make: makes } = world.app
    const role = await makes.role({ company: world.company, name: 'Teller', permissions: ['CLIENTS'] })
    const teller = await world.app.as(await makes.user({ tenant: world.team, role }))
    for (const answer of [
      await teller.get('/api/tasks'),
      await teller.post('/api/tasks', { title: 'x' }),
      await teller.post(`/api/tasks/${Id}/move`, { move: 'done' }),
    ])
      expect(answer.status).toBe(403)
  })

  it('may be sent back as it was read', async () => {
    const { Id } = await make({ assignedUsers: [world.people.officer.id], dueAt: at(4), remindAt: at(2), note: 'Twice' })
    const before = await read(Id)
    const { version, ...sent } = before
    const answer = await world.as.admin.put<{ task: TaskRow }>(`/api/tasks/${Id}`, { ...sent, version })
    expect(answer.status, answer.text).toBe(200)
    expect({ ...answer.body.data.task, version: 0, dateModified: 0 }).toEqual({ ...before, version: 0, dateModified: 0 })
  })
})

describe('what is overdue, and whose', () => {
  it('is counted as the list behind the number has it', async () => {
    const { officer } = world.people
    const late = await make({ title: 'Late', assignedUsers: [officer.id], dueAt: at(-2) })
    await make({ title: 'Not yet', assignedUsers: [officer.id], dueAt: at(2) })
    const done = await make({ title: 'Late and done', assignedUsers: [officer.id], dueAt: at(-2) })
    await move(done.Id, { move: 'done' })
    const { data } = (await world.as.officer.get<{ tiles: Record<string, { value: number; open: string }> }>('/api/home/figures')).body
    const overdue = data.tiles['my-tasks-overdue']
    expect(overdue).toMatchObject({ value: 1, open: expect.stringMatching(/^\/tasks\?/) as string })
    const terms = JSON.parse(new URL(overdue?.open ?? '', 'http://x').searchParams.get('filter') ?? '[]') as object[]
    expect((await list(terms, 'officer')).data.tasks.map(({ Id }) => Id)).toEqual([late.Id])
    expect(data.tiles['my-tasks']?.value).toBe(
      (
        await list(
          [
            { field: 'assignedUsers', op: 'contains', value: officer.id },
            { field: 'status', op: 'in', value: ['Open', 'In progress'] },
          ],
          'officer',
        )
      ).meta?.total,
    )
  })

  it('is a view of the list: mine, my team’s, late, given by me', async () => {
    const { make: makes } = world.app
    const leader = await makes.user({ tenant: world.team, role: 'leader', firstName: 'Lulu', lastName: 'Leader' })
    const by = await world.app.as(leader)
    const view = async () => (await by.get<{ view: ListView }>('/api/console/screens/tasks')).body.data.view
    const views = new Map((await view()).views?.map(({ key, terms }) => [key, terms]))
    expect([...views.keys()]).toEqual(['mine', 'team', 'overdue', 'given'])
    const own = await by.post<{ task: TaskRow }>('/api/tasks', { title: 'Of the leader' })
    const given = await by.post<{ task: TaskRow }>('/api/tasks', { title: 'Given on', assignedUsers: [world.people.officer.id] })
    const shown = async (key: string) =>
      (await by.get<{ tasks: TaskRow[] }>(`/api/tasks?filter=${encodeURIComponent(JSON.stringify(views.get(key)))}`)).body.data.tasks.map(
        ({ title }) => title,
      )
    expect(await shown('mine')).toEqual(['Of the leader'])
    expect(await shown('given')).toEqual(['Given on', 'Of the leader'])
    expect(await shown('team')).toEqual(expect.arrayContaining(['Given on', 'Of the leader']))
    expect([own.status, given.status]).toEqual([200, 200])
    expect((await view()).layouts?.[0]).toMatchObject({ kind: 'kanban', field: 'status', badge: 'priority' })
  })
})

describe('what a task is about', () => {
  it('has a tab of its tasks, which goes along when two leads become one', async () => {
    const leadOf = async (phonenumber: string) =>
      (await world.as.manager.post<{ lead: { Id: string } }>('/api/leads', { firstName: 'Njeri', lastName: 'Mwangi', phonenumber })).body
        .data.lead.Id
    const [winnerId, loserId] = [await leadOf('0712000111'), await leadOf('0712000222')]
    const { Id } = await make({ leadId: loserId })
    const { view } = (await world.as.manager.get<{ view: { panels: { title: string }[] } }>('/api/console/screens/sales-leads-id-view'))
      .body.data
    expect(view.panels.map(({ title }) => title)).toContain('Tasks')
    const merged = await world.as.manager.post('/api/leads/merge', { winnerId, loserId })
    expect(merged.status, merged.text).toBe(200)
    expect((await read(Id))['leadId']).toBe(winnerId)
  })
})
