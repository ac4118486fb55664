import { loadavg } from 'node:os'
import type { House } from './house.ts'
import { percentile } from './percentile.ts'

export { percentile } from './percentile.ts'

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

export const median = (values: readonly number[]): number => percentile(values, 0.5)
export const rounded = (value: number): number => Number(value.toPrecision(3))

/** The least and the most of some rounds, for the detail of a figure: a value says little without its spread. */
export const spread = (values: readonly number[], unit = ''): string =>
  `${rounded(Math.min(...values))} to ${rounded(Math.max(...values))}${unit}`

export const rounds = 5

/** How busy the machine was in the last minute: a figure of a browser on a busy machine says little. */
export const machineLoad = (): string => `load ${(loadavg()[0] ?? 0).toFixed(1)}`

/** Runs both sides of a comparison in turn, five times after one to warm up, so that whatever else the machine does falls on both. */
export async function interleaved<Side extends string>(sides: Record<Side, () => Promise<number>>): Promise<Record<Side, number[]>> {
  const names = Object.keys(sides) as Side[]
  const values = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Side, number[]>
  for (let round = -1; round < rounds; round += 1) {
    for (const name of names) {
      const value = await sides[name]()
      if (round >= 0) values[name].push(value)
    }
  }
  return values
}

/** Ours over theirs, round by round. */
export const ratios = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, round) => value / (theirs[round] ?? Number.NaN))
