import { useState } from 'react'
import type { Row } from '../../../../data/records.ts'
import { isGap } from '../pages.ts'
import type { ListRow } from '../pages.ts'

interface GridCommands {
  open: (row: Row) => void
  peek: (row: Row) => void
  toggle: (row: Row) => void
  /** Opens the cell's input; false when it has none. */
  edit: (row: Row, key: string | undefined) => boolean
  show: (index: number) => void
}
interface GridInput {
  rows: readonly ListRow[]
  keys: readonly string[]
  isPeeking: boolean
  commands: GridCommands
}

/** The place of the keyboard in a table: a row, and a column once an arrow went sideways. */
export interface GridPlace {
  row: number | null
  column: number | null
}
const nowhere: GridPlace = { row: null, column: null }

/**
 * Keys of a table that has the focus itself (not a control inside it): arrows or j/k, Home and End, Enter opens the record
 * or the cell's input, F2 the input, Space looks at the record, x selects it. While one is looked at, j and k belong to the drawer.
 */
export function useGridKeys({ rows, keys, isPeeking, commands }: GridInput) {
  const [place, setPlace] = useState(nowhere)
  const go = (index: number, column = place.column) => {
    const row = Math.max(0, Math.min(rows.length - 1, index))
    setPlace({ row, column })
    commands.show(row)
  }
  const act = (key: string, row: Row) => {
    const column = place.column === null ? undefined : keys[place.column]
    if (key === 'F2') return commands.edit(row, column)
    if (key === 'Enter') return (column !== undefined && commands.edit(row, column)) || (commands.open(row), true)
    if (key !== ' ' && key !== 'x') return false
    if (key === ' ') commands.peek(row)
    else commands.toggle(row)
    return true
  }
  const move = (key: string) => {
    const { row, column } = place
    const [step, side] = [isPeeking && key.length === 1 ? undefined : steps[key], sides[key]]
    if (step !== undefined) go(row === null ? 0 : row + step)
    else if (side !== undefined) go(row ?? 0, column === null ? 0 : Math.max(0, Math.min(keys.length - 1, column + side)))
    else if (key === 'Home' || key === 'End') go(key === 'Home' ? 0 : rows.length - 1)
    else return false
    return true
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey || rows.length === 0) return
    const row = place.row === null ? undefined : rows[place.row]
    if (move(event.key) || (row && !isGap(row) && act(event.key, row))) event.preventDefault()
  }
  const onFocus = (event: React.FocusEvent) => {
    if (event.target !== event.currentTarget && !event.target.closest('.cell-editor')) setPlace(nowhere)
  }
  return { place, setPlace, onKeyDown, onFocus }
}

const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10 }
const sides: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }
