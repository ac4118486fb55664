import type { House } from './house.ts'

/** One measured figure beside what the issue asks for. */
export interface Figure {
  name: string
  value: number
  unit: string
  /** E.g. '>= 0.6' or '<= 10'; the value is judged by it. */
  target?: string
  /** What the value was made of. */
  detail?: string
}

export interface Bench {
  name: string
  /** Leads that the company must hold; more are made when there are fewer. */
  leads: number
  run(house: House): Promise<Figure[]>
}

/** True when the value keeps to its target, or when there is none. */
export function isMet({ value, target }: Figure): boolean {
  const parts = /^(<=|>=|<|>) ([\d.]+)$/.exec(target ?? '')
  if (!parts) return target === undefined
  const limit = Number(parts[2])
  return { '<=': value <= limit, '>=': value >= limit, '<': value < limit, '>': value > limit }[parts[1] as '<=']
}

/** The value that the share of the sorted values stays under, e.g. 0.99. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)
export const rounded = (value: number): number => Number(value.toPrecision(3))
