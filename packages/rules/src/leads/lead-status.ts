/** Lead statuses with their fixed type (for reports) and the statuses that may follow; domain rule 4.1. */
export const leadStatuses = {
  New: { type: 'Open', colour: 'blue', next: ['Assigned', 'Contacted', 'Unqualified', 'Declined by client', 'Junk', 'Dormant'] },
  Assigned: { type: 'Open', colour: 'geekblue', next: ['Contacted', 'Unqualified', 'Declined by client', 'Junk', 'Dormant'] },
  Contacted: {
    type: 'Ongoing',
    colour: 'cyan',
    next: ['Nurture', 'Consent requested', 'Unqualified', 'Declined by client', 'Junk', 'Dormant'],
  },
  Nurture: {
    type: 'Ongoing',
    colour: 'purple',
    next: ['Contacted', 'Consent requested', 'Unqualified', 'Declined by client', 'Junk', 'Dormant'],
  },
  'Consent requested': {
    type: 'Ongoing',
    colour: 'gold',
    next: ['Qualified', 'Contacted', 'Unqualified', 'Declined by client', 'Dormant'],
  },
  Qualified: {
    type: 'Ongoing',
    colour: 'lime',
    next: ['Onboarding', 'Unqualified', 'Declined by client', 'Declined by credit', 'Dormant'],
  },
  Onboarding: { type: 'Ongoing', colour: 'orange', next: ['Submitted', 'Declined by client', 'Declined by credit', 'Dormant'] },
  Submitted: { type: 'Ongoing', colour: 'geekblue', next: ['Approved', 'Declined by credit', 'Declined by client'] },
  Approved: { type: 'Ongoing', colour: 'green', next: ['Converted', 'Declined by client', 'Declined by credit'] },
  Converted: { type: 'Won', colour: 'green', next: [] },
  Unqualified: { type: 'Lost', colour: 'default', next: ['Recycled'] },
  'Declined by client': { type: 'Lost', colour: 'default', next: ['Recycled'] },
  'Declined by credit': { type: 'Lost', colour: 'red', next: ['Recycled'] },
  Junk: { type: 'Lost', colour: 'default', next: ['Recycled'] },
  Dormant: { type: 'Lost', colour: 'default', next: ['Recycled'] },
  Recycled: { type: 'Open', colour: 'magenta', next: ['Assigned', 'Contacted', 'Junk'] },
} as const satisfies Record<string, { type: 'Open' | 'Ongoing' | 'Won' | 'Lost'; colour: string; next: readonly string[] }>

export type LeadStatus = keyof typeof leadStatuses
export const leadStatusNames = Object.keys(leadStatuses) as LeadStatus[]
export const isLeadStatus = (value: string): value is LeadStatus => Object.hasOwn(leadStatuses, value)

/** Statuses that may follow; empty for a status this table does not know. */
export function nextLeadStatuses(from: string): readonly LeadStatus[] {
  return isLeadStatus(from) ? leadStatuses[from].next : []
}

/** Leaving the pipeline unsuccessfully requires a reason. */
export const needsReason = (status: LeadStatus) => leadStatuses[status].type === 'Lost'

/** Moves that decide on credit: they require its permission and a person who did not prepare the lead. */
const creditDecisions: readonly LeadStatus[] = ['Approved', 'Declined by credit']
export const isCreditDecision = (status: LeadStatus) => creditDecisions.includes(status)

export interface LeadGuardState {
  consentStatus: string
  affordabilityOutcome: string
  /** Set when the last assessment is outdated: the validity of assessments in days. */
  outdatedAfterDays?: number
}

/** Statuses that require the client's consent. */
export const needsConsent: readonly LeadStatus[] = ['Qualified', 'Onboarding', 'Submitted', 'Approved', 'Converted']
/** Statuses that require a passed last assessment. */
export const needsAssessment: readonly LeadStatus[] = ['Submitted', 'Approved', 'Converted']

export const passedOutcomes: readonly string[] = ['PASS', 'REFER APPROVED']

/** The further requirement of a status that the lead does not meet at this moment; null when there is none. */
export function refuseLeadStatus(to: LeadStatus, lead: LeadGuardState): string | null {
  if (needsConsent.includes(to) && lead.consentStatus !== 'GRANTED') {
    const answered = {
      WITHDRAWN: 'has withdrawn consent',
      DECLINED: 'has declined consent',
      EXPIRED: 'did not answer the request for consent',
    }[lead.consentStatus]
    return `The client ${answered ?? 'has not granted consent yet'}.`
  }
  if (!needsAssessment.includes(to)) return null
  if (lead.affordabilityOutcome === 'EXPIRED') return 'The affordability assessment has expired. Make a new one.'
  if (!passedOutcomes.includes(lead.affordabilityOutcome)) return 'The affordability assessment has not passed.'
  return lead.outdatedAfterDays === undefined
    ? null
    : `The affordability assessment is older than ${lead.outdatedAfterDays} days. Make a new one.`
}

/** True when an assessment of that time is no longer valid. */
export function isOutdated(assessedAt: Date | string | null | undefined, days: number, now = Date.now()): boolean {
  return assessedAt === null || assessedAt === undefined || new Date(assessedAt).getTime() < now - days * 86_400_000
}
