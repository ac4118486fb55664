import { Failure } from '@outpost/contract/errors'
import { describe, expect, it } from 'vitest'
import type { Ctx } from '../../kernel/types.ts'
import { assertTransition, prepareLead } from './lead.rules.ts'

const ctx = { company: { country: 'KE' }, user: { id: 'u1', firstName: 'Amina', lastName: 'Otieno' } } as Ctx
const write = { isSync: false, id: 'l1' } as const

function failureOf(run: () => unknown): Failure {
  try {
    run()
  } catch (error) {
    if (error instanceof Failure) return error
    throw error
  }
  throw new Error('nothing failed')
}

describe('a lead before it is written', () => {
  it('keeps the number as typed beside its one form, and where it came from', async () => {
    expect(await prepareLead(ctx, { ...write, kind: 'create', input: { phonenumber: '0712 345 678' } })).toMatchObject({
      trimmedPhonenumber: '254712345678',
      source: 'UI',
    })
  })

  it('names the field of a number nobody can call', async () => {
    await expect(prepareLead(ctx, { ...write, kind: 'create', input: { phonenumber: '12' } })).rejects.toMatchObject({
      failure: 'INVALID',
      more: { fields: [{ field: 'phonenumber' }] },
    })
  })

  it.each([
    [0, 36.8],
    [-1.2, 999],
  ])('stores no position for %s, %s', async (latitude, longitude) => {
    const input = { latitude, longitude } as never
    expect(await prepareLead(ctx, { ...write, kind: 'update', input })).toEqual({ latitude: null, longitude: null })
  })
})

describe('a change of status', () => {
  const lead = { status: 'New', consentStatus: 'NONE PROVIDED', affordabilityOutcome: 'NONE' }
  it('follows the lifecycle', () => expect(() => assertTransition(lead, 'Contacted', null)).not.toThrow())

  it('answers the allowed list for one that cannot follow', () => {
    const failure = failureOf(() => assertTransition(lead, 'Approved', null))
    expect(failure.failure).toBe('ILLEGAL_TRANSITION')
    expect(failure.more.details?.['allowed']).toContain('Contacted')
  })

  it('asks why a lead is lost', () => expect(failureOf(() => assertTransition(lead, 'Junk', ' ')).more.fields?.[0]?.field).toBe('reason'))

  it('waits for consent before Qualified', () => {
    const asked = { ...lead, status: 'Consent requested' }
    expect(failureOf(() => assertTransition(asked, 'Qualified', null)).message).toMatch(/consent/)
    expect(() => assertTransition({ ...asked, consentStatus: 'GRANTED' }, 'Qualified', null)).not.toThrow()
  })
})
