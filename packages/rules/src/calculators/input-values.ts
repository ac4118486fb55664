import type { Decimal } from '../money.ts'

type Row = Readonly<Record<string, Decimal>>

/** The validated inputs: amounts are decimals and an empty field is zero. */
export interface Inputs {
  /** The inputs in stored form: amounts as text; hidden or empty fields are absent. */
  record: Record<string, unknown>
  has(key: string): boolean
  amount(key: string): Decimal
  text(key: string): string
  flag(key: string): boolean
  rows(): readonly Row[]
}
