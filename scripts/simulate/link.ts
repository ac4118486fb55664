import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import type { Vehicle } from './vehicle.ts'

/** Counters of all simulated devices. */
export interface Tally {
  sent: number
  answered: number
  refused: Set<string>
  connected: number
  commands: number
}

export interface Link {
  host: string
  port: number
  signal: AbortSignal
  tally: Tally
}

/** A device's connection: `send` resolves when the server has confirmed all fixes, and rejects when it has not. */
export interface Session {
  send(fixes: readonly Fix[]): Promise<void>
  close(): void
}
export type OpenSession = (vehicle: Vehicle, link: Link) => Promise<Session>

/** Rejects after a number of ms. */
export async function withTimeout<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no ${what} within ${ms} ms`)), ms)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
