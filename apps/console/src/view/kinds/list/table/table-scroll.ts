import { useEffect, useEffectEvent, useRef } from 'react'
import type { Table } from 'antd'
import type { GetRef } from 'antd'
import type { ListBodyProps } from '../list-body-props.ts'
import { pagesAround } from '../pages.ts'

export type TableRef = GetRef<typeof Table>

interface LookInput {
  rows: ListBodyProps['rows']
  size: number
  rowHeight: number
  height: number
  onPage: (page: number) => void
}
const settleMs = 250

/** Follows the scrolling: says which pages are on the screen, and, once it rests, which page comes first. */
export function useLook({ rows, size, rowHeight, height, onPage }: LookInput) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const place = useRef(-1)
  useEffect(() => () => clearTimeout(timer.current), [])
  const lookAt = (top: number) => {
    const first = Math.floor(top / rowHeight)
    rows.show(pagesAround(first, first + Math.ceil(height / rowHeight), size, rows.total))
    return first
  }
  const lookAgain = useEffectEvent(() => lookAt(place.current))
  useEffect(() => {
    if (place.current >= 0 && !rows.isFormer && rows.total > 0) lookAgain()
  }, [rows.total, rows.isFormer])
  return (event: React.UIEvent) => {
    place.current = event.currentTarget.scrollTop
    const first = lookAt(place.current)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => onPage(Math.floor(first / size) + 1), settleMs)
  }
}

/** A list sorted anew is read from its top. */
export function useTop(table: React.RefObject<TableRef | null>, sort: string) {
  const last = useRef(sort)
  useEffect(() => {
    if (last.current !== sort) table.current?.scrollTo({ top: 0 })
    last.current = sort
  }, [table, sort])
}

/** An address that names a page opens the list there, once. */
export function useFirstPlace(
  table: React.RefObject<TableRef | null>,
  { page, size, isReady }: { page: number; size: number; isReady: boolean },
) {
  const isDone = useRef(page <= 1)
  useEffect(() => {
    if (isDone.current || !isReady) return
    isDone.current = true
    requestAnimationFrame(() => table.current?.scrollTo({ index: (page - 1) * size }))
  }, [table, page, size, isReady])
}
