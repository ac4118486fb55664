import { leadStatuses, leadStatusNames, type LeadStatus } from './lead-status.ts'

/** Days a lead may stand in a status before it counts as stale; a house rule until a company sets its own. Ended leads never are. */
export const staleAfterDays: Partial<Record<LeadStatus, number>> = {
  New: 2, Assigned: 3, Contacted: 7, Nurture: 30, 'Consent requested': 7, Qualified: 5, Onboarding: 7, Submitted: 5, Approved: 5, Recycled: 3,
}

/** Statuses in which somebody still has work with the lead. */
export const openLeadStatuses = leadStatusNames.filter((name) => leadStatuses[name].type === 'Open' || leadStatuses[name].type === 'Ongoing')

/** The road of a lead that goes well, first stage first; the funnel counts along it. */
export const leadRoad = ['New', 'Assigned', 'Contacted', 'Consent requested', 'Qualified', 'Onboarding', 'Submitted', 'Approved', 'Converted'] as const satisfies readonly LeadStatus[]

/** Whole days since a time; a clock that runs behind gives 0. */
export const wholeDays = (since: Date, now: Date): number => Math.max(0, Math.floor((now.getTime() - since.getTime()) / 86_400_000))

/** True when the lead has stood in its status for longer than the rule allows. */
export function isStale(status: string, daysInStage: number): boolean {
  const limit = staleAfterDays[status as LeadStatus]
  return limit !== undefined && daysInStage > limit
}
