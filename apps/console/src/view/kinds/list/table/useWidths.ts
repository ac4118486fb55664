import { useLayoutEffect, useMemo, useState } from 'react'
import type { RefObject } from 'react'
import type { Row } from '../../../../data/records.ts'
import type { ListBodyProps } from '../list-body-props.ts'
import { isRow } from '../pages.ts'
import { columnWidths, fitWidths } from './widths.ts'
import type { MeasureText } from './widths.ts'

/** Rows that are measured: the first ones, so that columns stay where they are while others come. */
const sampleSize = 50

/** Widths of the columns by key, for a table whose other columns take `taken` pixels. They follow the window and the arrangement. */
export function useWidths(
  place: RefObject<HTMLElement | null>,
  { view, rows, arrangement: { columns, density }, currency }: Pick<ListBodyProps, 'view' | 'rows' | 'arrangement' | 'currency'>,
  taken: number,
): ReadonlyMap<string, number> {
  const room = useRoom(place)
  const sample = useSample(view, rows)
  const widths = useMemo(
    () => columnWidths({ view, columns, density, currency, rows: sample, measure: textMeasure() }),
    [view, columns, density, currency, sample],
  )
  return useMemo(() => fitWidths(widths, room === 0 ? Infinity : room - taken), [widths, room, taken])
}

const nothing: readonly Row[] = []

/** The first rows that came for the view. */
function useSample(view: object, { rows, isFormer }: ListBodyProps['rows']): readonly Row[] {
  const [sample, setSample] = useState({ view, rows: nothing })
  const isKnown = sample.view === view && sample.rows.length > 0
  if (isKnown || isFormer || !rows.some(isRow)) return sample.view === view ? sample.rows : nothing
  const first = rows.slice(0, sampleSize).filter(isRow)
  if (first.length > 0) setSample({ view, rows: first })
  return first
}

/** Width between the borders of the table's place; 0 before it is drawn. */
function useRoom(place: RefObject<HTMLElement | null>): number {
  const [room, setRoom] = useState(0)
  useLayoutEffect(() => {
    const box = place.current
    if (!box) return
    const read = () => setRoom(Math.max(0, box.clientWidth - 2))
    read()
    const observer = new ResizeObserver(read)
    observer.observe(box)
    return () => observer.disconnect()
  }, [place])
  return room
}

/** Measures with the page's own letters. */
function textMeasure(): MeasureText {
  const context = document.createElement('canvas').getContext('2d')
  const { fontFamily } = getComputedStyle(document.body)
  return (text, weight) => {
    if (!context) return text.length * 8
    context.font = `${weight === 'bold' ? '600 ' : ''}14px ${fontFamily}`
    return context.measureText(text).width
  }
}
