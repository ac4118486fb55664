/** A rule as its form holds it. */
export interface RuleDraft {
  name: string
  eventType: string
  severity: string
  fenceIds: string[]
  alarms: string[]
  minSpeed: number | null
  hours: { days: number[]; from: string; to: string } | null
  cooldownMinutes: number
  isActive: boolean
}
export const emptyRule: RuleDraft = {
  name: '',
  eventType: 'geofenceExit',
  severity: 'warning',
  fenceIds: [],
  alarms: [],
  minSpeed: null,
  hours: null,
  cooldownMinutes: 5,
  isActive: true,
}

type Condition =
  | { kind: 'fence'; ids: string[]; where: string }
  | { kind: 'alarm'; names: string[] }
  | { kind: 'attribute'; name: string; operator: string; value: unknown }
  | { kind: 'device'; ids: string[] }
export interface StoredRule {
  name: string
  eventType: string
  severity: string
  conditions: Condition[] | null
  calendar: { days: number[]; from: string; to: string; isInverted?: boolean } | null
  schedule?: unknown
  cooldownSeconds: number
  isActive: boolean
  version?: number
}

export const isOfFences = (eventType: string): boolean => eventType.startsWith('geofence')
/** Types that are looked at by a time of day; they are set through the call, not here. */
export const isScheduled = (eventType: string): boolean => eventType === 'geofenceNotInside' || eventType === 'geofenceNotOutside'

/** What the call takes. Conditions that the form does not show are kept as they were. */
export function ruleBody(draft: RuleDraft, stored?: StoredRule) {
  const others = (stored?.conditions ?? []).filter((one) => !isShown(one))
  const conditions: Condition[] = [
    ...(isOfFences(draft.eventType) && draft.fenceIds.length > 0 ? [{ kind: 'fence' as const, ids: draft.fenceIds, where: 'of' }] : []),
    ...(draft.eventType === 'alarm' && draft.alarms.length > 0 ? [{ kind: 'alarm' as const, names: draft.alarms }] : []),
    ...(draft.minSpeed === null ? [] : [{ kind: 'attribute' as const, name: 'speed', operator: 'ge', value: draft.minSpeed }]),
    ...others,
  ]
  return {
    name: draft.name.trim(),
    eventType: draft.eventType,
    severity: draft.severity,
    conditions,
    calendar: draft.hours ? { ...draft.hours, isInverted: false } : null,
    cooldownSeconds: Math.round(draft.cooldownMinutes * 60),
    isActive: draft.isActive,
  }
}

const isShown = (one: Condition) =>
  (one.kind === 'fence' && one.where === 'of') ||
  one.kind === 'alarm' ||
  (one.kind === 'attribute' && one.name === 'speed' && one.operator === 'ge')

export function draftOf({ name, eventType, severity, conditions, calendar, cooldownSeconds, isActive }: StoredRule): RuleDraft {
  const all = conditions ?? []
  const fence = all.find((one) => one.kind === 'fence' && one.where === 'of')
  const alarm = all.find((one) => one.kind === 'alarm')
  const speed = all.find((one) => one.kind === 'attribute' && isShown(one))
  return {
    name,
    eventType,
    severity,
    fenceIds: fence?.kind === 'fence' ? fence.ids : [],
    alarms: alarm?.kind === 'alarm' ? alarm.names : [],
    minSpeed: speed?.kind === 'attribute' && typeof speed.value === 'number' ? speed.value : null,
    hours: calendar && calendar.isInverted !== true ? { days: calendar.days, from: calendar.from, to: calendar.to } : null,
    cooldownMinutes: cooldownSeconds / 60,
    isActive,
  }
}
