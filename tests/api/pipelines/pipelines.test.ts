import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultStages, type Stage } from '@outpost/rules/leads/pipeline-stages'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface StageRow extends Stage {
  Id: string
  position: number
}
interface PipelineRow {
  Id: string | null
  name: string
  isDefault: boolean
  tenantId: string
  stages: StageRow[]
}

let world: World
const leadStages = () => defaultStages.lead.map((stage) => ({ ...stage, statuses: [...stage.statuses] }))
const create = async (body: object, headers = {}) => {
  const answer = await world.as.admin.post<{ pipeline: PipelineRow }>(
    '/api/pipelines',
    { entity: 'lead', name: 'Ours', stages: leadStages(), ...body },
    headers,
  )
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.pipeline
}
const inEffect = async (who: keyof World['as'], entity = 'lead') =>
  (await world.as[who].get<{ pipeline: PipelineRow }>(`/api/pipelines/for/${entity}`)).body.data.pipeline

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

describe('a pipeline', () => {
  it('is the standard one until the company has its own', async () => {
    expect(await inEffect('officer')).toMatchObject({ Id: null, stages: defaultStages.lead.map(({ name }) => ({ name })) })
    const made = await create({ isDefault: true })
    expect(made.stages.map(({ name, position }) => [name, position])).toEqual(defaultStages.lead.map(({ name }, index) => [name, index]))
    expect(await inEffect('officer')).toMatchObject({ Id: made.Id })
  })

  it('of a branch goes before the company’s, and a new default takes the place of the old', async () => {
    const branch = await create({ name: 'Nairobi way', isDefault: true }, { 'x-tenant-id': world.branch.id })
    expect([branch.tenantId, (await inEffect('officer')).Id, (await inEffect('elsewhere')).name]).toEqual([
      world.branch.id,
      branch.Id,
      'Ours',
    ])
    const second = await create({ name: 'Nairobi new way', isDefault: true }, { 'x-tenant-id': world.branch.id })
    expect((await inEffect('officer')).Id).toBe(second.Id)
    expect((await world.as.admin.get<{ pipeline: PipelineRow }>(`/api/pipelines/${branch.Id}`)).body.data.pipeline.isDefault).toBe(false)
  })

  it('keeps its stages by Id when they are moved, renamed and added', async () => {
    const made = await create({ name: 'Moved' })
    const [first, second, ...rest] = made.stages.map(({ position: _, ...stage }) => stage) as [StageRow, StageRow, ...StageRow[]]
    const stages = [
      { ...second, name: 'Talking', statuses: ['Contacted'] },
      first,
      { name: 'Warm', colour: 'lime', probability: 30, type: 'open', statuses: ['Nurture'] },
      ...rest,
    ]
    const saved = await world.as.admin.put<{ pipeline: PipelineRow }>(`/api/pipelines/${made.Id}`, { stages })
    expect(saved.status, saved.text).toBe(200)
    const after = saved.body.data.pipeline.stages
    expect(after.slice(0, 3).map(({ name }) => name)).toEqual(['Talking', 'New', 'Warm'])
    expect([after[0]?.Id, after[1]?.Id]).toEqual([second.Id, first.Id])
  })

  it.each([
    [
      'a status twice',
      (stages: Stage[]) => [{ ...stages[0], statuses: ['New', 'Assigned', 'Recycled', 'Converted'] }, ...stages.slice(1)],
      'stages.0.type',
    ],
    ['a status nowhere', (stages: Stage[]) => [{ ...stages[0], statuses: ['New'] }, ...stages.slice(1)], 'stages.6.statuses'],
    ['a name twice', (stages: Stage[]) => [{ ...stages[0], name: 'lost' }, ...stages.slice(1)], 'stages.6.name'],
    ['a probability beyond 100', (stages: Stage[]) => [{ ...stages[0], probability: 101 }, ...stages.slice(1)], 'stages.0.probability'],
    ['no stage', () => [], 'stages'],
  ])('refuses %s and says where', async (_, change, field) => {
    const answer = await world.as.admin.post('/api/pipelines', { entity: 'lead', name: 'Wrong', stages: change(leadStages()) })
    expect([answer.status, fieldsOf(answer).includes(field)]).toEqual([422, true])
  })

  it('in use is not deleted but counted, and what was deleted comes back', async () => {
    const { as } = world
    const caseStages = defaultStages.case.map((stage) => ({ ...stage, statuses: [...stage.statuses] }))
    const before = await inEffect('admin', 'case')
    const made = await create({ entity: 'case', name: 'Disputes', isDefault: true, stages: caseStages })
    const opened = await as.officer.post<{ case: { Id: string } }>('/api/cases', { title: 'Papers' })
    const remove = () => as.admin.post('/api/pipelines/delete', { id: made.Id })
    expect(await remove()).toMatchObject({
      status: 409,
      body: { code: 'STILL_IN_USE', message: '1 case is in Disputes. Move them first.', details: { cases: 1 } },
    })
    expect((await as.manager.post('/api/cases/delete', { id: opened.body.data.case.Id })).status).toBe(200)
    expect((await remove()).status).toBe(200)
    expect((await inEffect('admin', 'case')).Id).toBe(before.Id)
    expect((await as.admin.post('/api/pipelines/restore', { ids: [made.Id] })).status).toBe(200)
    expect(await inEffect('admin', 'case')).toMatchObject({ Id: made.Id, stages: caseStages.map(({ name }) => ({ name })) })
    expect((await as.admin.post('/api/pipelines/delete', { id: made.Id })).status).toBe(200)

    await as.officer.post('/api/leads', { firstName: 'Wanjiru', lastName: 'Kamau', phonenumber: '0714000111' })
    const ours = await create({ name: 'Leads way', isDefault: true })
    expect((await as.admin.post('/api/pipelines/delete', { id: ours.Id })).body).toMatchObject({
      code: 'STILL_IN_USE',
      details: { leads: 1 },
    })
  })

  it('gives a stage that was left out back under its Id', async () => {
    const made = await create({ name: 'Shorter' })
    const stages = made.stages.map(({ position: _, ...stage }) => stage)
    const put = (next: object[]) => world.as.admin.put<{ pipeline: PipelineRow }>(`/api/pipelines/${made.Id}`, { stages: next })
    const [first, second, ...rest] = stages as [StageRow, StageRow, ...StageRow[]]
    expect((await put([{ ...first, statuses: [...first.statuses, ...second.statuses] }, ...rest])).status).toBe(200)
    const back = await put(stages)
    expect([back.status, back.body.data.pipeline.stages.map(({ Id }) => Id)]).toEqual([200, stages.map(({ Id }) => Id)])
  })

  it('takes no stage of another pipeline', async () => {
    const [one, other] = [await create({ name: 'One' }), await create({ name: 'Other' })]
    const stages = one.stages.map(({ position: _, ...stage }, index) => (index === 0 ? { ...stage, Id: other.stages[0]?.Id } : stage))
    const answer = await world.as.admin.put(`/api/pipelines/${one.Id}`, { stages })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['stages.0.Id']])
  })

  it('is set up by administrators only, read by sales, and out of sight of strangers', async () => {
    const made = await create({ name: 'Walls' })
    expect((await world.as.manager.get(`/api/pipelines/${made.Id}`)).status).toBe(200)
    expect((await world.as.manager.put(`/api/pipelines/${made.Id}`, { name: 'Mine' })).status).toBe(403)
    expect((await world.as.foreign.get(`/api/pipelines/${made.Id}`)).status).toBe(404)
    expect((await world.as.foreign.put(`/api/pipelines/${made.Id}`, { name: 'Theirs' })).status).toBe(404)
    expect((await world.as.foreign.get<{ stages: object[] }>('/api/pipelines/stages')).body.data.stages).toEqual([])
  })

  it('of a tenant above is read there, but changed above only', async () => {
    const own = await world.app.make.role({ company: world.company, name: 'Branch set-up', permissions: ['SALES', 'ADMIN/SETTINGS'] })
    const setter = await world.app.as(await world.app.make.user({ tenant: world.branch, roles: [own] }))
    const made = await create({ name: 'Of the company' })
    expect((await setter.get(`/api/pipelines/${made.Id}`)).status).toBe(200)
    expect((await setter.put(`/api/pipelines/${made.Id}`, { name: 'Of the branch' })).status).toBe(403)
    expect((await setter.post('/api/pipelines/delete', { id: made.Id })).status).toBe(403)
  })
})
