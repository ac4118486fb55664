import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { call } from '../../../data/calls.ts'
import { t } from '../../../session/labels.ts'
import { useToday } from '../../../view/clock.ts'
import { useLayout } from '../../../data/queries.ts'
import { Outdated } from '../Outdated.tsx'
import { ErrorState, LoadingState } from '../../../view/states/index.tsx'

/** Today in the company's calendar, and the day some days before. */
export function useDays(back: number): { from: string; to: string } {
  const to = useToday(useLayout().data?.company.timeZone)
  return { from: new Date(Date.parse(`${to}T12:00:00Z`) - back * 86_400_000).toISOString().slice(0, 10), to }
}

/** An asset in full, with its trackers and what they sent last. */
export const useAsset = (id: string) =>
  useQuery({
    queryKey: ['records', 'asset', 'one', id],
    queryFn: async ({ signal }) => (await call('assets.one', { params: { id } }, { signal })).data.asset,
  })

export function Facts({ facts }: { facts: readonly (readonly [label: string, value: ReactNode])[] }) {
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '')
  return (
    <dl className="fleet-facts">
      {known.map(([label, value]) => (
        <div key={label}>
          <dt>{t(label)}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

interface AsksProps<Data> {
  query: { data: Data | undefined; error: Error | null; isPending: boolean; refetch: () => unknown }
  what: string
  children: (data: Data) => ReactNode
}

/** What was asked for, or that it is on its way, or why not. */
export function Asked<Data>({ query: { data, error, isPending, refetch }, what, children }: AsksProps<Data>) {
  if (data !== undefined)
    return (
      <>
        <Outdated error={error} onRetry={refetch} />
        {children(data)}
      </>
    )
  if (error) return <ErrorState error={error} what={what} onRetry={() => void refetch()} />
  return isPending ? <LoadingState /> : null
}

export const Nothing = ({ text }: { text: string }) => <p className="fleet-nothing">{text}</p>
