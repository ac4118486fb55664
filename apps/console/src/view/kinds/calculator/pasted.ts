/** The cells of a copied part of a spreadsheet, rows of columns; a single cell gives one row of one. */
export function pastedCells(text: string): (number | null)[][] {
  const lines = text.replace(/\r/g, '').split('\n')
  while (lines.length > 0 && lines.at(-1)?.trim() === '') lines.pop()
  return lines.map((line) => line.split('\t').map(cellNumber))
}

/** "KES 1,234.50" -> 1234.5, "1 234,50" -> 1234.5, "(200)" -> 200: costs are entered without a sign. Words are empty. */
export function cellNumber(text: string): number | null {
  const digits = text.replace(/[^\d.,]/g, '')
  // A comma or point with two digits or one behind it, at the end, is the decimal sign; all others group thousands.
  const [, whole = digits, rest = ''] = /^(.*)[.,](\d{1,2})$/.exec(digits) ?? []
  const plain = whole.replace(/[.,]/g, '')
  return plain === '' && rest === '' ? null : Number(`${plain || '0'}.${rest || '0'}`)
}

export interface Place {
  row: number
  column: number
}
type Row = Record<string, unknown>

/** The rows with the cells laid over them from a place on; rows are added up to `max`, what does not fit is left out. */
export function withPasted(
  rows: readonly Row[],
  cells: readonly (number | null)[][],
  { keys, place, max }: { keys: readonly string[]; place: Place; max: number },
): Row[] {
  const count = Math.min(max, Math.max(rows.length, place.row + cells.length))
  return Array.from({ length: count }, (_, index) => {
    const pasted = cells[index - place.row]
    const changes = (pasted ?? []).flatMap((value, offset) => {
      const key = keys[place.column + offset]
      return key === undefined ? [] : [[key, value] as const]
    })
    return { ...rows[index], ...Object.fromEntries(changes) }
  })
}
