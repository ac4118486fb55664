import type { LayoutView, ListView } from '@outpost/contract/views'
import { textOf } from '../../../address.ts'
import type { Address } from '../../../address.ts'

/** Names of the layouts as the switch shows them. */
export const layoutLabels: Record<LayoutView['kind'] | 'table', string> = { table: 'Table', kanban: 'Board', map: 'Map' }

/** The layout the address asks for; undefined for the list's own presentation. */
export function chosenLayout(view: ListView, address: Address): LayoutView | undefined {
  const wanted = textOf(address.layout)
  return view.layouts?.find((layout) => layout.kind === wanted)
}
