import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CallInput } from '@outpost/client/client'
import { call, pathOf } from '../../data/calls.ts'
import { keys } from '../../data/keys.ts'
import type { Period } from '@outpost/rules/targets/target-period'
import type { Target } from './board.ts'

export interface Filter {
  days: Period | null
  ownerType?: string
  metric?: string
  search?: string
}

/** Targets with figures; asked again each minute, since what they count changes elsewhere. */
export function useTargets({ days, ownerType, metric, search }: Filter) {
  const terms = [
    ...(ownerType ? [{ field: 'ownerType', op: 'eq', value: ownerType }] : []),
    ...(metric ? [{ field: 'metric', op: 'eq', value: metric }] : []),
  ]
  const query = {
    from: days?.startDate,
    to: days?.endDate,
    search,
    sortField: 'startDate',
    sortOrder: 'DESC',
    size: 500,
    ...(terms.length > 0 ? { filter: terms } : {}),
  }
  return useQuery({
    queryKey: keys.list('target', pathOf('targets.list'), query),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
    queryFn: async ({ signal }) => {
      const { data, meta } = await call('targets.list', { query }, { signal })
      return { targets: data.targets as unknown as Target[], total: meta?.total ?? data.targets.length }
    },
  })
}

export interface RecordRow {
  at: string
  amount: number
  entity: string
  entityId?: string
  userId?: string
  who?: string
  label: string | null
}
export interface Point {
  day: string
  actual: number | null
  expected: number
}

export const useTarget = (id: string) =>
  useQuery({
    queryKey: keys.record('target', id),
    queryFn: async ({ signal }) => (await call('targets.get', { params: { id } }, { signal })).data.target as unknown as Target,
  })

export const useProgress = (id: string) =>
  useQuery({
    queryKey: keys.record('target', `${id} progress`),
    queryFn: async ({ signal }) => (await call('targets.progress', { params: { id } }, { signal })).data.points as Point[],
  })

/** The records behind the number, a hundred at a time, and who did how much. */
export const useRecords = (id: string, { userId, page }: { userId?: string; page: number }) =>
  useQuery({
    queryKey: keys.record('target', `${id} records ${userId ?? ''} ${page}`),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const { data, meta } = await call('targets.records', { params: { id }, query: { userId, page, size: 100 } }, { signal })
      return {
        ...(data as unknown as { records: RecordRow[]; sum: number; people: { userId: string; name: string; actual: number }[] }),
        total: meta?.total ?? 0,
      }
    },
  })

export interface Part {
  ownerType: string
  ownerId: string
  name: string
  people: number
  present: number | null
  value: number
  weight: number
}
export interface Proposal {
  to: string
  method: string
  parts: Part[]
  residual: number
  total: number
  decimals: number
}

export const useProposal = (id: string, query: { to: string; method: string; spread: boolean }) =>
  useQuery({
    queryKey: keys.record('target', `${id} parts ${query.to} ${query.method} ${query.spread}`),
    gcTime: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) =>
      (await call('targets.propose', { params: { id }, query: query as unknown as CallInput<'targets.propose'>['query'] }, { signal }))
        .data as unknown as Proposal,
  })
