import type { ColumnView, ListView } from '@outpost/contract/views'

/** How a user arranged one column; the order of the array is the order on the screen. */
export interface ColumnState {
  key: string
  isHidden?: boolean
  pin?: 'left' | 'right'
  width?: number
}
export type Density = 'compact' | 'medium' | 'comfortable'
export const densities: Density[] = ['compact', 'medium', 'comfortable']

/** Heights of one-line rows, which the style sheet sets and the virtual table calculates with. */
export const rowHeights: Record<Density, number> = { compact: 32, medium: 38, comfortable: 48 }
export const tableSizes = { compact: 'small', medium: 'medium', comfortable: 'large' } as const

const isPin = (value: unknown): value is 'left' | 'right' => value === 'left' || value === 'right'

/** The view's own arrangement. */
export function plainColumns(view: Pick<ListView, 'columns'>): ColumnState[] {
  return view.columns.map((column) => ({ key: column.key, ...(column.hidden ? { isHidden: true } : {}) }))
}

/** A kept arrangement cut to the view: unknown columns go, new ones follow at the end, at least one stays visible. */
export function arrange(view: Pick<ListView, 'columns'>, kept: readonly ColumnState[] | undefined): ColumnState[] {
  const plain = plainColumns(view)
  if (!kept?.length) return plain
  const known = kept.filter(
    (state, index) => plain.some((column) => column.key === state.key) && kept.findIndex((other) => other.key === state.key) === index,
  )
  const missing = plain.filter((column) => !known.some((state) => state.key === column.key))
  const all = [...known.map(cleaned), ...missing]
  return all.every((column) => column.isHidden) ? plain : all
}

function cleaned({ key, isHidden, pin, width }: ColumnState): ColumnState {
  return {
    key,
    ...(isHidden ? { isHidden: true } : {}),
    ...(isPin(pin) ? { pin } : {}),
    ...(typeof width === 'number' && width >= minWidth && width <= maxWidth ? { width: Math.round(width) } : {}),
  }
}

/** Width that a column has where there is room: the view's own, else its kind's, of which a title gets more. */
export const usualWidth = (own: number | undefined, kindWidth: number, isTitle: boolean): number =>
  own ?? (isTitle ? Math.max(230, kindWidth) : kindWidth)

export const minWidth = 80
export const maxWidth = 640

/** Columns in the order they are drawn: pinned left, loose, pinned right; hidden ones left out. */
export function drawnColumns(view: Pick<ListView, 'columns'>, states: readonly ColumnState[]): (ColumnView & ColumnState)[] {
  const shown = states
    .filter((state) => !state.isHidden)
    .flatMap((state) => {
      const column = view.columns.find((one) => one.key === state.key)
      return column ? [{ ...column, ...state, width: state.width ?? column.width }] : []
    })
  const side = (pin: 'left' | 'right' | undefined) => shown.filter((column) => column.pin === pin)
  return [...side('left'), ...side(undefined), ...side('right')]
}

/** The arrangement with one column moved to another place. */
export function moveColumn(states: readonly ColumnState[], from: number, to: number): ColumnState[] {
  const next = [...states]
  const [moved] = next.splice(from, 1)
  if (moved) next.splice(to, 0, moved)
  return next
}

/** The arrangement with one column changed; the last visible one cannot be hidden. */
export function changeColumn(states: readonly ColumnState[], key: string, change: Partial<ColumnState>): ColumnState[] {
  const next = states.map((state) => (state.key === key ? { ...state, ...change } : state))
  return next.some((state) => !state.isHidden) ? next : [...states]
}
