import type { Stop, StopReason, Trip, TripEnd, TripStart } from './rows.ts'
import { defaultSettings, type MotionSettings } from './settings.ts'

/** Explains in words why a trip began and ended: facts of the points, the thresholds used, times in the zone. */
export function explainTrip(trip: Trip, timeZone: string, settings: MotionSettings = defaultSettings): string[] {
  const clock = clockOf(timeZone)
  const lines = [`Started ${clock(trip.startTime)}, the last fix at the old place: ${startText(trip.startReason, settings)}.`]
  if (trip.gapMs > 0)
    lines.push(`${kilometres(trip.gapMetres)} within it were not seen (${span(trip.gapMs)} without a fix) and are counted apart.`)
  if (trip.isTowed) lines.push('The ignition was off all the while: towed or carried.')
  if (trip.quality < 1) lines.push(`${Math.round((1 - trip.quality) * 100)} % of its fixes were too poor to measure by.`)
  lines.push(
    trip.endReason === null || trip.confirmedTime === null
      ? `Under way; last fix ${clock(trip.end.time)}.`
      : `Ended ${clock(trip.end.time)}: ${endText(trip.endReason, settings)} (certain since ${clock(trip.confirmedTime)}).`,
  )
  return lines
}

/** Explains in words why there is a stop. */
export function explainStop(stop: Stop, timeZone: string, settings: MotionSettings = defaultSettings): string[] {
  const clock = clockOf(timeZone)
  const lines = [`Arrived ${clock(stop.startTime)}, the first fix at rest: ${stopText(stop.reason, settings)}.`]
  if (stop.ignitionMs > 0) lines.push(`Ignition on for ${span(stop.ignitionMs)}.`)
  if (stop.metres > 0) lines.push(`Moved ${Math.round(stop.metres)} m within it, less than a trip of ${settings.minTrip} m.`)
  if (stop.silentMs > 0) lines.push(`Nothing was heard for ${span(stop.silentMs)}, before and after which it was here.`)
  if (stop.goneBy !== null) lines.push(`Last seen here ${clock(stop.end.time)}; it left at an unknown time before ${clock(stop.goneBy)}.`)
  else lines.push(stop.isOpen ? `Still here ${clock(stop.end.time)}.` : `Left after ${clock(stop.end.time)}, the last fix at rest.`)
  return lines
}

function startText(reason: TripStart, { startByIgnition, movingSpeed, startByWay, minTrip, stopRadius }: MotionSettings): string {
  if (reason === 'ignition') return `ignition on and more than ${startByIgnition} m away`
  if (reason === 'speed') return `two fixes above ${movingSpeed} km/h and more than ${startByWay} m away`
  return reason === 'moved' ? `seen more than ${stopRadius} m away, a way of ${minTrip} m or more` : 'nothing is known of the time before'
}

function endText(reason: TripEnd, settings: MotionSettings): string {
  if (reason === 'jump') return `the next fix was farther away than ${settings.impossibleSpeed} km/h can reach`
  return stopText(reason, settings)
}

function stopText(reason: StopReason, settings: MotionSettings): string {
  if (reason === 'still') return `stayed within ${settings.stopRadius} m for ${span(settings.stopAfter)} or more`
  if (reason === 'ignitionOff') return `ignition off for ${span(settings.ignitionOffAfter)} or more`
  if (reason === 'silent') return `silent for more than ${span(settings.gapAfter)} and then found within ${settings.gapStill} m`
  return reason === 'gap'
    ? `silent for more than ${span(settings.gapAfter)} and then found more than ${settings.gapStill} m away`
    : 'nothing is known of the time before'
}

const kilometres = (metres: number) => `${(metres / 1_000).toFixed(1)} km`

function span(ms: number): string {
  const minutes = Math.round(ms / 60_000)
  if (minutes < 60) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function clockOf(timeZone: string): (time: number) => string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  })
  return (time) => format.format(time)
}
