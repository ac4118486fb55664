import { KeyboardSensor, PointerSensor, useSensor, useSensors } from '@dnd-kit/core'
import { sortableKeyboardCoordinates } from '@dnd-kit/sortable'
import { t } from '../session/labels.ts'

/** Rows are put in another order by pointer, after a few pixels so that a click stays a click, and by keyboard. */
export function useSortSensors() {
  return useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
}

interface Sorted {
  active: { id: unknown }
  over: { id: unknown } | null
}

/** What screen readers say while a row is moved; `nameOf` names it by its id. */
export const sortAnnouncements = (nameOf: (id: unknown) => string) => ({
  onDragStart: ({ active }: Pick<Sorted, 'active'>) => `${nameOf(active.id)} ${t('picked up')}`,
  onDragOver: ({ active, over }: Sorted) => (over ? `${nameOf(active.id)} ${t('over')} ${nameOf(over.id)}` : ''),
  onDragEnd: ({ active }: Pick<Sorted, 'active'>) => `${nameOf(active.id)} ${t('dropped')}`,
  onDragCancel: () => t('Put back'),
})
