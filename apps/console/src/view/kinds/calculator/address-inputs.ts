import { isBlank } from '../../formats.ts'
import { isSameValue, type RecordValues } from '../form/values.ts'
import type { Outline } from './run.ts'

type Keys = Pick<Outline, 'fields' | 'calculator'>
const isNumeric = (kind: string) => kind === 'money' || kind === 'number' || kind === 'percent'
const emptyRows = (count: number) => Array.from({ length: count }, () => ({}))

/** What a calculator opens with: the address over the defaults; an emptied default is there as ''. */
export function startInputs({ fields, calculator: { grid } }: Keys, address: Readonly<Record<string, unknown>>): RecordValues {
  const entered = fields.map(({ key, kind, defaultValue }) => {
    const given = address[key]
    if (given === undefined) return [key, defaultValue] as const
    // A run keeps its amounts as text; fields of numbers take numbers.
    return [key, isBlank(given) ? null : isNumeric(kind) && Number.isFinite(Number(given)) ? Number(given) : given] as const
  })
  if (!grid) return Object.fromEntries(entered)
  const rows = address[grid.key]
  return {
    ...Object.fromEntries(entered),
    [grid.key]: Array.isArray(rows) && rows.length >= grid.min && rows.length <= grid.max ? rows : emptyRows(grid.min),
  }
}

/** The entries of the address that bring the record back; undefined where nothing needs to be. */
export function addressOf({ fields, calculator: { grid } }: Keys, record: RecordValues): Record<string, unknown> {
  const entries = fields.map(({ key, defaultValue }) => {
    if (isSameValue(record[key], defaultValue)) return [key, undefined] as const
    return [key, isBlank(record[key]) ? '' : record[key]] as const
  })
  if (!grid) return Object.fromEntries(entries)
  const rows = record[grid.key] as RecordValues[] | undefined
  const isEmpty = !rows || (rows.length === grid.min && rows.every((row) => Object.values(row).every(isBlank)))
  return { ...Object.fromEntries(entries), [grid.key]: isEmpty ? undefined : rows }
}

/** Nothing of it in the address. */
export function clearedAddress({ fields, calculator: { grid } }: Keys): Record<string, undefined> {
  return Object.fromEntries([...fields.map(({ key }) => key), ...(grid ? [grid.key] : []), 'compare'].map((key) => [key, undefined]))
}
