import { runCalculator } from '@outpost/rules/calculators/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capture, leadAlong, read } from '../leads/world.ts'
import { dayFrom, makeLending, type Lending } from '../loans/lending.ts'
import { publishProduct } from '../products/fixture.ts'
import { fieldsOf, type World } from '../world.ts'

let lending: Lending
let world: World
type Who = keyof World['as']
interface Run {
  Id: string
  outcome: string
  calculator: string
}

beforeAll(async () => {
  lending = await makeLending()
  world = lending.world
})
afterAll(() => world.app.close())

const inputs = { basicPay: 60_000, grossPay: 80_000, netPay: 52_000, rate: 2, ratePeriod: 'month', termMonths: 24 }
const assess = (id: string, over: object = {}, who: Who = 'officer') =>
  world.as[who].post<{ run: Run; client: { Id: string } }>(`/api/clients/${id}/affordability`, {
    calculator: 'cs-affordability',
    inputs,
    ...over,
  })
const assessed = async (id: string, over: object = {}) => {
  const answer = await assess(id, over)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.run
}
const runsOf = async (id: string, who: Who = 'officer') =>
  (await world.as[who].get<{ runs: Run[] }>(`/api/clients/${id}/affordability-runs`)).body.data.runs.map(({ Id }) => Id)
const listed = async (who: Who = 'officer') =>
  (await world.as[who].get<{ clients: { Id: string; leadId: string | null; runId: string }[] }>('/api/clients/affordability')).body.data
    .clients

describe('a client who was never a lead', () => {
  it('is assessed by the server, kept for good, shown on the client and listed with those who were', async () => {
    const clientId = await lending.client()
    const run = await assessed(clientId)
    const wanted = runCalculator('cs-affordability', inputs, { country: 'KE', at: dayFrom(0) })
    expect(run).toMatchObject({ outcome: wanted.outcome, result: wanted.result, steps: wanted.steps })
    expect(await runsOf(clientId)).toEqual([run.Id])
    expect(await listed()).toContainEqual(expect.objectContaining({ Id: clientId, leadId: null, runId: run.Id, isOutdated: false }))
    const path = `/api/leads/affordability-runs/${run.Id}`
    const { body } = await world.as.officer.get<{ affordabilityRun: object }>(path)
    expect(body.data.affordabilityRun).toMatchObject({ clientId, clientIdLabel: expect.any(String), leadId: null })
    expect((await world.as.officer.get<{ steps: object[] }>(`${path}/steps`)).body.data.steps).toEqual(wanted.steps)
    await expect(lending.rows(`update affordability_run set outcome = 'FAIL' where id = $1`, run.Id)).rejects.toThrow('never changed')
    const audited = await lending.rows(
      `select after ->> 'runId' as run from audit_log where action = 'client.assess' and "objectId" = $1`,
      clientId,
    )
    expect(audited).toEqual([{ run: run.Id }])
  })

  it('sends in an application of a product with a calculator, which pins the assessment', async () => {
    const productId = await publishProduct(world.as.admin, 'STRICT', { calculator: 'cs-affordability' })
    const clientId = await lending.client()
    const made = await world.as.officer.post<{ loanApplication: { Id: string } }>('/api/applications', {
      productId,
      clientId,
      amount: 10_000,
      instalments: 12,
    })
    const path = `/api/applications/${made.body.data.loanApplication.Id}`
    const submit = () => world.as.officer.post(`${path}/move`, { move: 'submit' })
    expect((await submit()).body.message).toBe('There is no assessment of what the applicant can afford.')
    await assessed(await lending.client())
    expect((await submit()).body.message).toBe('There is no assessment of what the applicant can afford.')
    const run = await assessed(clientId)
    const sent = await submit()
    expect(sent.status, sent.text).toBe(200)
    const later = await assessed(clientId, { inputs: { ...inputs, netPay: 51_000 } })
    expect(later.Id).not.toBe(run.Id)
    const { body } = await world.as.officer.get<{ loanApplication: object }>(path)
    expect(body.data.loanApplication).toMatchObject({ clientId, leadId: null, affordabilityRunId: run.Id })
  })

  it('is not assessed by whoever does not see or may not change the client, nor under rules nobody knows', async () => {
    const clientId = await lending.client()
    expect([(await assess(clientId, {}, 'elsewhere')).status, (await assess(clientId, {}, 'foreign')).status]).toEqual([404, 404])
    expect((await assess(clientId, { ruleSetVersion: 999 })).body.code).toBe('CONFLICT')
    expect(fieldsOf(await assess(clientId, { calculator: 'lbf-premium' }))).toEqual(['calculator'])
    const reader = await world.app.as(await world.app.make.user({ tenant: world.team, roles: [], permissions: ['CLIENTS'] }))
    expect((await reader.post(`/api/clients/${clientId}/affordability`, { calculator: 'cs-affordability', inputs })).status).toBe(403)
    expect(await runsOf(clientId)).toEqual([])
    const { Id } = await assessed(clientId)
    const path = `/api/leads/affordability-runs/${Id}`
    const sales = await world.app.as(await world.app.make.user({ tenant: world.team, roles: [], permissions: ['SALES/LEADS'] }))
    expect([(await reader.get(path)).status, (await sales.get(path)).status, (await world.as.elsewhere.get(path)).status]).toEqual([
      200, 404, 404,
    ])
    expect((await sales.get('/api/leads/affordability-runs')).text).not.toContain(Id)
  })
})

it('a client who was a lead is assessed as both, and the lead stands as it stood', async () => {
  const lead = await capture(world.as.officer)
  await leadAlong(world.app, world.as.officer, lead.Id, [
    'Contacted',
    'Consent requested',
    'Qualified',
    'Onboarding',
    'Submitted',
    'Approved',
  ])
  const answer = await world.as.officer.post<{ client: { Id: string } }>(`/api/leads/${lead.Id}/convert`)
  expect(answer.status, answer.text).toBe(200)
  const { Id: clientId } = answer.body.data.client
  const before = await read(world.as.officer, lead.Id)
  const run = await assessed(clientId)
  const ofLead = await world.as.officer.get<{ runs: Run[] }>(`/api/leads/${lead.Id}/affordability-runs`)
  expect(ofLead.body.data.runs.map(({ Id }) => Id)).toContain(run.Id)
  expect((await runsOf(clientId))[0]).toBe(run.Id)
  expect(await read(world.as.officer, lead.Id)).toEqual(before)
})

it('assessments of a client who was merged are those of the one that stayed, until they are parted', async () => {
  const [winner, loser] = [await lending.client(), await lending.client()]
  const run = await assessed(loser)
  const merged = await world.as.manager.post<{ merge: { Id: string } }>('/api/clients/merge', { winnerId: winner, loserId: loser })
  expect(merged.status, merged.text).toBe(200)
  expect([await runsOf(winner), (await listed()).find(({ Id }) => Id === winner)?.runId]).toEqual([[run.Id], run.Id])
  expect((await world.as.manager.post(`/api/clients/merges/${merged.body.data.merge.Id}/undo`)).status).toBe(200)
  expect([await runsOf(winner), await runsOf(loser)]).toEqual([[], [run.Id]])
})
