import { useQuery } from '@tanstack/react-query'
import { isNetworkError } from '../../data/api.ts'
import { callOf } from '../../data/calls.ts'
import { listRecords } from '../../data/gateway.ts'
import { keys } from '../../data/keys.ts'
import type { Row, Source } from '../../data/records.ts'
import { activityStatuses } from '../../device/work/statuses.ts'
import { queryOf, type OwnRows } from './own-rows.ts'
import type { ActivityStatus } from './work.ts'

const dayMs = 86_400_000
/** More than anybody does in these days: what is late is counted on the device. */
const mostActivities = 1_000

async function activities(): Promise<{ rows: Row[]; statuses: ActivityStatus[]; source: Source }> {
  const now = Date.now()
  const [page, known] = await Promise.all([
    listRecords({
      source: callOf('activities.mine'),
      resource: 'activity',
      many: 'activities',
      query: {
        startDate: new Date(now - 30 * dayMs).toISOString(),
        endDate: new Date(now + 2 * dayMs).toISOString(),
        dateType: 'start',
        sortField: 'startDate',
        sortOrder: 'DESC',
        size: mostActivities,
      },
    }),
    // A day without its statuses is still a day.
    activityStatuses().catch(noneKept),
  ])
  return { rows: page.rows, statuses: known, source: page.source }
}

function noneKept(error: unknown): ActivityStatus[] {
  if (!isNetworkError(error)) throw error
  return []
}

/** Activities of the signed-in agent, from the server or this device. */
export const useActivities = () => useQuery({ queryKey: [...keys.records('activity'), 'my-work'], queryFn: activities })

/** Rows of a list of leads that My Work shows of a kind; all others are behind their number. */
export const shownLeads = 20

/** How many leads of the signed-in agent there are of a kind, and the newest of them, from the server or this device. */
export const useOwnLeads = (rows: OwnRows) =>
  useQuery({
    queryKey: [...keys.records('lead'), 'my-work', rows],
    queryFn: () =>
      listRecords({
        source: callOf('leads.list'),
        resource: 'lead',
        many: 'leads',
        query: { ...queryOf(rows), sortField: 'dateCreated', sortOrder: 'DESC', size: shownLeads },
      }),
  })
