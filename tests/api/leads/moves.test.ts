import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ListView } from '@outpost/contract/views'
import type { SignedInClient } from '../../support/app.ts'
import { makeWorld, type World } from '../world.ts'
import { capture, read, setColumns } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const movesFor = async (by: SignedInClient) =>
  (await by.get<{ view: ListView }>('/api/console/screens/sales-leads')).body.data.view.columns.find(({ key }) => key === 'status')?.moves
const move = async (id: string, status: string, by = world.as.officer, reason?: string) => {
  const answer = await by.put(`/api/leads/status/${id}`, { status, ...(reason ? { reason } : {}) })
  expect(answer.status, answer.text).toBe(200)
}
const undo = (id: string, by = world.as.officer) => by.post(`/api/leads/${id}/undo-status`)

describe('the status in a list', () => {
  it('says what may follow what, for which leads, what is asked first, and where it is kept offline', async () => {
    const moves = await movesFor(world.as.officer)
    expect(moves).toMatchObject({
      call: { method: 'PUT', path: '/api/leads/status/:id' },
      undo: { method: 'POST', path: '/api/leads/:id/undo-status' },
      one: 'lead',
      offline: 'lead',
      kept: { reason: 'statusReason' },
      conditions: { Qualified: { eq: ['consentStatus', 'GRANTED'] } },
    })
    expect(moves?.next['New']).toEqual(['Assigned', 'Contacted', 'Unqualified', 'Declined by client', 'Junk', 'Dormant'])
    expect(Object.keys(moves?.forms ?? {}).toSorted()).toEqual([
      'Declined by client',
      'Declined by credit',
      'Dormant',
      'Junk',
      'Unqualified',
    ])
    expect(Object.values(moves?.next ?? {}).flat()).not.toContain('Converted')
  })

  it('offers what credit decides to credit alone, and nothing to who may only look', async () => {
    const { make } = world.app
    const credit = await world.app.as(await make.user({ tenant: world.branch, role: 'credit' }))
    expect((await movesFor(credit))?.next['Submitted']).toContain('Approved')
    expect((await movesFor(world.as.officer))?.next['Submitted']).toEqual(['Declined by client'])
    const viewer = await make.role({ company: world.company, name: 'Looks on', permissions: ['SALES', 'SALES/LEADS'] })
    expect(await movesFor(await world.app.as(await make.user({ tenant: world.branch, role: viewer })))).toBeUndefined()
  })
})

describe('the own last move', () => {
  it('is taken back with the reason and the age of the former status', async () => {
    const { Id } = await capture(world.as.officer)
    await move(Id, 'Junk', world.as.officer, 'A wrong number')
    const before = await read(world.as.officer, Id)
    await move(Id, 'Recycled')
    expect((await undo(Id)).status).toBe(200)
    const now = await read(world.as.officer, Id)
    expect(now).toMatchObject({ status: 'Junk', statusReason: 'A wrong number' })
    expect(
      Math.abs(new Date(String(now['statusSince'])).getTime() - new Date(String(before['statusSince'])).getTime()),
    ).toBeLessThanOrEqual(1_000)
    expect(Number(now.version)).toBeGreaterThan(Number(before.version))
  })

  it('is not taken back twice, by another person, after another move, or late', async () => {
    const { Id } = await capture(world.as.officer)
    expect((await undo(Id)).body.code).toBe('ILLEGAL_TRANSITION')
    await move(Id, 'Contacted')
    expect((await undo(Id, world.as.manager)).status).toBe(409)
    expect((await undo(Id)).status).toBe(200)
    expect((await undo(Id)).body).toMatchObject({ code: 'ILLEGAL_TRANSITION', message: 'This was undone already.' })
    await move(Id, 'Contacted')
    await move(Id, 'Nurture', world.as.manager)
    expect((await undo(Id)).status).toBe(409)
    await world.app.database.admin.query(
      `update record_move set "dateCreated" = "dateCreated" - interval '16 minutes' where "objectId" = $1`,
      [Id],
    )
    expect((await undo(Id, world.as.manager)).status).toBe(409)
    expect((await undo(Id, world.as.elsewhere)).status).toBe(404)
    expect((await read(world.as.officer, Id)).status).toBe('Nurture')
  })

  it('is not taken back to a status that the lead may not have by now', async () => {
    const { Id } = await capture(world.as.officer)
    await setColumns(world.app, Id, { consentStatus: 'GRANTED', consentDate: new Date() })
    for (const status of ['Contacted', 'Consent requested', 'Qualified']) await move(Id, status)
    await move(Id, 'Dormant', world.as.officer, 'Travels for a year')
    await setColumns(world.app, Id, { consentStatus: 'WITHDRAWN' })
    expect((await undo(Id)).body).toMatchObject({ code: 'ILLEGAL_TRANSITION', message: 'The client has withdrawn consent.' })
  })

  it('is not taken back where credit has decided', async () => {
    const { Id } = await capture(world.as.officer)
    await setColumns(world.app, Id, {
      consentStatus: 'GRANTED',
      consentDate: new Date(),
      affordabilityOutcome: 'PASS',
      affordabilityDate: new Date(),
    })
    for (const status of ['Contacted', 'Consent requested', 'Qualified', 'Onboarding', 'Submitted']) await move(Id, status)
    const credit = await world.app.as(await world.app.make.user({ tenant: world.branch, role: 'credit' }))
    await move(Id, 'Approved', credit)
    expect((await undo(Id, credit)).body).toMatchObject({ code: 'ILLEGAL_TRANSITION', message: 'A decision on credit is not taken back.' })
    expect((await read(credit, Id)).status).toBe('Approved')
  })
})

describe('the steps of a lead', () => {
  const steps = async (id: string) => {
    const { body } = await world.as.officer.get<{ steps: { label: string; is: string; at?: string; who?: string }[] }>(
      `/api/leads/${id}/timeline`,
    )
    return body.data.steps
  }
  const told = async (id: string) => (await steps(id)).map(({ label, is }) => `${label} ${is}`)

  it('are its path: passed and skipped ones, the present one with date and person, and those ahead', async () => {
    const { Id } = await capture(world.as.officer)
    expect((await told(Id)).slice(0, 2)).toEqual(['New current', 'Assigned ahead'])
    await move(Id, 'Contacted', world.as.manager)
    expect((await told(Id)).slice(0, 4)).toEqual(['New passed', 'Assigned skipped', 'Contacted current', 'Consent requested ahead'])
    const { firstName, lastName } = world.people.manager as unknown as { firstName: string; lastName: string }
    const [made, skipped, now] = await steps(Id)
    expect([made?.at, now?.at].every(Boolean)).toBe(true)
    expect(now?.who).toBe(`${firstName} ${lastName}`)
    expect(skipped).toEqual({ label: 'Assigned', is: 'skipped' })
    const detail = await world.as.officer.get<{ view: { hasSteps?: boolean } }>('/api/console/screens/sales-leads-id-view')
    expect(detail.body.data.view.hasSteps).toBe(true)
  })

  it('show a state beside the path where it is, and end where the lead was lost', async () => {
    const { Id } = await capture(world.as.officer)
    for (const status of ['Contacted', 'Nurture']) await move(Id, status)
    expect((await told(Id)).slice(2, 5)).toEqual(['Contacted passed', 'Nurture current', 'Consent requested ahead'])
    await move(Id, 'Dormant', world.as.officer, 'Travels for a year')
    expect(await told(Id)).toEqual(['New passed', 'Assigned skipped', 'Contacted passed', 'Dormant ended'])
  })
})
