/** Something that is tied to a record by what both have. */
export interface Tied {
  id: string
  ties: readonly string[]
}

/** Pixels from node to node, so that each is easily touched. */
const pitch = 48

export interface TiesLayout {
  height: number
  /** Where the record itself is. */
  centre: number
  ties: { words: string; y: number }[]
  nodes: { id: string; y: number }[]
  /** Lines from a tie to a node. */
  edges: { words: string; from: number; to: number }[]
}

/**
 * Three columns: the record, what ties, who is tied. Nodes with the same tie are together, and a tie is at the middle of its nodes, so that few lines
 * cross; no two of a column are nearer than a touch.
 */
export function tiesLayout(tied: readonly Tied[]): TiesLayout {
  const sharers = new Map<string, number>()
  for (const { ties } of tied) for (const words of new Set(ties)) sharers.set(words, (sharers.get(words) ?? 0) + 1)
  const words = [...sharers.keys()].toSorted(
    (one, other) => (sharers.get(other) ?? 0) - (sharers.get(one) ?? 0) || one.localeCompare(other),
  )
  const place = new Map(words.map((one, index) => [one, index]))
  const firstOf = ({ ties }: Tied) => Math.min(...ties.map((one) => place.get(one) ?? 0))
  const ordered = tied.toSorted((one, other) => firstOf(one) - firstOf(other))
  const height = Math.max(ordered.length, words.length) * pitch
  const nodes = spread(ordered.length, height).map((y, index) => ({ id: ordered[index]?.id ?? '', y }))
  const yOf = new Map(nodes.map(({ id, y }) => [id, y]))
  const middles = words.map((one) => {
    const own = ordered.filter(({ ties }) => ties.includes(one)).map(({ id }) => yOf.get(id) ?? 0)
    return { words: one, middle: own.reduce((sum, y) => sum + y, 0) / Math.max(own.length, 1) }
  })
  const sorted = middles.toSorted((one, other) => one.middle - other.middle)
  const ties = spread(sorted.length, height).map((y, index) => ({ words: sorted[index]?.words ?? '', y }))
  const tieAt = new Map(ties.map((one) => [one.words, one.y]))
  const edges = ordered.flatMap(({ id, ties: own }) =>
    [...new Set(own)].map((one) => ({ words: one, from: tieAt.get(one) ?? 0, to: yOf.get(id) ?? 0 })),
  )
  return { height, centre: height / 2, ties, nodes, edges }
}

/** Middles of so many equal parts of a height. */
const spread = (count: number, height: number) => Array.from({ length: count }, (_, index) => ((index + 0.5) * height) / count)
