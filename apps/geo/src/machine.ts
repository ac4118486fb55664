import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { awaitSafeRoles } from '@outpost/platform/db/ready'
import { createCounters, type Counters } from '@outpost/platform/http/counters'
import { gauge } from '@outpost/platform/http/metrics'
import { createLog, type Log } from '@outpost/platform/log'
import { createRelay } from '@outpost/platform/relay'
import type { Env } from './env.ts'
import { createCommands } from './ingest/listen/commands.ts'
import type { IngestServices } from './ingest/listen/services.ts'
import { createIdentities } from './ingest/identity.ts'
import { createConnections } from './ingest/listen/connections.ts'
import { createDeviceStats } from './ingest/listen/device-stats.ts'
import { createWriter } from './ingest/write/writer.ts'
import { createLiveEvents } from './live/events.ts'
import { createLive } from './live/live.ts'

/** The resources of one process of the geo service. */
export interface Machine {
  env: Env
  log: Log
  pools: GeoPools
  counters: Counters
  ingestServices: IngestServices
  close(): Promise<void>
}

/** Opens them. No statement has been sent yet: see assertSafe. */
export function createMachine(env: Env, log: Log = createLog({ level: env.LOG_LEVEL, name: 'geo' })): Machine {
  const { passwords } = env.GEO_KEYS
  const pools = createGeoPools({ url: env.DATABASE_URL, secret: passwords, log, size: env.DATABASE_POOL, patience: env.DATABASE_PATIENCE })
  const counters = createCounters({ log })
  const { ingest: pool } = pools
  const connections = createConnections()
  const relay = createRelay({ databaseUrl: env.DATABASE_URL, secret: passwords, redisUrl: env.REDIS_URL }, log)
  const live = createLive({ pool: pools.geo, relay, log })
  const liveEvents = createLiveEvents({ pool: pools.geo, relay, log, database: { url: env.DATABASE_URL, secret: passwords } })
  const writer = createWriter({ pool, log, onStored: live.note })
  const deviceStats = createDeviceStats({ pool, log, onStatus: live.note })
  const commands = createCommands({ pool, connections, log })
  const ingestServices: IngestServices = {
    identities: createIdentities(pool),
    writer,
    deviceStats,
    connections,
    commands,
    log,
    now: Date.now,
  }
  showFigures(ingestServices)
  return {
    env,
    log,
    pools,
    counters,
    ingestServices,
    close: async () => {
      await writer.close()
      await commands.close()
      await deviceStats.close()
      await Promise.all([live.close(), liveEvents.close()])
      await relay.flush()
      await Promise.allSettled([relay.close(), counters.close()])
      await pools.close()
    },
  }
}

/**
 * Waits for the database. Refuses to run with a role that bypasses row-level security. Throws one line when the database cannot be used.
 */
export function assertSafe({ env, pools, log }: Machine): Promise<void> {
  return awaitSafeRoles({ url: env.DATABASE_URL, pools: [pools.geo, pools.ingest], waitMs: env.DATABASE_WAIT * 1_000, log })
}

function showFigures({ writer, connections }: IngestServices): void {
  const rows = gauge('geo_rows_waiting', 'Positions received and not yet committed')
  const lines = gauge('geo_devices_connected', 'Devices on a line')
  const look = setInterval(() => {
    rows.set(writer.waiting())
    lines.set(connections.size())
  }, 1_000)
  look.unref()
}
