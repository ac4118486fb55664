import { demoId } from './random.ts'

/** What an officer reported of an activity. */
export interface Report {
  companyId: string
  tenantId: string | undefined
  activityId: string
  userId: string
  from: string
  to: string
  meaning: string
  reason: string | null
  /** How long the state before lasted. */
  durationSeconds: number
  latitude: number | null
  longitude: number | null
  distance: number | null
  isOutOfRange: boolean
  dateCreated: string
}

/** A report as moves in the log: the officer's part, and the activity that follows it. */
export function movesOfReport({ activityId, userId, distance, isOutOfRange, ...report }: Report): object[] {
  const move = {
    ...report,
    movedInTenantId: report.tenantId,
    objectType: 'activity',
    objectId: activityId,
    field: 'statusId',
    userId,
    realUserId: userId,
    isFirst: true,
  }
  const idOf = (what: string) => demoId(`${what} ${activityId} ${report.to}`)
  return [
    { ...move, id: idOf('part moved'), partId: userId, move: report.meaning, facts: { distance, isOutOfRange } },
    { ...move, id: idOf('activity moved'), partId: null, move: 'follow', facts: null },
  ]
}
