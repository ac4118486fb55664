import { currencyOf, decimalsOf, fitsDecimals } from '@outpost/rules/currency'
import { guardText } from '@outpost/rules/spreadsheet'
import type { ColumnKind, ReportColumn } from '../definition.ts'

/** What a cell may hold; text is as it is: each form of file keeps it from being taken for a formula in its own way. */
export type Cell = string | number | boolean | Date | null

/** A value of the database or of a wire record as a cell of its column. */
export function toCell(value: unknown, kind: ColumnKind): Cell {
  if (value === null || value === undefined || value === '') return null
  switch (kind) {
    case 'number':
    case 'money':
    case 'percent':
    case 'duration': {
      const number = Number(value)
      return Number.isFinite(number) ? number : String(value)
    }
    case 'boolean':
      return value === true || value === 'true'
    case 'date':
    case 'dateTime': {
      const date = value instanceof Date ? value : new Date(String(value))
      return Number.isNaN(date.getTime()) ? String(value) : date
    }
    case 'text':
      return textOf(value)
  }
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ')
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' && value !== null ? wordsOf(value) : String(value)
}

/** A linked record by its name; a line by what it holds, the names of what it refers to instead of their ids. */
function wordsOf(value: object): string {
  if ('label' in value && typeof value.label === 'string') return value.label
  const parts = Object.entries(value)
  const told =
    'Id' in value ? parts.filter(([key, part]) => key !== 'Id' && part !== null && part !== '' && !Object.hasOwn(value, `${key}Label`)) : []
  return told.length > 0 ? told.map(([, part]) => textOf(part)).join(' ') : JSON.stringify(value)
}

/** How many decimals a row's amount has: those of its currency. */
export const decimalsIn = ({ currency }: Pick<ReportColumn, 'currency'>, row: Readonly<Record<string, unknown>>, company: string): number =>
  decimalsOf(currencyOf(currency, row, company))

/** A cell as CSV writes it: as text, and no formula. */
export function toCsvField(...[cell, ...rest]: Parameters<typeof toText>): string {
  return typeof cell === 'string' ? guardText(cell) : toText(cell, ...rest)
}

/** A cell as text; times are in the company's time zone, amounts have `decimals` unless they need more. */
export function toText(cell: Cell, kind: ColumnKind, local: (date: Date) => Date, decimals = 2): string {
  if (cell === null) return ''
  if (kind === 'money' && typeof cell === 'number') return fitsDecimals(cell, decimals) ? cell.toFixed(decimals) : String(cell)
  if (typeof cell === 'boolean') return cell ? 'Yes' : 'No'
  if (kind === 'duration' && typeof cell === 'number') return clockOf(cell)
  if (!(cell instanceof Date)) return String(cell)
  return kind === 'date' ? cell.toISOString().slice(0, 10) : local(cell).toISOString().slice(0, 16).replace('T', ' ')
}

/** Seconds as hours, minutes and seconds: 26:03:07. */
function clockOf(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${seconds < 0 ? '-' : ''}${Math.floor(whole / 3_600)}:${two(Math.floor(whole / 60) % 60)}:${two(whole % 60)}`
}

/**
 * Shifts a moment so that its UTC fields show the time on a clock in the zone: spreadsheets know no zones. Offsets
 * are looked up once an hour of data, for the lookup is slow.
 */
export function localClock(timeZone: string): (date: Date) => Date {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offsets = new Map<number, number>()
  return (date) => {
    const hour = Math.floor(date.getTime() / 3_600_000)
    let offset = offsets.get(hour)
    if (offset === undefined) {
      offset = offsetMs(format.formatToParts(date).find((part) => part.type === 'timeZoneName')?.value ?? 'GMT')
      if (offsets.size > 50_000) offsets.clear()
      offsets.set(hour, offset)
    }
    return new Date(date.getTime() + offset)
  }
}

function offsetMs(name: string): number {
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):?(\d\d)?/.exec(name) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0)) * 60_000
}
