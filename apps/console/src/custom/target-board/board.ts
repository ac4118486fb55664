import { periodAround, periodBefore, type Period } from '@outpost/rules/target-period'
import type { Row } from '../../data/records.ts'
import { formatMoney, formatNumber } from '../../view/formats.ts'

export interface Metric { key: string, label: string, unit: 'count' | 'days' | 'money', isBurden?: boolean }
export interface Figures { actual: number, attainment: number, expected: number, variance: number, projected: number | null, workingDays: number, workingDaysPassed: number, unit: string, events: number }
export interface Target extends Row {
  Id: string, metric: string, ownerType: 'user' | 'team' | 'tenant', ownerName: string | null, value: number, startDate: string, endDate: string
  product: string | null, parts: number, parentId: string | null, note: string | null, periodKind: string, figures: Figures
}
/** What the server hands to the screen. */
export interface BoardData { metrics: Metric[], mayCreate: boolean, mayEdit: boolean, mayDelete: boolean, currency: string, timeZone: string }

export const periodNames = { month: 'This month', lastMonth: 'Last month', quarter: 'This quarter', week: 'This week', all: 'Any time' } as const
export type PeriodName = keyof typeof periodNames
export const isPeriodName = (value: unknown): value is PeriodName => typeof value === 'string' && value in periodNames

/** The days of a named period; any time has none. */
export function daysOf(name: PeriodName, today: string): Period | null {
  if (name === 'all') return null
  const month = periodAround('month', today)
  if (name === 'lastMonth') return month && periodBefore('month', month)
  return periodAround(name, today)
}

/** An amount in the metric's unit. */
export function formatAmount(amount: number, unit: string | undefined, currency: string): string {
  return unit === 'money' ? formatMoney(amount, currency) : formatNumber(amount)
}

export type Pace = 'reached' | 'ahead' | 'behind' | 'far'

/** How a target goes: reached, at least as far as expected, behind by less than a tenth of the whole, or far behind. */
export function paceOf({ figures, value }: Pick<Target, 'figures' | 'value'>, isBurden = false): Pace {
  const { actual, expected } = figures
  if (isBurden) return actual > value ? 'far' : actual > expected ? 'behind' : 'ahead'
  if (actual >= value) return 'reached'
  if (actual >= expected) return 'ahead'
  return expected - actual <= value / 10 ? 'behind' : 'far'
}

export const paceWords: Record<Pace, string> = { reached: 'Reached', ahead: 'On track', behind: 'Slightly behind', far: 'Behind' }

/** Targets of one owner stand together; owners with the most to do first. */
export function groupByOwner(targets: readonly Target[]): { owner: string, ownerType: string, targets: Target[] }[] {
  const groups = [...Map.groupBy(targets, ({ ownerType, ownerName }) => `${ownerType} ${ownerName ?? ''}`).values()]
  const rank = { tenant: 0, team: 1, user: 2 } as Record<string, number>
  return groups.map((own) => ({ owner: own[0]?.ownerName ?? '–', ownerType: own[0]?.ownerType ?? 'user', targets: own }))
    .toSorted((a, b) => (rank[a.ownerType] ?? 9) - (rank[b.ownerType] ?? 9) || a.owner.localeCompare(b.owner))
}
