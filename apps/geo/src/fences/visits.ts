import type { Transition } from './transition.ts'

/** A visit of a device to a fence; `leftAt` is null while it lasts. Times are epoch ms; windows give the uncertainty after a silence. */
export interface Visit {
  fenceId: string
  enteredAt: number
  leftAt: number | null
  /** It was inside when first seen, so it may have entered long before. */
  isOpenStart: boolean
  /** It only passed through. */
  isPassing: boolean
  enteredWindow: Transition['window']
  leftWindow: Transition['window']
}

/**
 * Derives visits from a device's transitions, in order of entering. An exit without its enter among them ends a visit that began before.
 */
export function visitsOf(transitions: readonly Transition[]): Visit[] {
  const open = new Map<string, Visit>()
  const visits: Visit[] = []
  const begin = (visit: Visit) => {
    visits.push(visit)
    if (visit.leftAt === null) open.set(visit.fenceId, visit)
  }
  for (const { fenceId, kind, at, until, window } of transitions.toSorted((a, b) => a.at - b.at || order(a) - order(b))) {
    const common = { fenceId, isOpenStart: false, isPassing: false, enteredWindow: null, leftWindow: null }
    if (kind === 'enter') begin({ ...common, enteredAt: at, leftAt: null, enteredWindow: window })
    if (kind === 'insideAtStart') begin({ ...common, enteredAt: at, leftAt: null, isOpenStart: true })
    if (kind === 'crossed') begin({ ...common, enteredAt: at, leftAt: until, isPassing: true })
    if (kind !== 'exit') continue
    if (!open.has(fenceId)) begin({ ...common, enteredAt: at, leftAt: null, isOpenStart: true })
    Object.assign(open.get(fenceId)!, { leftAt: at, leftWindow: window })
    open.delete(fenceId)
  }
  return visits.toSorted((a, b) => a.enteredAt - b.enteredAt || (a.fenceId < b.fenceId ? -1 : 1))
}

const order = ({ kind }: Transition) => (kind === 'exit' ? 0 : 1)

/** Was the device inside a fence at a time? Used by scheduled rules: inside at 22:00, not arrived by 08:00. */
export function wasInside(visits: readonly Visit[], fenceId: string, time: number): boolean {
  return visits.some((visit) => visit.fenceId === fenceId && visit.enteredAt <= time && (visit.leftAt === null || visit.leftAt > time))
}
