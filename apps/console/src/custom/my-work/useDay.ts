import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ConsoleFrame } from '@outpost/contract/console'
import { api, ApiError } from '../../data/api.ts'
import { useConnection } from '../../data/connection.ts'
import { keys } from '../../data/keys.ts'
import { queryClient } from '../../data/query-client.ts'
import { toast } from '../../feedback/toast.ts'
import { flushDayActions, logDayAction, waitingActions, type DayAction } from './day-actions.ts'
import { readPosition } from './position.ts'

interface LatestAction { agentAction?: { action?: number | string, dateCreated?: string }[] }
export interface Day { isRunning: boolean, since: string | null, isChanging: boolean, isWaiting: boolean, toggle: () => Promise<void> }

const noPosition = 'Enable location access in-order to update activity status and start or stop your day!'

/** The agent's day: whether it runs, since when, and starting or stopping it, with the place where the tenant asks for it. */
export function useDay(frame: ConsoleFrame): Day {
  const userId = frame.user.Id
  const { isOnline } = useConnection()
  const [isChanging, setChanging] = useState(false)
  const latest = useQuery({
    queryKey: ['records', 'agentAction', 'latest', userId], enabled: isOnline, staleTime: 60_000,
    queryFn: () => api.get<LatestAction>('/api/agent/action/latest'),
  })
  const waiting = useQuery({ queryKey: ['records', 'agentAction', 'waiting', userId], queryFn: waitingActions, networkMode: 'always' })

  useEffect(() => {
    if (isOnline) void flushDayActions().then(askAgain)
  }, [isOnline])

  const unsent = waiting.data?.at(-1)
  const known = latest.data?.data.agentAction?.[0]
  const action = unsent?.action ?? Number(known?.action ?? 0)
  const isRunning = action === 1

  async function toggle(): Promise<void> {
    setChanging(true)
    try {
      await changeDay(frame, isRunning ? 0 : 1)
    } finally {
      setChanging(false)
    }
  }
  return { isRunning, since: unsent?.deviceTime ?? known?.dateCreated ?? null, isChanging, isWaiting: unsent !== undefined, toggle }
}

const askAgain = () => queryClient.invalidateQueries({ queryKey: keys.records('agentAction') })

async function changeDay(frame: ConsoleFrame, action: 0 | 1): Promise<void> {
  const location = await readPosition()
  if (!location && frame.user.selectedTenant.locationRequired) return toast.danger({ title: noPosition })
  const entry: DayAction = {
    Id: crypto.randomUUID(), action, performedByUserId: frame.user.Id, deviceTime: new Date().toISOString(), ...(location ? { location } : {}),
  }
  try {
    const { queued } = await logDayAction(entry)
    const title = action === 1 ? 'Your day has started' : 'Your day has ended'
    toast.success({ title, ...(queued ? { body: 'It is kept on this device and sent when there is a connection.' } : {}) })
  } catch (error) {
    toast.danger({ title: error instanceof ApiError ? error.message : 'The day could not be changed.' })
  }
  await askAgain()
}
