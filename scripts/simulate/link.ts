import type { Fix } from '../../apps/geo/src/positions/fix.ts'
import type { Vehicle } from './vehicle.ts'

/** What the simulation counts of all its devices. */
export interface Tally { sent: number, answered: number, refused: Set<string>, connected: number, commands: number }

export interface Link { host: string, port: number, signal: AbortSignal, tally: Tally }

/** A connection of one device: `send` settles when the server has confirmed all of the fixes, and rejects when it has not. */
export interface Session { send(fixes: readonly Fix[]): Promise<void>, close(): void }
export type OpenSession = (vehicle: Vehicle, link: Link) => Promise<Session>

/** Rejects after so many ms. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => late.reject(new Error(`no ${what} within ${ms} ms`)), ms)
  try {
    return await Promise.race([promise, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
