import type { Tone } from '../../theme/tones.ts'

/** Activities drawn as one box: how many, and of which statuses, most first. Without an hour they are those of the day. */
export interface Stack {
  day: string
  hour: number | null
  count: number
  parts: { name: string; tone: Tone; count: number }[]
}
