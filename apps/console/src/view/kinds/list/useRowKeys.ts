import { useState } from 'react'
import type { Row } from '../../../data/records.ts'
import { isGap } from './pages.ts'
import type { ListRow } from './pages.ts'

interface RowCommands { open: (row: Row) => void, peek: (row: Row) => void, toggle: (row: Row) => void, show: (index: number) => void }

/** Keys of a table that has the focus itself (not a control inside it): arrows or j/k, Enter, Space, x. */
export function useRowKeys(rows: readonly ListRow[], commands: RowCommands) {
  const [active, setActive] = useState<number | null>(null)
  const go = (index: number) => {
    const next = Math.max(0, Math.min(rows.length - 1, index))
    setActive(next)
    commands.show(next)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey || rows.length === 0) return
    const step = steps[event.key]
    const row = active === null ? undefined : rows[active]
    if (step !== undefined) go(active === null ? 0 : active + step)
    else if (event.key === 'Home') go(0)
    else if (event.key === 'End') go(rows.length - 1)
    else if (row && !isGap(row) && event.key === 'Enter') commands.open(row)
    else if (row && !isGap(row) && event.key === ' ') commands.peek(row)
    else if (row && !isGap(row) && event.key === 'x') commands.toggle(row)
    else return
    event.preventDefault()
  }
  const onFocus = (event: React.FocusEvent) => { if (event.target !== event.currentTarget) setActive(null) }
  return { active, onKeyDown, onFocus }
}

const steps: Record<string, number> = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1, PageDown: 10, PageUp: -10 }
