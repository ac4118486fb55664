import { leadStatuses, leadStatusNames, type LeadStatus } from './lead-status.ts'

/** Days in one status after which a lead is stale; our default until a company sets its own. Ended leads are never stale. */
export const staleAfterDays: Partial<Record<LeadStatus, number>> = {
  New: 2,
  Assigned: 3,
  Contacted: 7,
  Nurture: 30,
  'Consent requested': 7,
  Qualified: 5,
  Onboarding: 7,
  Submitted: 5,
  Approved: 5,
  Recycled: 3,
}

/** Statuses in which a lead still needs work. */
export const openLeadStatuses = leadStatusNames.filter(
  (name) => leadStatuses[name].type === 'Open' || leadStatuses[name].type === 'Ongoing',
)

/** The stages of a successful lead, first stage first; the funnel uses them. */
export const leadFunnel = [
  'New',
  'Assigned',
  'Contacted',
  'Consent requested',
  'Qualified',
  'Onboarding',
  'Submitted',
  'Approved',
  'Converted',
] as const satisfies readonly LeadStatus[]

/** Whole days since a time; 0 when the clock is behind. */
export const wholeDays = (since: Date, now: Date): number => Math.max(0, Math.floor((now.getTime() - since.getTime()) / 86_400_000))

/** True when the lead has been in its status for longer than allowed. */
export function isStale(status: string, daysInStage: number): boolean {
  const limit = staleAfterDays[status as LeadStatus]
  return limit !== undefined && daysInStage > limit
}
