import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ConsoleLayout } from '@outpost/contract/console'
import { ApiError, isNetworkError } from '../data/api.ts'
import { call } from '../data/calls.ts'
import { useConnection } from '../data/connection.ts'
import { keys } from '../data/keys.ts'
import { queryClient } from '../data/query-client.ts'
import { toast } from '../feedback/toast.ts'
import { cached, putCached } from '../offline/store/views-cache.ts'
import { flushDayActions, logDayAction, waitingActions, type DayAction } from './day-actions.ts'
import { batteryLevel, placeNow, placeOnWire } from './place.ts'
import { t } from '../session/labels.ts'
import { deviceClock } from '../session/token.ts'

interface LatestAction {
  action?: number | string
  dateCreated?: string
  at?: string
  isAutomatic?: boolean
}
export interface DayState {
  isRunning: boolean
  since: string | null
  /** A start or stop that has not reached the server yet. */
  isWaiting: boolean
  /** The program ended the day, not the agent. */
  isAutomatic: boolean
}

const noPosition = 'Enable location access in-order to update activity status and start or stop your day!'

/** True for people whose working day is recorded. */
export const hasDay = (layout: ConsoleLayout): boolean =>
  layout.screens.some(({ path, permitted }) => path === '/agents/landingpage' && permitted)

async function latestAction({ impersonation }: ConsoleLayout): Promise<LatestAction | null> {
  try {
    const found = (await call('agent.latestAction')).data.agentAction
    const latest = found[0] ?? null
    // Nothing of an impersonated user stays on the device.
    if (!impersonation) void putCached('day-latest', latest)
    return latest
  } catch (error) {
    if (!isNetworkError(error)) throw error
    return (await cached<LatestAction>('day-latest')) ?? null
  }
}

/** The agent's day as known by server and device; pending actions on the device are newer. */
export function useDayState(layout: ConsoleLayout): DayState {
  const userId = layout.user.Id
  const { isOnline } = useConnection()
  const enabled = hasDay(layout)
  const latest = useQuery({
    queryKey: ['records', 'agentAction', 'latest', userId],
    queryFn: () => latestAction(layout),
    staleTime: 60_000,
    networkMode: 'always',
    enabled,
  })
  const waiting = useQuery({
    queryKey: ['records', 'agentAction', 'waiting', userId],
    queryFn: waitingActions,
    networkMode: 'always',
    enabled,
  })
  useEffect(() => {
    if (isOnline && enabled) void flushAndReload()
  }, [isOnline, enabled])
  const unsent = waiting.data?.at(-1)
  const known = latest.data
  return {
    isRunning: (unsent?.action ?? Number(known?.action ?? 0)) === 1,
    since: unsent?.deviceTime ?? known?.at ?? known?.dateCreated ?? null,
    isWaiting: unsent !== undefined,
    isAutomatic: unsent === undefined && known?.isAutomatic === true,
  }
}

/** The day, and the function that starts and stops it. */
export function useDay(layout: ConsoleLayout): DayState & { isChanging: boolean; toggle: () => Promise<void> } {
  const day = useDayState(layout)
  const [isChanging, setChanging] = useState(false)
  async function toggle(): Promise<void> {
    setChanging(true)
    try {
      await changeDay(layout, day.isRunning ? 0 : 1)
    } finally {
      setChanging(false)
    }
  }
  return { ...day, isChanging, toggle }
}

const reloadLatest = () => queryClient.invalidateQueries({ queryKey: keys.records('agentAction') })

/** Asks again only after something was sent: an empty queue causes no request. */
async function flushAndReload(): Promise<void> {
  if ((await waitingActions()).length === 0) return
  await flushDayActions()
  await reloadLatest()
}

async function changeDay(layout: ConsoleLayout, action: 0 | 1): Promise<void> {
  const [place, battery] = await Promise.all([placeNow(), batteryLevel()])
  const location = placeOnWire(place)
  if (!location && layout.user.selectedTenant.locationRequired) return toast.danger({ title: noPosition })
  const entry: DayAction = {
    Id: crypto.randomUUID(),
    action,
    performedByUserId: layout.user.Id,
    deviceTime: new Date().toISOString(),
    ...deviceClock(),
    ...(location ? { location: { ...location, battery } } : {}),
  }
  try {
    const { queued } = await logDayAction(entry)
    const title = action === 1 ? 'Your day has started' : 'Your day has ended'
    toast.success({ title, ...(queued ? { body: 'It is kept on this device and sent when there is a connection.' } : {}) })
  } catch (error) {
    toast.danger({ title: error instanceof ApiError ? error.message : t('The day could not be changed.') })
  }
  await reloadLatest()
}
