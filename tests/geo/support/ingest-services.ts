import { connect, type Socket } from 'node:net'
import { createGeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import { createCommands } from '../../../apps/geo/src/ingest/listen/commands.ts'
import type { IngestServices } from '../../../apps/geo/src/ingest/listen/services.ts'
import { createIdentities } from '../../../apps/geo/src/ingest/identity.ts'
import { createConnections } from '../../../apps/geo/src/ingest/listen/connections.ts'
import { createDeviceStats } from '../../../apps/geo/src/ingest/listen/device-stats.ts'
import { createWriter } from '../../../apps/geo/src/ingest/write/writer.ts'

/** All that lines work with, in this process; timers far away, so that tests decide when. */
export function openIngestServices(
  { url, secret }: { url: string; secret: string },
  now: () => number = Date.now,
  writing: { maxRows?: number } = {},
): { ingestServices: IngestServices; close: () => Promise<void> } {
  const log = createLog({ level: 'silent' })
  const pools = createGeoPools({ url, secret, log, patience: 30 })
  const { ingest: pool } = pools
  const connections = createConnections()
  const ingestServices: IngestServices = {
    identities: createIdentities(pool),
    connections,
    log,
    now,
    writer: createWriter({ pool, log, lingerMs: 5, ...writing }),
    deviceStats: createDeviceStats({ pool, log, everyMs: 3_600_000 }),
    commands: createCommands({ pool, connections, log, now, everyMs: 3_600_000 }),
  }
  return {
    ingestServices,
    close: async () => {
      await ingestServices.writer.close()
      await ingestServices.commands.close()
      await ingestServices.deviceStats.close()
      await pools.close()
    },
  }
}

export interface Tracker {
  socket: Socket
  /** Everything heard so far. */
  heard(): Buffer
  /** Waits until so many bytes, or this text, have been heard. */
  hear(what: number | string): Promise<Buffer>
  ended: Promise<void>
}

/** A device's end of a TCP line. */
export async function dial(port: number): Promise<Tracker> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  let heard = Buffer.alloc(0)
  const waiters = new Set<() => void>()
  socket.on('error', () => undefined)
  socket.on('data', (chunk: Buffer) => {
    heard = Buffer.concat([heard, chunk])
    for (const look of waiters) look()
  })
  const ended = new Promise<void>((done) => socket.once('close', () => done()))
  await new Promise<void>((done, refuse) => socket.once('connect', done).once('error', refuse))
  const hear = (what: number | string) =>
    new Promise<Buffer>((done, refuse) => {
      const timer = setTimeout(
        () => refuse(new Error(`waited for ${what}, heard ${JSON.stringify(heard.toString('latin1').slice(-300))}`)),
        30_000,
      )
      const look = () => {
        if (typeof what === 'number' ? heard.length < what : !heard.includes(what)) return
        clearTimeout(timer)
        waiters.delete(look)
        done(heard)
      }
      waiters.add(look)
      look()
    })
  return { socket, heard: () => heard, hear, ended }
}
