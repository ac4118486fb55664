import { access, constants, mkdir, readdir, statfs } from 'node:fs/promises'
import { connect as connectTcp } from 'node:net'
import { connect as connectTls, type ConnectionOptions } from 'node:tls'
import { Redis } from 'ioredis'
import { listBackups } from '@outpost/platform/backup/keep'
import { tryMailServer } from '@outpost/platform/mail'
import { storeOf, type BackupSettings } from '../backup/settings.ts'
import { listDrills } from '../backup/watch.ts'
import { ok, reasonOf, warning, wrong, type Finding } from './finding.ts'

/** Redis answers, and throws no jobs away to make room. */
export async function checkRedis(url: string | undefined): Promise<Finding> {
  if (url === undefined) return ok('is not used: Postgres is queue and bus')
  const redis = new Redis(url, { lazyConnect: true, connectTimeout: 5_000, retryStrategy: () => null })
  let reason = ''
  redis.on('error', (error: Error) => (reason = reasonOf(error)))
  try {
    await redis.connect()
    await redis.ping()
    const policy = /maxmemory_policy:(\S+)/.exec(await redis.info('memory'))?.[1]
    if (policy !== 'noeviction') return wrong(`its maxmemory-policy is ${policy}: a full Redis would throw jobs away. Set noeviction`)
    return ok('answers')
  } catch (error) {
    return wrong(`REDIS_URL: ${new URL(url).host} cannot be used: ${reason || reasonOf(error)}`)
  } finally {
    redis.disconnect()
  }
}

/** DATA_DIR can be written and has room; the server answers /readyz with no below 5 %. */
export async function checkDisc(folder: string): Promise<Finding> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await access(folder, constants.W_OK)
  } catch (error) {
    return wrong(`DATA_DIR: ${folder} cannot be written: ${reasonOf(error)}`)
  }
  const { bavail, blocks, bsize } = await statfs(folder)
  return discFinding({ folder, free: bavail * bsize, share: blocks > 0 ? bavail / blocks : 1 })
}

/** Judges the room on a disc: bytes free, and their share of it. */
export function discFinding({ folder, free, share }: { folder: string; free: number; share: number }): Finding {
  const words = `${(free / 1e9).toFixed(1)} GB (${Math.floor(share * 100)} %) are free under ${folder}`
  if (share < 0.05) return wrong(`${words}: the server takes no traffic below 5 %`)
  return share < 0.15 ? warning(`${words}: make room soon`) : ok(words)
}

const certificateDays = 14

/** The certificate of PUBLIC_URL is trusted, of that name, and good for two weeks more. */
export async function checkCertificate(publicUrl: string, isProduction: boolean, options: ConnectionOptions = {}): Promise<Finding> {
  const { protocol, hostname, port } = new URL(publicUrl)
  if (protocol !== 'https:')
    return isProduction ? wrong(`PUBLIC_URL: ${publicUrl} is no https: passwords travel in the open`) : ok('is for https only')
  return new Promise((done) => {
    const socket = connectTls({ host: hostname, servername: hostname, port: Number(port || 443), timeout: 5_000, ...options }, () => {
      const { valid_to: until } = socket.getPeerCertificate()
      socket.destroy()
      const days = Math.floor((Date.parse(until) - Date.now()) / 86_400_000)
      done(days < certificateDays ? warning(`ends on ${until}, in ${days} days: is it renewed by itself?`) : ok(`good until ${until}`))
    })
    socket.once('error', (error) => done(wrong(`${hostname} has no certificate that browsers accept: ${reasonOf(error)}`)))
    socket.once('timeout', () => socket.destroy(new Error('no answer in 5 s')))
  })
}

/** A program answers and says that it may take traffic. */
export async function checkProgram(name: string, url: string | undefined): Promise<Finding> {
  if (url === undefined) return warning(`${name} has no address: what belongs to it is not there`)
  try {
    const answer = await fetch(new URL('/readyz', url), { signal: AbortSignal.timeout(5_000), redirect: 'error' })
    const { status, checks = {} } = (await answer.json()) as { status?: string; checks?: Record<string, string> }
    const failing = Object.entries(checks).flatMap(([check, state]) => (state === 'ok' ? [] : [check]))
    if (!answer.ok) return wrong(`${url} takes no traffic (${status}): ${failing.join(', ') || 'it is shutting down'}`)
    return failing.length > 0 ? warning(`${url} goes without ${failing.join(', ')}`) : ok(`${url} takes traffic`)
  } catch (error) {
    return wrong(`${url} does not answer: ${reasonOf(error)}`)
  }
}

/** Ports for devices take a connection. */
export async function checkDevicePorts(ports: readonly { protocol: string; port: number }[], host: string): Promise<Finding[]> {
  if (ports.length === 0) return [ok('none are asked for')]
  const closed: Finding[] = []
  for (const { protocol, port } of ports) {
    const reason = await new Promise<string | undefined>((done) => {
      const socket = connectTcp({ host: host === '0.0.0.0' ? '127.0.0.1' : host, port, timeout: 3_000 }, () => {
        socket.destroy()
        done(undefined)
      })
      socket.once('error', (error) => done(reasonOf(error))).once('timeout', () => socket.destroy(new Error('no answer in 3 s')))
    })
    if (reason !== undefined) closed.push(wrong(`${protocol}: port ${port} is closed: ${reason}`))
  }
  return closed.length > 0 ? closed : [ok(`${ports.map(({ protocol, port }) => `${protocol}:${port}`).join(', ')} are open`)]
}

/** The mail server takes our login; without one, mails stay in a folder. */
export async function checkMail(url: string | undefined, isProduction: boolean): Promise<Finding> {
  if (url === undefined) {
    const words = 'SMTP_URL is not set: mails are written into a folder, and nobody gets them'
    return isProduction ? wrong(words) : ok(words)
  }
  try {
    await tryMailServer(url)
    return ok(`${new URL(url).host} takes our login`)
  } catch (error) {
    return wrong(`SMTP_URL: ${new URL(url).host} cannot be used: ${reasonOf(error)}`)
  }
}

/** There is a backup, it is fresh, its WAL is taken away, and somebody has tried to restore it. */
export async function checkBackups(settings: BackupSettings, now = Date.now()): Promise<Finding | Finding[]> {
  const store = storeOf(settings)
  if (!store) return warning('no place for backups is named (BACKUP_DIR or BACKUP_S3_BUCKET): `npm run backup` makes them')
  const [newest, drill] = [(await listBackups(store)).at(-1), (await listDrills(store)).at(-1)]
  if (!newest) return wrong('there is no backup: run `npm run backup`')
  const hours = (now - Date.parse(newest.takenAt)) / 3_600_000
  const findings: Finding[] = []
  if (hours > 2 * settings.BACKUP_EVERY_HOURS)
    findings.push(wrong(`the newest backup is ${Math.round(hours)} h old: does \`npm run backup -- watch\` run?`))
  const waiting = settings.BACKUP_WAL === undefined ? 0 : (await readdir(settings.BACKUP_WAL).catch(() => [])).length
  if (waiting > 100) findings.push(wrong(`${waiting} files of WAL wait in ${settings.BACKUP_WAL}: nobody takes them to the backups`))
  const days = drill === undefined ? undefined : Math.floor((now - drill) / 86_400_000)
  if (days === undefined) findings.push(warning('no backup was ever restored: run `npm run backup -- drill`'))
  else if (days > 2 * Math.max(settings.BACKUP_DRILL_DAYS, 7)) findings.push(warning(`the last drill was ${days} days ago`))
  return findings.length > 0 ? findings : ok(`the newest is ${hours.toFixed(1)} h old, the last drill ${days} days`)
}
