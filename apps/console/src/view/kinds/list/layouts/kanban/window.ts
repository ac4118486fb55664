/** Cards drawn beyond both edges. */
const overscan = 4

/** The window of a place: pixels from the top and pixels of the box. */
export function windowOf({ top, size }: { top: number; size: number }, count: number, height: number): { first: number; last: number } {
  const first = Math.max(0, Math.floor(top / height) - overscan)
  return { first: Math.min(first, Math.max(0, count - 1)), last: Math.min(count - 1, Math.ceil((top + size) / height) + overscan) }
}
