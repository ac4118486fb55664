import fc from 'fast-check'
import { runCalculator } from '@outpost/rules/calculators/index'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { calculatorInputs } from '../../support/calculator-inputs.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import { capture, read, setColumns } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const inputs = { basicPay: 60_000, grossPay: 80_000, netPay: 52_000, rate: 2, ratePeriod: 'month', termMonths: 24 }
const today = () => new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(new Date())
const assess = (id: string, over: object = {}, by = world.as.officer) =>
  by.post<{ run: { Id: string; ruleSet: { version: number } } }>(`/api/leads/${id}/affordability`, {
    calculator: 'cs-affordability',
    inputs,
    ...over,
  })
const runsOf = async (id: string) =>
  (await world.as.officer.get<{ runs: Record<string, unknown>[] }>(`/api/leads/${id}/affordability-runs`)).body.data.runs

describe('an assessment of a lead', () => {
  it('is summed by the server, kept whole, and shown on the lead', async () => {
    const lead = await capture(world.as.officer)
    const { status, text } = await assess(lead.Id)
    expect(status, text).toBe(200)
    const wanted = runCalculator('cs-affordability', inputs, { country: 'KE', at: today() })
    const [run] = await runsOf(lead.Id)
    expect(run).toMatchObject({
      calculator: 'cs-affordability',
      country: 'KE',
      ruleSetId: wanted.ruleSet.id,
      ruleSetVersion: String(wanted.ruleSet.version),
      inputs: wanted.inputs,
      steps: wanted.steps,
      outcome: wanted.outcome,
      result: { figures: wanted.result, reasons: wanted.reasons, unverified: wanted.ruleSet.unverified },
      who: 'Chidi Officer',
    })
    expect(await read(world.as.officer, lead.Id)).toMatchObject({
      affordabilityOutcome: wanted.outcome,
      installmentAmount: Number(wanted.result['instalment']),
      totalAffordability: Number(wanted.result['affordability']),
    })
  })

  it('can be read step by step, with what was entered, by who may see the lead', async () => {
    const lead = await capture(world.as.officer)
    const { body } = await assess(lead.Id)
    const path = `/api/leads/affordability-runs/${body.data.run.Id}`
    expect((await world.as.manager.get<{ affordabilityRun: object }>(path)).body.data.affordabilityRun).toMatchObject({
      calculator: 'cs-affordability',
      leadIdLabel: 'Wanjiru Kamau',
      country: 'KE',
    })
    const wanted = runCalculator('cs-affordability', inputs, { country: 'KE', at: today() })
    const shown = await world.as.manager.get<{ steps: object[]; inputs: object[] }>(`${path}/steps`)
    expect(shown.body.data.steps).toEqual(wanted.steps)
    expect(shown.body.data.inputs).toContainEqual({ name: 'netPay', value: '52000' })
    for (const who of [world.as.elsewhere, world.as.foreign])
      expect([(await who.get(path)).status, (await who.get(`${path}/steps`)).status]).toEqual([404, 404])
  })

  it('is the calculator’s own for any inputs', async () => {
    const lead = await capture(world.as.officer)
    const choice = { country: 'KE', at: today() }
    await fc.assert(
      fc.asyncProperty(calculatorInputs('cs-affordability', choice), async (given) => {
        const sent = JSON.parse(JSON.stringify(given)) as Record<string, unknown>
        const wanted = runCalculator('cs-affordability', sent, choice)
        const { status, body, text } = await assess(lead.Id, { inputs: sent })
        expect(status, text).toBe(200)
        expect(body.data.run).toMatchObject({ result: wanted.result, outcome: wanted.outcome, steps: wanted.steps })
      }),
      { numRuns: 15 },
    )
  })

  it('never changes, whoever tries, and the next one is stored beside it', async () => {
    const {
      database: { admin },
    } = world.app
    const lead = await capture(world.as.officer)
    await assess(lead.Id)
    const [first] = await runsOf(lead.Id)
    for (const change of [
      `update affordability_run set outcome = 'PASS' where "leadId" = $1`,
      `delete from affordability_run where "leadId" = $1`,
    ]) {
      await expect(admin.query(change, [lead.Id])).rejects.toThrow('never changed')
    }
    const {
      rows: [right],
    } = await admin.query(
      `select has_table_privilege('fx_app', 'affordability_run', 'update') or has_table_privilege('fx_app', 'affordability_run', 'delete') as may`,
    )
    expect(right).toEqual({ may: false })
    await assess(lead.Id, { inputs: { ...inputs, netPay: 21_000 } })
    const runs = await runsOf(lead.Id)
    expect([runs.length, runs[1]]).toEqual([2, first])
  })

  it('believes neither a foreign rule set, a made-up input nor a calculator that judges nothing', async () => {
    const lead = await capture(world.as.officer)
    const stale = await assess(lead.Id, { ruleSetVersion: 999 })
    expect([stale.status, stale.body.code]).toEqual([409, 'CONFLICT'])
    expect(fieldsOf(await assess(lead.Id, { inputs: { ...inputs, result: 'PASS' } }))).toEqual(['result'])
    expect(fieldsOf(await assess(lead.Id, { calculator: 'lbf-premium' }))).toEqual(['calculator'])
    expect((await assess(lead.Id, { outcome: 'PASS' })).status).toBe(422)
    expect((await assess(lead.Id, {}, world.as.elsewhere)).status).toBe(404)
    expect(await runsOf(lead.Id)).toEqual([])
    expect((await read(world.as.officer, lead.Id))['affordabilityOutcome']).toBe('NONE')
  })

  it('that was referred passes on the word of credit, with a reason', async () => {
    const { app, as, branch } = world
    const credit = await app.as(await app.make.user({ tenant: branch, role: 'credit' }))
    const lead = await capture(as.officer)
    const approve = (by: typeof credit, body: object = { reason: 'Long-standing client' }) =>
      by.post(`/api/leads/${lead.Id}/approve-referral`, body)
    expect((await approve(credit)).body.code).toBe('ILLEGAL_TRANSITION')
    await setColumns(app, lead.Id, { affordabilityOutcome: 'REFER' })
    expect((await approve(as.officer)).status).toBe(403)
    expect(fieldsOf(await approve(credit, { reason: '' }))).toEqual(['reason'])
    expect((await approve(credit)).status).toBe(200)
    expect((await read(as.officer, lead.Id))['affordabilityOutcome']).toBe('REFER APPROVED')
  })
})
