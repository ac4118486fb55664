import { describe, expect, it } from 'vitest'
import { leadStatuses, leadStatusNames, needsReason, nextLeadStatuses, refuseLeadStatus } from './lead-status.ts'

describe('lead statuses', () => {
  it('leads only to statuses that exist, never to itself', () => {
    for (const name of leadStatusNames) {
      expect(leadStatusNames).toEqual(expect.arrayContaining([...nextLeadStatuses(name)]))
      expect(nextLeadStatuses(name)).not.toContain(name)
    }
  })

  it('reaches Converted from New and lets the lost be recycled', () => {
    const reached = new Set(['New'])
    for (const name of reached) for (const next of nextLeadStatuses(name)) reached.add(next)
    expect(reached).toContain('Converted')
    expect(reached.size).toBe(leadStatusNames.length)
    for (const name of leadStatusNames) if (leadStatuses[name].type === 'Lost') expect(nextLeadStatuses(name)).toEqual(['Recycled'])
  })

  it('goes to and fro between Contacted and Nurture, not from New to Submitted', () => {
    expect(nextLeadStatuses('Contacted')).toContain('Nurture')
    expect(nextLeadStatuses('Nurture')).toContain('Contacted')
    expect(nextLeadStatuses('New')).not.toContain('Submitted')
    expect(nextLeadStatuses('Whatever')).toEqual([])
  })

  it('guards Qualified by consent and Submitted by affordability', () => {
    const lead = { consentStatus: 'NONE PROVIDED', affordabilityOutcome: 'NONE' }
    expect(refuseLeadStatus('Qualified', lead)).toMatch(/consent/)
    expect(refuseLeadStatus('Qualified', { ...lead, consentStatus: 'GRANTED' })).toBeNull()
    const willing = { ...lead, consentStatus: 'GRANTED' }
    expect(refuseLeadStatus('Submitted', { ...willing, affordabilityOutcome: 'REFER' })).toMatch(/affordability/)
    expect(refuseLeadStatus('Submitted', { ...willing, affordabilityOutcome: 'REFER APPROVED' })).toBeNull()
    expect(refuseLeadStatus('Submitted', { ...lead, consentStatus: 'WITHDRAWN', affordabilityOutcome: 'PASS' })).toMatch(/withdrawn/)
    for (const name of ['Submitted', 'Approved', 'Converted'] as const) {
      expect(refuseLeadStatus(name, { ...willing, affordabilityOutcome: 'FAIL' })).toMatch(/not passed/)
      expect(refuseLeadStatus(name, { ...willing, affordabilityOutcome: 'PASS', outdatedAfterDays: 90 })).toMatch(/older than 90 days/)
    }
  })

  it('requires a reason for lost leads only', () => {
    expect(needsReason('Junk')).toBe(true)
    expect(needsReason('Contacted')).toBe(false)
  })
})
