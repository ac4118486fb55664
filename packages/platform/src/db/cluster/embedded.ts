import { access, chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { archiveSettings } from '../../backup/archive.ts'
import { findBinaries, type Binaries } from './binaries.ts'
import { isAlive, lockDataDir } from '../lock.ts'
import { readSecrets, writeSecrets, type Secrets } from '../secrets.ts'

export interface EmbeddedOptions {
  dataDir: string
  /** Default: the port of the last start if it is free, else any free one. */
  port?: number
  /** For tests only: no fsync, so a power cut loses the cluster. */
  fast?: boolean
  /** A folder in which Postgres lays down its WAL for backups; it is made, and whatever lies there is the caller's to take away. */
  walDir?: string | undefined
}

export interface EmbeddedPostgres {
  /** Superuser's URL of the database "postgres" on 127.0.0.1. */
  adminUrl: string
  masterSecret: string
  /** Settles when Postgres ends by itself (killed, out of memory); never when it is stopped. */
  ended(): Promise<void>
  /**
   * Restarts it on the same port after it has ended by itself. Throws one line when called too early, because parts of the old one still
   * live.
   */
  restart(): Promise<void>
  stop(): Promise<void>
}

/**
 * Starts the Postgres from npm on <dataDir>/postgres; its data survives restarts. Throws one line when another process already runs on
 * <dataDir>. Stops a server that outlived a killed Outpost first.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const unlock = await lockDataDir(dataDir)
  try {
    return await startLocked({ ...options, dataDir }, unlock)
  } catch (error) {
    await unlock()
    throw error
  }
}

async function startLocked(options: EmbeddedOptions, unlock: () => Promise<void>): Promise<EmbeddedPostgres> {
  const { dataDir } = options
  const secrets = await readSecrets(dataDir)
  const binaries = await findBinaries(dataDir)
  const cluster = join(dataDir, 'postgres')
  await initialise(binaries, cluster, secrets)
  await stopOrphan(binaries, cluster)
  await claimFolder(binaries, cluster)
  const port = options.port ?? (await freePort(secrets.postgresPort))
  const archive = await openArchive(binaries, options.walDir)
  const start = () => startServer(binaries, cluster, startArguments(cluster, port, { isFast: options.fast === true, archive }))
  let pid = await start()
  if (port !== secrets.postgresPort) await writeSecrets(dataDir, { ...secrets, postgresPort: port })
  let isStopped = false
  // When the program crashes or calls exit, Postgres is stopped too. Only kill -9 leaves it to the next start.
  const stopNow = () => {
    if (isAlive(pid)) binaries.runNow('pg_ctl', stopArguments(cluster))
  }
  process.once('exit', stopNow)
  return {
    adminUrl: `postgres://postgres:${secrets.postgresPassword}@127.0.0.1:${port}/postgres`,
    masterSecret: secrets.masterSecret,
    ended: async () => {
      while (isStopped || isAlive(pid)) await wait(watchMs, undefined, { ref: !isStopped })
    },
    // Its lock file stays: from it Postgres sees whether parts of the dead server still hold its memory.
    restart: async () => {
      pid = await start()
    },
    stop: async () => {
      isStopped = true
      process.off('exit', stopNow)
      if (isAlive(pid)) await binaries.run('pg_ctl', stopArguments(cluster))
      await unlock()
    },
  }
}

const watchMs = 250
const stopArguments = (cluster: string) => ['stop', '-D', cluster, '-m', 'fast', '-w', '-t', '60']

/** Starts the server and returns its process id. */
async function startServer(binaries: Binaries, cluster: string, args: readonly string[]): Promise<number> {
  await binaries.run('pg_ctl', args).catch(async () => {
    const log = await readFile(join(cluster, 'server.log'), 'utf8').catch(() => '')
    throw new Error(`Postgres did not start on ${cluster}: ${lastLine(log)}`)
  })
  const pid = await readPid(cluster)
  await awaitRecovery(cluster, pid)
  return pid
}

/** A restored cluster takes connections before it has applied all WAL, and nothing may be written until then. */
async function awaitRecovery(cluster: string, pid: number): Promise<void> {
  const isRecovering = () =>
    access(join(cluster, 'recovery.signal')).then(
      () => true,
      () => false,
    )
  while (await isRecovering()) {
    if (!isAlive(pid)) throw new Error(`Postgres did not recover: see ${join(cluster, 'server.log')}`)
    await wait(watchMs)
  }
}

/** Process id in the server's lock file; NaN without one. */
async function readPid(cluster: string): Promise<number> {
  return Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8').catch(() => 'none')).split('\n')[0])
}

/** Changes the owner of a copy made by another user (cp -r as root), or throws that it belongs to somebody else. */
async function claimFolder(binaries: Binaries, cluster: string): Promise<void> {
  // The folder itself is changed last: after an interruption it still counts as foreign.
  if (await binaries.owns(cluster)) return
  await binaries.ownAll(cluster).catch(() => {
    throw new Error(`${cluster} belongs to another user: copy it with cp -a, or give it to yours with chown -R`)
  })
  await chmod(cluster, 0o700)
}

async function initialise(binaries: Binaries, cluster: string, secrets: Secrets): Promise<void> {
  // Our mark, written last: a folder without it is left over from an interrupted first start.
  const isReady = await readFile(join(cluster, 'outpost.ready')).then(
    () => true,
    () => false,
  )
  if (isReady) return
  await rm(cluster, { recursive: true, force: true })
  await mkdir(cluster, { recursive: true, mode: 0o700 })
  await binaries.own(cluster)
  const passwordFile = join(tmpdir(), `outpost-${randomUUID()}`)
  await writeFile(passwordFile, secrets.postgresPassword, { mode: 0o600 })
  await binaries.own(passwordFile)
  try {
    await binaries.run('initdb', initArguments(cluster, passwordFile))
  } finally {
    await rm(passwordFile, { force: true })
  }
  await writeFile(join(cluster, 'outpost.ready'), '')
}

function initArguments(cluster: string, passwordFile: string): string[] {
  // The built-in locale sorts and folds the same on every machine, whatever its C library.
  const locale = ['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--encoding=UTF8']
  const login = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  return [`--pgdata=${cluster}`, ...login, ...locale, '--no-instructions', '--no-sync']
}

async function openArchive(binaries: Binaries, walDir: string | undefined): Promise<Record<string, string>> {
  if (walDir === undefined) return {}
  await mkdir(walDir, { recursive: true, mode: 0o700 })
  await binaries.own(walDir)
  return archiveSettings(resolve(walDir))
}

function startArguments(
  cluster: string,
  port: number,
  { isFast, archive }: { isFast: boolean; archive: Record<string, string> },
): string[] {
  const settings: Record<string, string> = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_buffers: '256MB',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    jit: 'off',
    ...archive,
    ...(isFast ? { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off', autovacuum: 'off' } : {}),
  }
  const flags = Object.entries(settings)
    .map(([name, value]) => `-c ${name}='${value}'`)
    .join(' ')
  return ['start', '-D', cluster, '-w', '-t', '60', '-l', join(cluster, 'server.log'), '-o', flags]
}

/** We hold the lock, so a running server on this cluster has lost its Outpost; a pid file may also be stale. */
async function stopOrphan(binaries: Binaries, cluster: string): Promise<void> {
  const pidFile = join(cluster, 'postmaster.pid')
  const pid = await readPid(cluster)
  if (Number.isNaN(pid)) return
  if (await isPostgres(pid)) await binaries.run('pg_ctl', stopArguments(cluster))
  else await rm(pidFile, { force: true })
}

async function isPostgres(pid: number): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined)
  return command === undefined || command.includes('postgres')
}

async function freePort(wanted: number | undefined): Promise<number> {
  const taken = wanted === undefined ? undefined : await listenOnce(wanted).catch(() => undefined)
  return taken ?? listenOnce(0)
}

function listenOnce(port: number): Promise<number> {
  return new Promise((done, refuse) => {
    const server = createServer().once('error', refuse)
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' && address ? address.port : port))
    })
  })
}

const lastLine = (log: string) => log.trim().split('\n').at(-1) ?? ''
