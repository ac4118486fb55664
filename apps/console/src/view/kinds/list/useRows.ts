import { useMemo, useState } from 'react'
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
  /** The rows belong to the former query and stay until the new ones come. */
  isFormer: boolean
  error: Error | null
  /** Tells which pages are on the screen; only those are fetched and kept fresh. */
  show: (pages: number[]) => void
  retry: () => void
}

interface AskedRows {
  view: ListView
  query: ListQuery
  params: Record<string, string>
  size: number
}
interface RowsRequest extends AskedRows {
  firstPage: number
  isReady: boolean
}

/** A list without its page, as the query cache knows it. */
interface AskedList {
  resource: string
  path: string
  query: object
}
/** A page on the screen and when its rows came: milliseconds of the epoch, 0 while they have not. */
type Answer = readonly [page: number, at: number]

const askedList = ({ view, query, params, size }: AskedRows): AskedList => ({
  resource: view.resource,
  path: view.source.path,
  query: { ...query, ...params, size },
})

const pageKey = ({ resource, path, query }: AskedList, page: number) => keys.list(resource, path, { ...query, page })

/** How one page of a list is asked for. */
export const pageQuery = (asked: AskedRows, page: number) => ({
  queryKey: pageKey(askedList(asked), page),
  queryFn: ({ signal }: { signal: AbortSignal }) => {
    const { view, query, params, size } = asked
    const { source, resource, many } = view
    return listRecords({ view, source, resource, many, query: { ...query, page, size }, params, signal })
  },
})

/** Rows of a list, page by page as the screen shows them. A change elsewhere refetches only what is on the screen. */
export function useRows({ view, query, params, size, firstPage, isReady }: RowsRequest): Rows {
  const client = useQueryClient()
  const list = askedList({ view, query, params, size })
  const signature = JSON.stringify(list)
  const [shown, setShown] = useState({ signature, pages: [firstPage] })
  const visible = shown.signature === signature ? shown.pages : [firstPage > 1 && shown.signature === '' ? firstPage : 1]
  const results = useQueries({ queries: visible.map((page) => ({ ...pageQuery({ view, query, params, size }, page), enabled: isReady })) })
  const known = useKnown(
    signature,
    visible.filter((_, index) => (results[index]?.dataUpdatedAt ?? 0) > 0),
  )
  const stamp = JSON.stringify({ asked: list, answers: visible.map((page, index): Answer => [page, results[index]?.dataUpdatedAt ?? 0]) })
  // The rows change with the query, with the pages on the screen and with every answer to them; nothing else lays them anew.
  const laid = useMemo(() => {
    const { asked } = JSON.parse(stamp) as { asked: AskedList }
    return layPages(
      collect(known, (page) => client.getQueryData<RecordsPage>(pageKey(asked, page))),
      size,
    )
  }, [client, known, stamp, size])
  const hasRows = results.some((result) => result.data)
  const [former, setFormer] = useState(laid)
  if (hasRows && former !== laid) setFormer(laid)
  const isFormer = !hasRows && former.source !== null && results.every((result) => !result.error)
  const error = results.find((result) => result.error)?.error ?? null
  return {
    ...(isFormer ? former : laid),
    isLoading: !hasRows && !isFormer && !error,
    isFetching: results.some((result) => result.isFetching),
    isFormer,
    error: hasRows ? null : error,
    show: (pages) =>
      setShown((before) => (before.signature === signature && before.pages.join() === pages.join() ? before : { signature, pages })),
    retry: () => {
      for (const result of results) if (result.error) void result.refetch()
    },
  }
}

/** The pages that were answered since the list is asked for by this signature, in the order of their first answers. */
function useKnown(signature: string, answered: readonly number[]): ReadonlySet<number> {
  const [known, setKnown] = useState({ signature, pages: new Set(answered) })
  const isSame = known.signature === signature
  if (isSame && answered.every((page) => known.pages.has(page))) return known.pages
  const pages = new Set([...(isSame ? known.pages : []), ...answered])
  setKnown({ signature, pages })
  return pages
}

/** Pages by number, the newest answer last. */
function collect(numbers: ReadonlySet<number>, read: (page: number) => RecordsPage | undefined): Map<number, RecordsPage> {
  return new Map(
    [...numbers].flatMap((number) => {
      const page = read(number)
      return page ? [[number, page] as const] : []
    }),
  )
}
