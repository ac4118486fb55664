import { useQuery } from '@tanstack/react-query'
import { fixLabels } from '@outpost/rules/places/fix-quality'
import type { ConsoleLayout } from '@outpost/contract/console'
import { callOf } from '../../data/calls.ts'
import { listRecords } from '../../data/gateway.ts'
import { keys } from '../../data/keys.ts'
import { useRecord } from '../../data/queries.ts'
import type { Row } from '../../data/records.ts'
import { placeNow, placeOnWire } from '../../device/place.ts'
import { t } from '../../session/labels.ts'
import { deviceClock } from '../../session/token.ts'
import { activityStatuses, ownMeaning, type ActivityStatus } from '../../device/work/statuses.ts'
import { saveVisit } from './visits.ts'
import { runningVisit, type Step } from './visit-state.ts'

const load = callOf('activities.get')
const dayMs = 86_400_000
const noPosition = 'Enable location access in-order to update activity status and start or stop your day!'

async function ownDay(): Promise<Row[]> {
  const now = Date.now()
  const page = await listRecords({
    source: callOf('activities.mine'),
    resource: 'activity',
    many: 'activities',
    query: {
      startDate: new Date(now - 2 * dayMs).toISOString(),
      endDate: new Date(now + 2 * dayMs).toISOString(),
      dateType: 'start',
      sortField: 'startDate',
      sortOrder: 'ASC',
      size: 200,
    },
  })
  return page.rows
}

/** One activity with what the agent needs at it: its statuses and the other visits of the day, from the server or this device. */
export function useVisit(id: string, userId: string) {
  const activity = useRecord(load, 'activity', id, { resource: 'activity', entityType: 'activity' })
  const known = useQuery({ queryKey: ['activity-statuses'], queryFn: activityStatuses, staleTime: 60_000, networkMode: 'always' })
  const day = useQuery({ queryKey: [...keys.records('activity'), 'visit-day'], queryFn: ownDay, networkMode: 'always' })
  const place = useQuery({ queryKey: ['place'], queryFn: placeNow, staleTime: 30_000, networkMode: 'always', retry: false })
  const meaning = activity.data && known.data ? ownMeaning(activity.data, known.data, userId) : undefined
  return { activity, statuses: known, day: day.data ?? [], place, meaning }
}

interface Doing {
  activity: Row & { Id: string }
  step: Step
  note: string
  day: readonly Row[]
  statuses: readonly ActivityStatus[]
  layout: ConsoleLayout
}

/** What came of a step, in words that are on the screen: a toast would cover the buttons at the thumb. */
export interface StepResult {
  isDone: boolean
  words: string
}

/** Takes a step with the place where it is taken; says how sure that is and whether it waits to be sent, or why nothing was changed. */
export async function takeStep({ activity, step, note, day, statuses: known, layout }: Doing): Promise<StepResult> {
  const userId = layout.user.Id
  const running = step.meaning === 'started' ? runningVisit(day, { statuses: known, userId, id: activity.Id }) : undefined
  if (running) return { isDone: false, words: `“${String(running.name)}” ${t('is still in progress. Finish it first.')}` }
  const place = await placeNow()
  const location = placeOnWire(place)
  if (!location && layout.user.selectedTenant.locationRequired) return { isDone: false, words: t(noPosition) }
  try {
    const { queued } = await saveVisit({
      activity,
      visit: {
        userId,
        statusId: step.status.Id,
        statusText: step.status.name,
        meaning: step.meaning,
        gps: true,
        deviceTime: new Date().toISOString(),
        ...deviceClock(),
        ...(note.trim() ? { reason: note.trim() } : {}),
        ...(location ? { location } : {}),
      },
    })
    const sure = `${t('Position')}: ${t(fixLabels[place.source])}${place.source === 'live' ? ` (±${Math.round(place.accuracy)} m)` : ''}`
    return { isDone: true, words: `${step.status.name}. ${sure}.${queued ? '' : ` ${t('The office has it.')}`}` }
  } catch (error) {
    return { isDone: false, words: error instanceof Error ? t(error.message) : t('The status could not be changed.') }
  }
}
