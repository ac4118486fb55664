import { alarms, eventTypes } from '@outpost/contract/geo/events'
import type { Wording } from '@outpost/rules/wording'
import type { Reaction } from './reaction.ts'

/** A place in words, as the geo service's geocoding gives it. */
export interface Place {
  address: string
  source: string
}

/** An event as people read it: one sentence, and the lines of a letter. */
export interface EventMessage {
  sentence: string
  lines: string[]
}

/** "KDA 123A: Too fast, 92 km/h (limit 80), near Westlands, Nairobi. 22 Nov 2026, 14:05". */
export function eventMessage(
  { event, device, rule, level, parameters, timeZone }: Reaction,
  { place, wording }: { place: Place | undefined; wording: Wording },
): EventMessage {
  const what = whatOf(event)
  const where = whereOf(event, place)
  const when = wording.moment(new Date(event.time), timeZone ?? undefined).replace(/ (?=\d\d:\d\d$)/, ', ')
  const waited = level > 1 && parameters.escalateAfterS !== undefined ? `Nobody took note for ${duration(parameters.escalateAfterS)}. ` : ''
  return {
    sentence: `${waited}${device.name}: ${what}${where === '' ? '' : `, ${where}`}. ${when}`,
    lines: [
      `Vehicle: ${device.name}`,
      `What: ${what}`,
      ...(where === '' ? [] : [`Where: ${where}`]),
      `When: ${when}`,
      ...(event.latitude === null || event.longitude === null
        ? []
        : [`Coordinates: ${event.latitude.toFixed(5)}, ${event.longitude.toFixed(5)}`]),
      ...(rule === null ? [] : [`Rule: ${rule}`]),
    ],
  }
}

function whatOf({ type, attributes, fence, speed }: Reaction['event']): string {
  const label = labelOf(type, attributes.alarm)
  const limit = typeof attributes.speedLimit === 'number' ? ` (limit ${Math.round(attributes.speedLimit)})` : ''
  const fast = /overspeed/i.test(`${type} ${String(attributes.alarm)}`) && speed !== null ? `, ${Math.round(speed)} km/h${limit}` : ''
  return `${label}${fence === null ? '' : ` (${fence})`}${fast}`
}

/** Alarms and types without a text are shown by their own names. */
function labelOf(type: string, alarm: unknown): string {
  if (type === 'alarm' && typeof alarm === 'string')
    return Object.hasOwn(alarms, alarm) ? alarms[alarm as keyof typeof alarms].label : `Alarm ${alarm}`
  return Object.hasOwn(eventTypes, type) ? eventTypes[type as keyof typeof eventTypes].label : type
}

/** A fence that the event is about names its place already. */
function whereOf({ latitude, longitude, fence }: Reaction['event'], place: Place | undefined): string {
  if (latitude === null || longitude === null) return ''
  if (!place || place.source === 'coordinates') return `at ${latitude.toFixed(5)}, ${longitude.toFixed(5)}`
  if (place.address === fence) return ''
  return `${place.source === 'place' ? 'near' : 'at'} ${place.address}`
}

function duration(seconds: number): string {
  const minutes = Math.round(seconds / 60)
  if (minutes < 120) return minutes === 1 ? 'a minute' : `${minutes} minutes`
  return `${Math.round(minutes / 60)} hours`
}
