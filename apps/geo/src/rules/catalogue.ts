import { alarms, eventTypes, type EventType, type Severity } from '@outpost/contract/geo/events'

export { alarms, eventTypes, type EventType, type Severity }

/** The severity of an event by its type, or by its alarm. */
export function severityOf(type: EventType, alarm?: string): Severity {
  if (type !== 'alarm' || alarm === undefined) return eventTypes[type].severity
  return Object.hasOwn(alarms, alarm) ? alarms[alarm as keyof typeof alarms].severity : 'warning'
}
