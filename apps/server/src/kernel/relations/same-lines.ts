/** Whether lines of a body say what the stored ones hold: as many, in their order, and nothing that differs. For areas that close a record to changes. */
export function isSameLines(stored: unknown, given: unknown): boolean {
  const [held, lines] = [rowsOf(stored), rowsOf(given)]
  return held.length === lines.length && lines.every((line, place) => isSameLine(held[place] ?? {}, line))
}

/** Fields that the stored line does not have are not compared. */
const isSameLine = (held: Line, given: Line) =>
  Object.entries(given).every(([key, value]) => !Object.hasOwn(held, key) || isSame(held[key], value))

type Line = Readonly<Record<string, unknown>>
const rowsOf = (lines: unknown) => (Array.isArray(lines) ? (lines as Readonly<Record<string, unknown>>[]) : [])
const isSame = (held: unknown, given: unknown) => (held ?? null) === (given ?? null) || String(held) === String(given)
