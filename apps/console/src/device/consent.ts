import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { CallData } from '@outpost/client/client'
import type { ConsoleLayout } from '@outpost/contract/console'
import { isNetworkError } from '../data/api.ts'
import { call } from '../data/calls.ts'
import { queryClient } from '../data/query-client.ts'
import { cached, putCached } from '../offline/store/views-cache.ts'
import { dropPositions } from './positions.ts'

/** The person's answer, and whether the phone they work on is the company's. */
export type Followed = CallData<'trackingConsents.mine'>

const keptName = 'followed'
const unknown: Followed = { trackingConsent: null, companyPhone: null }
const keyOf = (userId: string) => ['tracking-consent', userId]

async function readConsent(): Promise<Followed> {
  try {
    const { data } = await call('trackingConsents.mine')
    void putCached(keptName, data)
    return data
  } catch (error) {
    if (!isNetworkError(error)) throw error
    return (await cached<Followed>(keptName)) ?? unknown
  }
}

/** What the user answered to being followed at work, and whether the phone is the company's; without a connection as it was last known. */
export function useConsent({ user: { Id } }: ConsoleLayout) {
  return useQuery({ queryKey: keyOf(Id), queryFn: readConsent, staleTime: 60_000, refetchInterval: 300_000, networkMode: 'always' })
}

/** Sends the user's answer; positions that wait on this device go with a consent that is gone. */
export async function answerConsent(
  layout: ConsoleLayout,
  status: 'Given' | 'Declined' | 'Withdrawn',
  textVersion: 1,
): Promise<string | undefined> {
  const { data, message } = await call('trackingConsents.answer', { body: { status, textVersion } })
  await putCached(keptName, data)
  queryClient.setQueryData(keyOf(layout.user.Id), data)
  if (!isFollowed(data)) await dropPositions()
  return message
}

const isFollowed = ({ trackingConsent, companyPhone }: Followed): boolean => trackingConsent?.status === 'Given' || companyPhone !== null

/** True while the user may be followed: with their consent, or on a phone of the company. Whose consent is gone has nothing waiting on this device. */
export function useMayBeFollowed(layout: ConsoleLayout): boolean {
  const { data } = useConsent(layout)
  const isRefused = data !== undefined && !isFollowed(data)
  useEffect(() => {
    if (isRefused) void dropPositions()
  }, [isRefused])
  return data !== undefined && isFollowed(data)
}
