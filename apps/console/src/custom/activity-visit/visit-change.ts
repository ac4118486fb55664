import type { DeviceClock } from '@outpost/contract/sync/clock'
import type { Row } from '../../data/records.ts'

/** A change of status as the device keeps it: the call's input, when it was done, and its meaning for the screen. */
export interface Visit {
  userId: string
  statusId: string
  statusText: string
  meaning: string
  reason?: string
  /** A place was asked for, whether or not there is one. */
  gps: boolean
  location?: object
  deviceTime: string
  /** What the device knew of its clock then. */
  clock?: DeviceClock
}

interface Agent {
  Id: string
  statusId?: string | null
  statusText?: string | null
}

/** The activity as it will be once the server took the visit: the status is the agent's own and, with one agent, the whole one. */
export function showVisit(row: Row): Row {
  const visit = row.visit as Visit | undefined
  if (!visit) return row
  const agents = Array.isArray(row.assignedUsers) ? (row.assignedUsers as Agent[]) : []
  const assignedUsers = agents.map((agent) =>
    agent.Id === visit.userId ? { ...agent, statusId: visit.statusId, statusText: visit.statusText } : agent,
  )
  const whole =
    agents.length > 1
      ? {}
      : {
          statusId: visit.statusId,
          status: visit.statusText,
          statusIdLabel: visit.statusText,
          meaning: visit.meaning,
          statusReason: visit.reason ?? null,
        }
  return { ...row, ...whole, assignedUsers }
}
