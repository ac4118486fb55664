import { useEffect, useState } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReferenceView } from '@outpost/contract/fields'
import { fetchOptions } from '../../../data/references.ts'

const typingPause = 250

/** The value once it stopped changing for a moment. */
export function useSettled<Value>(value: Value, pause = typingPause): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value, pause])
  return settled
}

/** Options of a reference that fit the typed text, fetched while `isOpen`. */
export function useReferenceOptions(reference: ReferenceView | undefined, search: string, isOpen: boolean) {
  const text = useSettled(search.trim().toUpperCase())
  const result = useQuery({
    queryKey: ['records', reference?.to ?? '', 'options', reference?.path ?? '', text],
    queryFn: ({ signal }) => fetchOptions(reference, { search: text || undefined }, signal),
    enabled: isOpen && reference !== undefined,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return { options: result.data ?? [], isLoading: result.isFetching, error: result.error }
}

/** Labels of chosen ids, for values that came without one. */
export function useReferenceLabels(reference: ReferenceView | undefined, ids: readonly string[]): ReadonlyMap<string, string> {
  const wanted = [...new Set(ids)].filter(Boolean).sort()
  const result = useQuery({
    queryKey: ['records', reference?.to ?? '', 'labels', reference?.path ?? '', wanted.join()],
    queryFn: async ({ signal }) => {
      const options = await fetchOptions(reference, { size: 1000 }, signal)
      return new Map(options.map((option) => [option.value, option.label]))
    },
    enabled: reference !== undefined && wanted.length > 0,
    staleTime: 5 * 60_000,
  })
  return result.data ?? noLabels
}
const noLabels: ReadonlyMap<string, string> = new Map()
