import type { FileStore } from '@outpost/platform/files/types'
import type { Counters } from '@outpost/platform/http/counters'
import type { Mail } from '@outpost/platform/mail'
import type { Area } from './types.ts'

/** The machine room of this process, as far as areas use it. */
export interface Machine {
  /** For threads and helpers that open connections of their own. */
  databaseUrl: string
  secret: string
  files: FileStore
  mail: Mail
  counters: Counters
  areas: readonly Area[]
  /** The geo service; undefined while there is none. */
  geoUrl?: string | undefined
  isProduction: boolean
}

let started: Machine | undefined

/** Makes the machine room known to the areas; once, at start. */
export function startMachine(parts: Machine): Machine {
  started = parts
  return parts
}

/** The machine room of this process; an error before startMachine. */
export function machine(): Machine {
  if (!started) throw new Error('The machine room is not started')
  return started
}
