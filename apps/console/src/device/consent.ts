import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CallData } from '@outpost/client/client'
import type { ConsoleFrame } from '@outpost/contract/console'
import { isNetworkError } from '../data/api.ts'
import { call } from '../data/calls.ts'
import { queryClient } from '../data/query-client.ts'
import { cached, putCached } from '../offline/store/views-cache.ts'
import { dropPositions } from './positions.ts'

export type Consent = CallData<'trackingConsents.mine'>['trackingConsent']

const keptName = 'tracking-consent'
const keyOf = (userId: string) => ['tracking-consent', userId]

async function readConsent(): Promise<Consent> {
  try {
    const { trackingConsent } = (await call('trackingConsents.mine')).data
    void putCached(keptName, trackingConsent)
    return trackingConsent
  } catch (error) {
    if (!isNetworkError(error)) throw error
    return (await cached<Consent>(keptName)) ?? null
  }
}

/** What the user answered to being followed at work; without a connection as it was last known, and null before that. */
export function useConsent({ user: { Id } }: ConsoleFrame) {
  return useQuery({ queryKey: keyOf(Id), queryFn: readConsent, staleTime: 60_000, refetchInterval: 300_000, networkMode: 'always' })
}

/** Sends the user's answer; positions that wait on this device go with a consent that is gone. */
export async function answerConsent(
  frame: ConsoleFrame,
  status: 'Given' | 'Declined' | 'Withdrawn',
  textVersion: 1,
): Promise<string | undefined> {
  const { data, message } = await call('trackingConsents.answer', { body: { status, textVersion } })
  await putCached(keptName, data.trackingConsent)
  queryClient.setQueryData(keyOf(frame.user.Id), data.trackingConsent)
  if (status !== 'Given') await dropPositions()
  return message
}

/** True while the user may be followed. Whose consent is gone has nothing waiting on this device. */
export function useMayBeFollowed(frame: ConsoleFrame): boolean {
  const { data } = useConsent(frame)
  const isRefused = data !== undefined && data?.status !== 'Given'
  useEffect(() => {
    if (isRefused) void dropPositions()
  }, [isRefused])
  return data?.status === 'Given'
}
