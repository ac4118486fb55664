import type { FilterPart, ListQuery } from '@outpost/contract/envelope'
import { firstDayOfAll, lastDayOfAll } from '@outpost/rules/calendar/all-days'

/** What a number of My Work counts: the rows of a list in days (YYYY-MM-DD, both included) that fit the filter. */
export interface OwnRows {
  dateType: string
  from: string
  to: string
  filter: FilterPart[]
}

const freshStatuses = ['New', 'Assigned', 'Recycled']
/** Statuses in which the agent owes somebody a call, or waits for an answer. */
const waitingStatuses = ['Contacted', 'Nurture', 'Consent requested']

/** The agent's own leads, captured by them or given to them: new ones, those that wait for a call or for consent, and what they captured today. */
export function ownLeads(userId: string, today: string): Record<'fresh' | 'waiting' | 'captured', OwnRows> {
  const isMine = { any: [is('createdByUserId', userId), is('assignedUserId', userId)] }
  const everyDay = { dateType: 'created', from: firstDayOfAll, to: lastDayOfAll(today) }
  return {
    fresh: { ...everyDay, filter: [isMine, isOneOf(freshStatuses), { field: 'consentStatus', op: 'ne', value: 'REQUESTED' }] },
    waiting: {
      ...everyDay,
      filter: [isMine, { any: [isOneOf(waitingStatuses), { all: [isOneOf(freshStatuses), is('consentStatus', 'REQUESTED')] }] }],
    },
    captured: { dateType: 'created', from: today, to: today, filter: [is('createdByUserId', userId)] },
  }
}

/** The agent's activities that begin today, whatever became of them. */
export const ownActivities = (userId: string, today: string): OwnRows => ({
  dateType: 'start',
  from: today,
  to: today,
  filter: [{ field: 'assignedUsers', op: 'contains', value: userId }],
})

/** The same rows as a list's call asks for them. */
export const queryOf = ({ dateType, from, to, filter }: OwnRows): ListQuery => ({ dateType, startDate: from, endDate: to, filter })

const is = (field: string, value: string) => ({ field, op: 'eq' as const, value })
const isOneOf = (value: string[]) => ({ field: 'status', op: 'in' as const, value })
