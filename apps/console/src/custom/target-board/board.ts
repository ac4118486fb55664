import { periodAround, periodBefore, type Period } from '@outpost/rules/targets/target-period'
import type { Row } from '../../data/records.ts'
import { formatMoney, formatNumber } from '../../view/formats.ts'

export interface Metric {
  key: string
  label: string
  unit: 'count' | 'days' | 'money'
  isBurden?: boolean
}
export interface Figures {
  actual: number
  attainment: number
  expected: number
  variance: number
  projected: number | null
  workingDays: number
  workingDaysPassed: number
  unit: string
  events: number
}
export interface Target extends Row {
  Id: string
  metric: string
  ownerType: 'user' | 'team' | 'tenant'
  ownerName: string | null
  ownerTenantType: number | null
  value: number
  startDate: string
  endDate: string
  product: string | null
  parts: number
  parentId: string | null
  note: string | null
  periodKind: string
  figures: Figures
}
/** What the server hands to the screen. */
export interface BoardData {
  metrics: Metric[]
  mayCreate: boolean
  mayEdit: boolean
  mayDelete: boolean
  currency: string
  timeZone: string
  /** Paths of the screens that show a record, by the entity of the records that are counted. */
  records: Record<string, readonly string[]>
}

export const periodNames = {
  month: 'This month',
  lastMonth: 'Last month',
  quarter: 'This quarter',
  week: 'This week',
  all: 'Any time',
} as const
export type PeriodName = keyof typeof periodNames
export const isPeriodName = (value: unknown): value is PeriodName => typeof value === 'string' && value in periodNames

/** The days of a named period; any time has none. */
export function daysOf(name: PeriodName, today: string): Period | null {
  if (name === 'all') return null
  const month = periodAround('month', today)
  if (name === 'lastMonth') return month && periodBefore('month', month)
  return periodAround(name, today)
}

/** An amount in the metric's unit; of things that are counted there are no halves. */
export function formatAmount(amount: number, unit: string | undefined, currency: string): string {
  return unit === 'money' ? formatMoney(amount, currency) : formatNumber(Math.round(amount))
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

export const paceLabels: Record<Pace, string> = { reached: 'Reached', ahead: 'On track', behind: 'Slightly behind', far: 'Behind' }

const kinds = ['Company', 'Branch', 'Team', 'Person'] as const
/** What the owner of a target is called. */
const kindOf = ({ ownerType, ownerTenantType }: Target): (typeof kinds)[number] => {
  if (ownerType === 'user') return 'Person'
  return ownerType === 'team' || ownerTenantType === 4 ? 'Team' : ownerTenantType === 3 ? 'Branch' : 'Company'
}

/** Targets grouped by owner: the company, then branches, teams and people by name. */
export function groupByOwner(targets: readonly Target[]): { owner: string; kind: string; targets: Target[] }[] {
  const groups = [...Map.groupBy(targets, (target) => `${kindOf(target)} ${target.ownerName ?? ''}`).values()]
  return groups
    .flatMap((own) => (own[0] ? [{ owner: own[0].ownerName ?? '–', kind: kindOf(own[0]), targets: own }] : []))
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind) || a.owner.localeCompare(b.owner))
}
