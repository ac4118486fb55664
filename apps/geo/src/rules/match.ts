import { dayOf, minuteOf } from '@outpost/rules/time-zone'
import type { Severity } from './catalogue.ts'
import type { GeoEvent } from './event.ts'
import { isScheduled, type Calendar, type Condition, type Rule } from './rule.ts'

/** An event older than this is kept and shown, and wakes nobody. */
const tooOld = 15 * 60_000

export interface MatchContext {
  deviceId: string
  /** Fences the device is in at the time of the event. */
  insideFences: readonly string[]
  /** IANA name of the tenant's zone. */
  timeZone: string
  now: number
}

/** A rule that an event meets; `silence` says why nobody is told, null when its reactions run. */
export interface Match { ruleId: string, severity: Severity, silence: 'cooldown' | 'old' | null }

/** When each rule last woke somebody for a device, by `ruleId:deviceId`, epoch ms. */
export type LastTold = Readonly<Record<string, number>>

/**
 * Rules that an event meets. A rule that was told within its cooldown, before or after in time (late data), matches in
 * silence. Give each event once: what is told is remembered in `told`, which comes back renewed.
 */
export function matchRules(event: GeoEvent, rules: readonly Rule[], { context, told }: { context: MatchContext, told: LastTold }): { matches: Match[], told: LastTold } {
  const renewed: Record<string, number> = { ...told }
  const matches = rules.filter((rule) => meets(event, rule, context)).map(({ id, severity, cooldownSeconds }): Match => {
    const key = `${id}:${context.deviceId}`
    const before = renewed[key]
    const isCooling = before !== undefined && Math.abs(event.time - before) < cooldownSeconds * 1000
    const silence = context.now - event.time > tooOld ? 'old' : isCooling ? 'cooldown' : null
    if (silence === null) renewed[key] = Math.max(before ?? -Infinity, event.time)
    return { ruleId: id, severity, silence }
  })
  return { matches, told: renewed }
}

function meets(event: GeoEvent, { id, type, conditions, calendar }: Rule, context: MatchContext): boolean {
  // What was looked for at the time of one rule is no other rule's, though it be the same fence.
  const isOwn = !isScheduled(type) || event.attributes.rule === id
  return type === event.type && isOwn && conditions.every((condition) => holds(condition, event, context)) && (!calendar || isWithin(calendar, event.time, context.timeZone))
}

function holds(condition: Condition, event: GeoEvent, { deviceId, insideFences }: MatchContext): boolean {
  switch (condition.kind) {
    case 'attribute': return compare(valueOf(event, condition.name), condition)
    case 'alarm': return typeof event.attributes.alarm === 'string' && condition.names.includes(event.attributes.alarm)
    case 'device': return condition.ids.includes(deviceId)
    case 'fence': return holdsFence(condition, event.geofenceId, insideFences)
  }
}

function holdsFence({ ids, where }: { ids: readonly string[], where: 'of' | 'inside' | 'outside' }, own: string | null, inside: readonly string[]): boolean {
  if (where === 'of') return own !== null && ids.includes(own)
  return ids.some((id) => inside.includes(id)) === (where === 'inside')
}

type Value = string | number | boolean

function valueOf({ speed, attributes }: GeoEvent, name: string): Value | undefined {
  if (name === 'speed' && speed !== null) return speed
  return Object.hasOwn(attributes, name) ? attributes[name] : undefined
}

/** Numbers by size, also when one side is text that reads as a number (types change between models); all else by its text, without case. */
function compare(found: Value | undefined, { operator, value }: { operator: 'eq' | 'ne' | 'gt' | 'ge' | 'lt' | 'le', value: Value }): boolean {
  if (found === undefined) return false
  const [a, b] = [numberOf(found), numberOf(value)]
  const order = a !== null && b !== null ? Math.sign(a - b) : String(found).toLowerCase() === String(value).toLowerCase() ? 0 : null
  switch (operator) {
    case 'eq': return order === 0
    case 'ne': return order !== 0
    case 'gt': return order === 1
    case 'ge': return order === 1 || (order === 0 && a !== null)
    case 'lt': return order === -1
    case 'le': return order === -1 || (order === 0 && a !== null)
  }
}

function numberOf(value: Value): number | null {
  if (typeof value === 'boolean' || (typeof value === 'string' && value.trim() === '')) return null
  return Number.isFinite(Number(value)) ? Number(value) : null
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))
const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay() || 7

/** Does a time lie in the hours of a calendar, in a zone? Hours over midnight belong to the day they began; the same time twice is the whole day. */
export function isWithin({ days, from, to, isInverted }: Calendar, time: number, timeZone: string): boolean {
  const minute = minuteOf(time, timeZone)
  const today = weekday(dayOf(time, timeZone))
  const [begin, end] = [minutesOf(from), minutesOf(to)]
  const isIn = begin < end
    ? days.includes(today) && minute >= begin && minute < end
    : (days.includes(today) && minute >= begin) || (days.includes(today === 1 ? 7 : today - 1) && minute < end)
  return isIn !== isInverted
}
