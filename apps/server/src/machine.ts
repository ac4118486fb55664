import { join } from 'node:path'
import { createPools, type Pools } from '@outpost/platform/db/pool'
import { awaitSafeRoles } from '@outpost/platform/db/ready'
import { s3Backend } from '@outpost/platform/files/s3'
import { createFiles } from '@outpost/platform/files/store'
import type { FileStore } from '@outpost/platform/files/types'
import { createCounters, type Counters } from '@outpost/platform/http/counters'
import { createLog, type Log } from '@outpost/platform/log'
import { createMail, type Mail } from '@outpost/platform/mail'
import type { QueueStore } from '@outpost/platform/queue'
import { createRelay, type Relay } from '@outpost/platform/relay'
import type { Env } from './env.ts'
import { connectRelay } from './kernel/realtime/index.ts'
import type { Clock } from './kernel/session/clock.ts'
import { startSession, type SessionServices } from './kernel/session/services.ts'
import { createStreams, type Streams } from './kernel/streams.ts'

/** What one process of the server works with, whatever its role. */
export interface Machine {
  env: Env
  log: Log
  pools: Pools
  counters: Counters
  relay: Relay
  mail: Mail
  files: FileStore
  services: SessionServices
  streams: Streams
  queueStore: QueueStore
  close(): Promise<void>
}

export interface MachineOptions {
  /** Tests move it. */
  clock?: Clock
  log?: Log
  /** False: the relay serves this process alone. */
  isRelayShared?: boolean
}

/** Opens all of it. No statement has been sent yet: see assertSafe. */
export async function createMachine(
  env: Env,
  { clock, log = createLog({ level: env.LOG_LEVEL, name: env.ROLE }), isRelayShared = true }: MachineOptions = {},
): Promise<Machine> {
  const { DATABASE_URL: url, ACCESS_SECRET: secret, REDIS_URL: redisUrl } = env
  const queueStore = { databaseUrl: url, secret, redisUrl }
  const pools = createPools({ url, secret, log, size: env.DATABASE_POOL, patience: env.DATABASE_PATIENCE })
  const counters = createCounters({ redisUrl, log })
  const relay = createRelay(isRelayShared ? queueStore : undefined, log)
  const disconnect = connectRelay(relay)
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, SMS_MAIL_DOMAIN: smsDomain } = env
  const mail = createMail({ smtpUrl, from, smsDomain, folder: join(env.DATA_DIR, 'mail'), log })
  const services = await startSession({
    pools,
    secret: env.SECRET,
    formerSecrets: env.SECRETS_BEFORE,
    accessSecret: secret,
    log,
    relay,
    publicUrl: env.PUBLIC_URL,
    keyGeneration: env.TOKEN_KEY_GENERATION,
    hasLegacyRefresh: env.LEGACY_REFRESH,
    hasIpLists: env.IP_LISTS,
    storageGb: env.STORAGE_GB,
    ...(clock ? { clock } : {}),
  })
  return {
    env,
    log,
    pools,
    counters,
    relay,
    mail,
    services,
    queueStore,
    files: openFiles(env),
    streams: createStreams({ perProcess: pools.stream.options.max }),
    close: async () => {
      disconnect()
      mail.close()
      await Promise.allSettled([relay.close(), counters.close()])
      await pools.close()
    },
  }
}

/** Waits for the database; refuses to run with a role that the walls do not hold. Throws one line when the database cannot be used. */
export function assertSafe({ env, pools, log }: Machine): Promise<void> {
  return awaitSafeRoles({ url: env.DATABASE_URL, pools: [pools.app, pools.auth, pools.relay], waitMs: env.DATABASE_WAIT * 1_000, log })
}

function openFiles(env: Env): FileStore {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY: accessKeyId, S3_SECRET_KEY: secretAccessKey } = env
  const folder = join(env.DATA_DIR, 'files')
  if (bucket === undefined || accessKeyId === undefined || secretAccessKey === undefined) return createFiles({ folder })
  return createFiles({
    folder,
    shelf: s3Backend({ endpoint: env.S3_ENDPOINT, region: env.S3_REGION, bucket, accessKeyId, secretAccessKey }),
  })
}
