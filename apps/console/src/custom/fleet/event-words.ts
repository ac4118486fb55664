import { alarms, eventTypes } from '@outpost/contract/geo/events'
import { t } from '../../session/labels.ts'

/** Alarms of a message in words: it may have several, with commas between them. */
export const alarmWords = (alarm: string): string =>
  alarm
    .split(',')
    .map((name) => name.trim())
    .map((name) => (Object.hasOwn(alarms, name) ? t(alarms[name as keyof typeof alarms].label) : name))
    .join(', ')

/** What happened, in words: an alarm by its own name. */
export function eventWords({ type, alarm }: { type: string; alarm: string | null }): string {
  if (type === 'alarm' && alarm !== null) return alarmWords(alarm)
  return Object.hasOwn(eventTypes, type) ? t(eventTypes[type as keyof typeof eventTypes].label) : type
}
