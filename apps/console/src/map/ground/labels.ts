export interface Placed {
  key: string
  x: number
  y: number
  isPoint: boolean
}

/** Width of a label to the right of its point, and half its height, in pixels. */
const labelSize = { width: 150, half: 13 }

/** Keys of the points whose label covers no other mark or label; in screen pixels. */
export function labelsThatFit(marks: readonly Placed[]): Set<string> {
  const sorted = [...marks].sort((a, b) => a.y - b.y)
  const fitting: Placed[] = []
  sorted.forEach((mark, index) => {
    if (!mark.isPoint) return
    const around = nearRows(sorted, index)
    const coversMark = around.some((other) => other.x > mark.x - 1 && other.x < mark.x + labelSize.width)
    const coversLabel = fitting.some((other) => mark.y - other.y < 2 * labelSize.half && Math.abs(mark.x - other.x) < labelSize.width)
    if (!coversMark && !coversLabel) fitting.push(mark)
  })
  return new Set(fitting.map(({ key }) => key))
}

/** Other marks at about the same height. */
function nearRows(sorted: readonly Placed[], index: number): Placed[] {
  const y = sorted[index]?.y ?? 0
  const found: Placed[] = []
  for (let i = index - 1; i >= 0 && y - (sorted[i]?.y ?? 0) < 2 * labelSize.half; i -= 1) found.push(sorted[i] as Placed)
  for (let i = index + 1; i < sorted.length && (sorted[i]?.y ?? 0) - y < 2 * labelSize.half; i += 1) found.push(sorted[i] as Placed)
  return found
}
