import { useCallback, useMemo, useState } from 'react'
import type { ListView } from '@outpost/contract/views'
import { useSession } from '../../../../session/session.ts'
import { arrange, densities, plainColumns } from './columns.ts'
import type { ColumnState, Density } from './columns.ts'
import { isSame } from '../list-state.ts'
import type { SavedState } from '../list-state.ts'

export interface Arrangement {
  columns: ColumnState[]
  density: Density
}
type Kept = Partial<Arrangement>

/** Columns and density: what this browser keeps for the screen, over the saved view, over the person's choice of density and the view's own. */
export function useColumns(view: ListView, place: string, saved: SavedState | undefined) {
  const storageKey = `outpost.columns.${place}`
  const [kept, setKept] = useState(() => ({ storageKey, value: read(storageKey) }))
  const mine = kept.storageKey === storageKey ? kept.value : read(storageKey)
  const usual = useSession().layout?.user.preferences?.density ?? 'medium'
  const base = useMemo<Arrangement>(
    () => ({
      columns: arrange(view, saved?.columns),
      density: densities.find((one) => one === saved?.density) ?? usual,
    }),
    [view, saved, usual],
  )
  const arrangement = useMemo<Arrangement>(
    () => ({
      columns: mine.columns ? arrange(view, mine.columns) : base.columns,
      density: densities.find((one) => one === mine.density) ?? base.density,
    }),
    [view, mine, base],
  )
  const change = useCallback(
    (next: Kept | null) => {
      const value = next ? { ...mine, ...next } : {}
      write(storageKey, value)
      setKept({ storageKey, value })
    },
    [storageKey, mine],
  )
  return { ...arrangement, isChanged: !isSame(arrangement, base), plain: plainColumns(view), change }
}

function read(key: string): Kept {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(key) ?? '{}')
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    // Storage that is closed or was edited by hand: the view's own columns serve.
    return {}
  }
}

function write(key: string, value: Kept): void {
  try {
    if (Object.keys(value).length === 0) localStorage.removeItem(key)
    else localStorage.setItem(key, JSON.stringify(value))
  } catch (error) {
    console.warn('The columns could not be kept in this browser.', error)
  }
}
