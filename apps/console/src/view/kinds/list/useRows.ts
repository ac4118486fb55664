import { useEffect, useMemo, useRef, useState } from 'react'
import { useQueries, useQueryClient } from '@tanstack/react-query'
import type { ListQuery } from '@outpost/contract/envelope'
import type { ListView } from '@outpost/contract/views'
import { listRecords } from '../../../data/gateway.ts'
import { keys } from '../../../data/keys.ts'
import type { RecordsPage } from '../../../data/records.ts'
import { layPages } from './pages.ts'
import type { Laid } from './pages.ts'

export interface Rows extends Laid {
  /** Nothing to show yet. */
  isLoading: boolean
  isFetching: boolean
  /** The rows belong to the former query and stand until the new ones come. */
  isFormer: boolean
  error: Error | null
  /** Tells which pages are on the screen; only those are fetched and kept fresh. */
  show: (pages: number[]) => void
  retry: () => void
}

interface RowsRequest { view: ListView, query: ListQuery, params: Record<string, string>, size: number, firstPage: number, isReady: boolean }

/** Rows of a list, page by page as the screen shows them. A change elsewhere refetches only what is on the screen. */
export function useRows({ view, query, params, size, firstPage, isReady }: RowsRequest): Rows {
  const client = useQueryClient()
  const signature = JSON.stringify([view.source.path, query, params, size])
  const [shown, setShown] = useState({ signature, pages: [firstPage] })
  const visible = shown.signature === signature ? shown.pages : [firstPage > 1 && shown.signature === '' ? firstPage : 1]
  const options = (page: number) => ({
    queryKey: keys.list(view.resource, view.source.path, { ...query, ...params, page, size }),
    queryFn: ({ signal }: { signal: AbortSignal }) => listRecords({
      view, source: view.source, resource: view.resource, many: view.many, query: { ...query, page, size }, params, signal,
    }),
  })
  const results = useQueries({ queries: visible.map((page) => ({ ...options(page), enabled: isReady })) })
  const known = useRef<{ signature: string, numbers: Set<number> }>({ signature, numbers: new Set() })
  if (known.current.signature !== signature) known.current = { signature, numbers: new Set() }
  visible.forEach((page, index) => { if (results[index]?.data) known.current.numbers.add(page) })
  const stamp = results.map((result) => result.dataUpdatedAt).join()
  const laid = useMemo(
    () => layPages(collect(known.current.numbers, (page) => client.getQueryData<RecordsPage>(options(page).queryKey)), size),
    // The rows change with the query and with every page that comes; the rest is made from these.
    [signature, stamp, visible.join()],
  )
  const hasRows = results.some((result) => result.data)
  const former = useRef<Laid>(laid)
  useEffect(() => { if (hasRows) former.current = laid }, [hasRows, laid])
  const isFormer = !hasRows && former.current.source !== null && results.every((result) => !result.error)
  const error = results.find((result) => result.error)?.error ?? null
  return {
    ...(isFormer ? former.current : laid),
    isLoading: !hasRows && !isFormer && !error, isFetching: results.some((result) => result.isFetching), isFormer, error: hasRows ? null : error,
    show: (pages) => setShown((before) => before.signature === signature && before.pages.join() === pages.join() ? before : { signature, pages }),
    retry: () => { for (const result of results) if (result.error) void result.refetch() },
  }
}

/** Pages by number, the newest answer last. */
function collect(numbers: ReadonlySet<number>, read: (page: number) => RecordsPage | undefined): Map<number, RecordsPage> {
  return new Map([...numbers].flatMap((number) => {
    const page = read(number)
    return page ? [[number, page] as const] : []
  }))
}
