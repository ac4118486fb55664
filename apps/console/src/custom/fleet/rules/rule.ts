import { eventValues, valuesOfEvent, type EventValue } from '@outpost/rules/fleet/event-values'
import { isScheduled } from '@outpost/contract/geo/rule-words'
import type { RuleCondition, RuleHours, RuleSchedule } from '@outpost/contract/geo/rules'

type ValueCondition = Extract<RuleCondition, { kind: 'attribute' }>
/** A condition in hand: its value may still be missing. */
export type DraftCondition =
  | Exclude<RuleCondition, ValueCondition>
  | (Omit<ValueCondition, 'value'> & { value: ValueCondition['value'] | null })

/** A rule as its form holds it. */
export interface RuleDraft {
  name: string
  eventType: string
  severity: string
  /** Of a crossing: of which fences. */
  fenceIds: string[]
  /** Of an alarm: which. */
  alarms: string[]
  /** What else must hold. */
  conditions: DraftCondition[]
  hours: RuleHours | null
  schedule: RuleSchedule
  cooldownMinutes: number
  isActive: boolean
}
export const emptyRule: RuleDraft = {
  name: '',
  eventType: 'geofenceExit',
  severity: 'warning',
  fenceIds: [],
  alarms: [],
  conditions: [],
  hours: null,
  schedule: { days: [1, 2, 3, 4, 5, 6, 7], at: '08:00' },
  cooldownMinutes: 5,
  isActive: true,
}

export interface StoredRule {
  name: string
  eventType: string
  severity: string
  conditions: readonly RuleCondition[]
  calendar: RuleHours | null
  schedule: RuleSchedule | null
  cooldownSeconds: number
  isActive: boolean
  version?: number | undefined
}

export const isOfFences = (eventType: string): boolean => eventType.startsWith('geofence')

/** Conditions that the type brings with it; they come before the others. */
const ofType = ({ eventType, fenceIds, alarms }: RuleDraft): RuleCondition[] => [
  ...(isOfFences(eventType) && fenceIds.length > 0 ? [{ kind: 'fence' as const, ids: fenceIds, where: 'of' as const }] : []),
  ...(eventType === 'alarm' && alarms.length > 0 ? [{ kind: 'alarm' as const, names: alarms }] : []),
]

/** What the call takes of a rule whose parts are all there. */
export function ruleBody(draft: RuleDraft) {
  const { eventType, severity, hours, schedule, isActive } = draft
  return {
    name: draft.name.trim(),
    eventType,
    severity,
    conditions: [...ofType(draft), ...draft.conditions],
    calendar: hours,
    schedule: isScheduled(eventType) ? schedule : null,
    cooldownSeconds: Math.round(draft.cooldownMinutes * 60),
    isActive,
  }
}

const isOfType = (eventType: string, one: RuleCondition) =>
  (isOfFences(eventType) && one.kind === 'fence' && one.where === 'of') || (eventType === 'alarm' && one.kind === 'alarm')

/** A stored rule in the form: what the type does not bring with it is a row of its own, whoever wrote it. */
export function draftOf({ name, eventType, severity, conditions, calendar, schedule, cooldownSeconds, isActive }: StoredRule): RuleDraft {
  const own = conditions.find((one) => isOfType(eventType, one))
  return {
    name,
    eventType,
    severity,
    fenceIds: own?.kind === 'fence' ? [...own.ids] : [],
    alarms: own?.kind === 'alarm' ? [...own.names] : [],
    conditions: conditions.filter((one) => one !== own),
    hours: calendar,
    schedule: schedule ?? emptyRule.schedule,
    cooldownMinutes: cooldownSeconds / 60,
    isActive,
  }
}

/** Nothing is missing of a condition. */
export function isWholeCondition(one: DraftCondition): boolean {
  if (one.kind === 'attribute') return one.name.trim() !== '' && one.value !== null && one.value !== ''
  return (one.kind === 'alarm' ? one.names : one.ids).length > 0
}

/** Nothing is missing of what decides when it rings. */
export const isWholeRule = ({ eventType, fenceIds, conditions, hours, schedule }: RuleDraft): boolean =>
  conditions.every(isWholeCondition) &&
  hours?.days.length !== 0 &&
  (!isScheduled(eventType) || (fenceIds.length > 0 && schedule.days.length > 0))

/** How a value is written: as its name says, or as text where the rule holds something else. */
export function lookOf({ name, operator, value }: Extract<DraftCondition, { kind: 'attribute' }>): EventValue {
  const known = knownValue(name)
  if (known?.kind === 'number' && (value === null || typeof value === 'number')) return known
  if (known?.kind === 'yesNo' && operator === 'eq' && (value === null || typeof value === 'boolean')) return known
  return { label: known?.label ?? name, kind: 'text' }
}

export const knownValue = (name: string): EventValue | undefined =>
  Object.hasOwn(eventValues, name) ? eventValues[name as keyof typeof eventValues] : undefined

/** An event of this type never says what the condition asks for, so the rule would never ring. A name of the company's own is believed. */
export const isNeverSaid = (eventType: string, one: DraftCondition): boolean =>
  (one.kind === 'attribute' && knownValue(one.name) !== undefined && !valuesOfEvent(eventType).some((name) => name === one.name)) ||
  (one.kind === 'alarm' && eventType !== 'alarm') ||
  (one.kind === 'fence' && one.where === 'of' && !isOfFences(eventType))

/** Where in the body of a rule the condition of a row is: conditions of its type come first. */
export const pathOfRow = (draft: RuleDraft, row: number): string => `conditions.${ofType(draft).length + row}`
