import type { ListView } from '@outpost/contract/views'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface CaseRow {
  Id: string
  caseNumber: string
  stageId: string
  stageIdLabel: string
  status: string
  priority: string
  ownerUserId: string
  tenantId: string
  firstResponseAt: string | null
  resolvedAt: string | null
  comments: number
  [key: string]: unknown
}

let world: World
const open = async (body: object = {}, by: keyof World['as'] = 'manager') => {
  const answer = await world.as[by].post<{ case: CaseRow }>('/api/cases', { title: 'Payslip does not match', ...body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.case
}
const stages = async () =>
  new Map(
    (await world.as.manager.get<{ stages: { Id: string; name: string }[] }>('/api/pipelines/stages?entity=case')).body.data.stages.map(
      ({ Id, name }) => [name, Id],
    ),
  )
const move = (id: string, stageId: string | undefined, by: keyof World['as'] = 'manager') =>
  world.as[by].put<{ case: CaseRow }>(`/api/cases/${id}/stage`, { stageId })

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

describe('a case', () => {
  it('begins in the first stage of the pipeline, numbered through the whole company, owned by who opened it', async () => {
    const [first, second] = [await open(), await open({ priority: 'Urgent' }, 'elsewhere')]
    expect(first).toMatchObject({
      caseNumber: 'C-00001',
      stageIdLabel: 'New',
      status: 'New',
      priority: 'Normal',
      ownerUserId: world.people.manager.id,
      tenantId: world.branch.id,
      resolvedAt: null,
    })
    expect([second.caseNumber, second.stageId]).toEqual(['C-00002', first.stageId])
  })

  it('is numbered once even when many are opened together', async () => {
    const numbers = (await Promise.all(Array.from({ length: 8 }, () => open()))).map(({ caseNumber }) => caseNumber)
    expect(new Set(numbers).size).toBe(8)
  })

  it('moves along its stages, is settled by leaving the open ones, and can be opened again', async () => {
    const [made, known] = [await open(), await stages()]
    const working = await move(made.Id, known.get('In progress'))
    expect(working.body.data.case).toMatchObject({ status: 'In progress', resolvedAt: null })
    expect(working.body.data.case.firstResponseAt).not.toBeNull()
    const done = await move(made.Id, known.get('Resolved'))
    expect(done.body.data.case).toMatchObject({ status: 'Resolved', firstResponseAt: working.body.data.case.firstResponseAt })
    expect(done.body.data.case.resolvedAt).not.toBeNull()
    expect((await move(made.Id, known.get('Waiting for others'))).body.data.case).toMatchObject({ status: 'Waiting', resolvedAt: null })
    const { body } = await world.as.manager.get<{ timeline: { what: string; who: string }[]; steps: { label: string; is: string }[] }>(
      `/api/cases/${made.Id}/timeline`,
    )
    expect(body.data.timeline.map(({ what }) => what)).toEqual([
      'Resolved → Waiting for others',
      'In progress → Resolved',
      'New → In progress',
      'Opened',
    ])
    expect(body.data.steps.map(({ label, is }) => `${label} ${is}`)).toEqual([
      'New passed',
      'In progress passed',
      'Waiting for others current',
      'Resolved ahead',
    ])
  })

  it('has a board from its workflow: a column for each stage in effect, and the move for who may make it', async () => {
    await open()
    const boardFor = async (by: { get: typeof world.as.manager.get }) =>
      (await by.get<{ view: ListView }>('/api/console/screens/sales-cases')).body.data.view.layouts?.[0]
    const known = await stages()
    const board = await boardFor(world.as.manager)
    expect(board).toMatchObject({
      kind: 'kanban',
      field: 'stageId',
      titleKey: 'title',
      lines: ['caseNumber', 'ownerUserId', 'dueDate'],
      badge: 'priority',
      move: { method: 'PUT', path: '/api/cases/:id/stage' },
    })
    expect(board?.kind === 'kanban' && board.columns.map(({ value }) => value)).toEqual([...known.values()])
    const { make } = world.app
    const role = await make.role({ company: world.company, name: 'Looks on', permissions: ['SALES', 'SALES/CASES'] })
    const looked = await boardFor(await world.app.as(await make.user({ tenant: world.branch, role })))
    expect([looked?.kind, looked?.kind === 'kanban' && looked.move]).toEqual(['kanban', undefined])
  })

  it('moves to no stage of another pipeline, and says which there are', async () => {
    const made = await open()
    const answer = await move(made.Id, '11111111-1111-4111-8111-111111111111')
    expect(answer.status).toBe(409)
    expect(answer.body.details?.['allowed']).toHaveLength(5)
  })

  it('keeps a stage of its pipeline from being taken away', async () => {
    const made = await open()
    const { body } = await world.as.admin.get<{
      pipeline: { Id: string; stages: { Id: string; name: string; statuses: string[]; position?: number }[] }
    }>('/api/pipelines/for/case')
    const { Id, stages: all } = body.data.pipeline
    const [first, second, ...rest] = all
    expect(first?.Id).toBe(made.stageId)
    const answer = await world.as.admin.put(`/api/pipelines/${Id}`, { stages: [{ ...second, statuses: ['New', 'In progress'] }, ...rest] })
    expect([answer.status, answer.body.code]).toEqual([409, 'STILL_IN_USE'])
  })

  it('is commented on, which answers it and notifies its owner', async () => {
    const made = await open({ ownerUserId: world.people.officer.id })
    const answer = await world.as.manager.post(`/api/cases/${made.Id}/comments`, { text: ' Called the client. ' })
    expect([answer.status, answer.body.message]).toEqual([200, 'Comment added'])
    expect((await world.as.manager.get<{ case: CaseRow }>(`/api/cases/${made.Id}`)).body.data.case).toMatchObject({
      comments: 1,
      firstResponseAt: expect.any(String) as string,
    })
    const told = await world.app.database.admin.query('select message, link from notification where "userId" = $1', [
      world.people.officer.id,
    ])
    expect(told.rows).toEqual([{ message: `Baraka commented on ${made.caseNumber}`, link: `/sales/cases/view/${made.Id}` }])
    expect(fieldsOf(await world.as.manager.post(`/api/cases/${made.Id}/comments`, { text: '  ' }))).toEqual(['text'])
  })

  it('is given to somebody else, all or none', async () => {
    const [one, two] = [await open(), await open()]
    expect((await world.as.manager.post('/api/cases/assign', { ids: [one.Id, two.Id], userId: world.people.officer.id })).status).toBe(200)
    await world.as.manager.post('/api/cases/assign', { ids: [one.Id], userId: world.people.officer.id })
    const told = await world.app.database.admin.query(
      'select message, link from notification where "userId" = $1 and message like $2 order by "dateCreated"',
      [world.people.officer.id, '%given to you'],
    )
    expect(told.rows).toEqual([
      { message: '2 cases were given to you', link: '/sales/cases' },
      { message: 'A case was given to you', link: `/sales/cases/view/${one.Id}` },
    ])
    const elsewhere = await open({}, 'elsewhere')
    expect(
      (await world.as.manager.post('/api/cases/assign', { ids: [one.Id, elsewhere.Id], userId: world.people.manager.id })).status,
    ).toBe(404)
    expect((await world.as.manager.get<{ case: CaseRow }>(`/api/cases/${one.Id}`)).body.data.case.ownerUserId).toBe(world.people.officer.id)
    expect(fieldsOf(await world.as.manager.post('/api/cases/assign', { ids: [one.Id], userId: world.people.foreign.id }))).toEqual([
      'ownerUserId',
    ])
  })

  it.each([
    ['title', { title: '' }],
    ['priority', { priority: 'Huge' }],
    ['leadId', { leadId: '11111111-1111-4111-8111-111111111111' }],
    ['nickname', { nickname: 'x' }],
  ])('names the wrong field %s', async (field, over) => {
    const answer = await world.as.manager.post('/api/cases', { title: 'Wrong', ...over })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]])
  })

  it('is found by number and overdue', async () => {
    const late = await open({ title: 'Late one', dueDate: '2026-01-05T10:00:00Z' })
    const found = await world.as.manager.get<{ cases: CaseRow[] }>(
      `/api/cases?search=${late.caseNumber.replace('C-000', 'c-')}&filter=${encodeURIComponent(JSON.stringify([{ field: 'isOverdue', op: 'eq', value: true }]))}`,
    )
    expect(found.body.data.cases.map(({ Id }) => Id)).toEqual([late.Id])
  })

  it('stays behind the walls of company, branch and permission', async () => {
    const made = await open()
    for (const who of ['foreign', 'elsewhere'] as const) {
      expect((await world.as[who].get(`/api/cases/${made.Id}`)).status).toBe(404)
      expect((await world.as[who].post(`/api/cases/${made.Id}/comments`, { text: 'hello' })).status).toBe(404)
    }
    expect((await world.as.officer.post('/api/cases/delete', { id: made.Id })).status).toBe(403)
  })
})
