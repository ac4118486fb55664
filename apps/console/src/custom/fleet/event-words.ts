import { alarms, eventTypes } from '@outpost/contract/geo/events'
import { t } from '../../session/labels.ts'

/** What happened, in words: an alarm by its own name. */
export function eventWords({ type, alarm }: { type: string; alarm: string | null }): string {
  if (type === 'alarm' && alarm !== null) return Object.hasOwn(alarms, alarm) ? t(alarms[alarm as keyof typeof alarms].label) : alarm
  return Object.hasOwn(eventTypes, type) ? t(eventTypes[type as keyof typeof eventTypes].label) : type
}
