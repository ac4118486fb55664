import { isScheduled, type RuleOperator } from '@outpost/contract/geo/rule-words'
import type { RuleCondition, RuleHours } from '@outpost/contract/geo/rules'
import { dayOf, minuteOf } from '@outpost/rules/time-zone'
import type { Severity } from './catalogue.ts'
import type { GeoEvent } from './event.ts'
import type { Rule } from './rule.ts'

/** An older event is stored and shown, but notifies nobody. */
const maxEventAgeMs = 15 * 60_000

export interface MatchContext {
  deviceId: string
  /** Fences the device is in at the time of the event. */
  insideFences: readonly string[]
  /** IANA name of the tenant's zone. */
  timeZone: string
  now: number
}

/** A rule that matches an event; `silence` is the reason why nobody is notified, null when its reactions run. */
export interface Match {
  ruleId: string
  severity: Severity
  silence: 'cooldown' | 'old' | null
}

/** When each rule last notified for a device, by `ruleId:deviceId`, epoch ms. */
export type LastNotified = Readonly<Record<string, number>>

/**
 * Matches an event with rules. A rule that notified within its cooldown, before or after in time (late data), matches in silence. Pass
 * each event once: notifications are recorded in `told`, which is returned updated.
 */
export function matchRules(
  event: GeoEvent,
  rules: readonly Rule[],
  { context, told }: { context: MatchContext; told: LastNotified },
): { matches: Match[]; told: LastNotified } {
  const renewed: Record<string, number> = { ...told }
  const matches = rules
    .filter((rule) => meets(event, rule, context))
    .map(({ id, severity, cooldownSeconds }): Match => {
      const key = `${id}:${context.deviceId}`
      const before = renewed[key]
      const isCooling = before !== undefined && Math.abs(event.time - before) < cooldownSeconds * 1000
      const silence = context.now - event.time > maxEventAgeMs ? 'old' : isCooling ? 'cooldown' : null
      if (silence === null) renewed[key] = Math.max(before ?? -Infinity, event.time)
      return { ruleId: id, severity, silence }
    })
  return { matches, told: renewed }
}

function meets(event: GeoEvent, { id, type, conditions, calendar }: Rule, context: MatchContext): boolean {
  // An event of one rule's schedule belongs to no other rule, even for the same fence.
  const isOwn = !isScheduled(type) || event.attributes.rule === id
  return (
    type === event.type &&
    isOwn &&
    conditions.every((condition) => holds(condition, event, context)) &&
    (!calendar || isWithin(calendar, event.time, context.timeZone))
  )
}

function holds(condition: RuleCondition, event: GeoEvent, { deviceId, insideFences }: MatchContext): boolean {
  switch (condition.kind) {
    case 'attribute':
      return compare(valueOf(event, condition.name), condition)
    case 'alarm':
      return typeof event.attributes.alarm === 'string' && condition.names.includes(event.attributes.alarm)
    case 'device':
      return condition.ids.includes(deviceId)
    case 'fence':
      return holdsFence(condition, event.geofenceId, insideFences)
  }
}

function holdsFence(
  { ids, where }: { ids: readonly string[]; where: 'of' | 'inside' | 'outside' },
  own: string | null,
  inside: readonly string[],
): boolean {
  if (where === 'of') return own !== null && ids.includes(own)
  return ids.some((id) => inside.includes(id)) === (where === 'inside')
}

type Value = string | number | boolean

function valueOf({ speed, attributes }: GeoEvent, name: string): Value | undefined {
  if (name === 'speed' && speed !== null) return speed
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

/** Compares numbers by value, also when one side is numeric text (types differ between models); everything else as text, ignoring case. */
function compare(found: Value | undefined, { operator, value }: { operator: RuleOperator; value: Value }): boolean {
  if (found === undefined) return false
  const [a, b] = [numberOf(found), numberOf(value)]
  const order = a !== null && b !== null ? Math.sign(a - b) : String(found).toLowerCase() === String(value).toLowerCase() ? 0 : null
  switch (operator) {
    case 'eq':
      return order === 0
    case 'ne':
      return order !== 0
    case 'gt':
      return order === 1
    case 'ge':
      return order === 1 || (order === 0 && a !== null)
    case 'lt':
      return order === -1
    case 'le':
      return order === -1 || (order === 0 && a !== null)
  }
}

function numberOf(value: Value): number | null {
  if (typeof value === 'boolean' || (typeof value === 'string' && value.trim() === '')) return null
  return Number.isFinite(Number(value)) ? Number(value) : null
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/**
 * Is a time within the hours of a calendar, in a zone? Hours across midnight belong to the day they began; the same time twice means the
 * whole day.
 */
export function isWithin({ days, from, to, isInverted }: RuleHours, time: number, timeZone: string): boolean {
  const minute = minuteOf(time, timeZone)
  const today = weekday(dayOf(time, timeZone))
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const isIn =
    begin < end
      ? days.includes(today) && minute >= begin && minute < end
      : (days.includes(today) && minute >= begin) || (days.includes(today === 1 ? 7 : today - 1) && minute < end)
  return isIn !== isInverted
}
