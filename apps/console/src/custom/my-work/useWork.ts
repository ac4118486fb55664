import { useQuery } from '@tanstack/react-query'
import { isNetworkError } from '../../data/api.ts'
import { callOf } from '../../data/calls.ts'
import { listRecords } from '../../data/gateway.ts'
import { keys } from '../../data/keys.ts'
import type { Row, Source } from '../../data/records.ts'
import { activityStatuses } from '../../device/work/statuses.ts'
import { openStatuses, type ActivityStatus } from './work.ts'

const dayMs = 86_400_000
const maxRows = 200

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
        size: maxRows,
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

/** The caller's open leads: captured by them or given to them. */
async function leads(userId: string): Promise<Row[]> {
  const pages = await Promise.all(
    (['createdByUserId', 'assignedUserId'] as const).map((field) =>
      listRecords({
        source: callOf('leads.list'),
        resource: 'lead',
        many: 'leads',
        query: {
          filter: [
            { field, op: 'eq', value: userId },
            { field: 'status', op: 'in', value: openStatuses },
          ],
          size: maxRows,
        },
      }),
    ),
  )
  return pages.flatMap((page) => page.rows)
}

/** Activities and leads of the signed-in agent, from the server or this device. */
export function useWork(userId: string, { seesLeads }: { seesLeads: boolean }) {
  return {
    activities: useQuery({ queryKey: [...keys.records('activity'), 'my-work'], queryFn: activities }),
    leads: useQuery({ queryKey: [...keys.records('lead'), 'my-work', userId], queryFn: () => leads(userId), enabled: seesLeads }),
  }
}
