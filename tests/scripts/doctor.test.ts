import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTls } from 'node:https'
import type { AddressInfo, Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { Redis } from 'ioredis'
import pg from 'pg'
import { SMTPServer } from 'smtp-server'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readBackupSettings } from '../../scripts/backup/settings.ts'
import { databaseChecks, connectionsFinding, versionFinding } from '../../scripts/doctor/database.ts'
import type { Finding } from '../../scripts/doctor/finding.ts'
import {
  checkBackups,
  checkCertificate,
  checkDevicePorts,
  checkDisc,
  checkMail,
  checkProgram,
  checkRedis,
  discFinding,
} from '../../scripts/doctor/surroundings.ts'
import { examine } from '../../scripts/doctor.ts'
import { redisConnection } from '@outpost/platform/queue'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { until } from '../support/until.ts'
import { startRedis } from '../support/redis.ts'

let db: TestDatabase
let dir = ''
const servers: Server[] = []
beforeAll(async () => {
  db = await testDatabase()
  dir = await mkdtemp(join(tmpdir(), 'outpost-doctor-'))
})
afterAll(async () => {
  await db.drop()
  await rm(dir, { recursive: true, force: true })
})
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function listen(server: Server): Promise<number> {
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return (server.address() as AddressInfo).port
}
/** What a check of the database says, by its name. */
async function said(name: string, change: { secret?: string; url?: string; now?: () => number } = {}): Promise<Finding[]> {
  const checks = databaseChecks({ url: db.url, secret: db.secret, ...change }).filter((check) => check.name === name)
  expect(checks).toHaveLength(1)
  return (await examine(checks)).flatMap(({ findings }) => findings)
}
const is = (level: Finding['level'], words: string | RegExp) => ({ level, words: expect.stringMatching(words) as string })
const only = (findings: Finding | Finding[], level: Finding['level'], words: string | RegExp) =>
  expect([findings].flat()).toEqual([is(level, words)])

describe('the database', () => {
  it('is well as a deployment leaves it', async () => {
    const results = await examine(databaseChecks({ url: db.url, secret: db.secret }))
    expect(results.map(({ name, findings: [first] }) => [name, first?.level])).toEqual([
      ['Postgres', 'ok'],
      ['Database roles', 'ok'],
      ['Row-level security', 'ok'],
      ['Migrations', 'ok'],
      ['Clock', 'ok'],
      ['Connections', expect.any(String)],
      ['Outbox', 'ok'],
      // The tests' Postgres keeps no WAL.
      ['WAL archive', 'warning'],
    ])
  })

  it('is not there', async () => only(await said('Postgres', { url: 'postgres://127.0.0.1:1/outpost' }), 'wrong', 'ECONNREFUSED'))
  it('is too old', () => {
    expect(versionFinding(170_006, '17.6')).toEqual(is('wrong', 'needs 18'))
    expect(versionFinding(180_000, '18.0').level).toBe('ok')
  })

  it('has passwords of another secret', async () => {
    const findings = await said('Database roles', { secret: 'another secret of at least 32 characters' })
    expect(findings).toHaveLength(6)
    expect(findings[0]).toEqual(is('wrong', /^fx_app cannot log in: .*`npm run migrate`/))
  })

  it('has a role that owns a table', async () => {
    await db.admin.query('create table public.mine (a int); alter table public.mine owner to fx_report')
    only(await said('Database roles'), 'wrong', /^fx_report owns mine/)
    await db.admin.query('drop table public.mine')
    expect((await said('Database roles'))[0]?.level).toBe('ok')
  })

  it('has reports that could choose their company', async () => {
    await db.admin.query('grant execute on function pg_catalog.set_config(text, text, boolean) to fx_report')
    only(await said('Database roles'), 'wrong', /^fx_report may call set_config/)
    await db.admin.query('revoke execute on function pg_catalog.set_config(text, text, boolean) from fx_report')
  })

  it('has a table without its wall, or with one the owner passes', async () => {
    await db.admin.query('alter table lead no force row level security; alter table client disable row level security')
    only(await said('Row-level security'), 'wrong', /^client, lead: /)
    await db.admin.query('alter table lead force row level security; alter table client enable row level security')
    expect((await said('Row-level security'))[0]?.level).toBe('ok')
  })

  it('lacks a migration, has one that stopped, or one of a newer version', async () => {
    await db.admin.query(`delete from _prisma_migrations where migration_name like '%_doctor'`)
    only(await said('Migrations'), 'wrong', /_doctor is not applied: run `npm run migrate`/)
    await db.admin.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('x', 'x', '20261203050001_doctor', null)`,
    )
    only(await said('Migrations'), 'wrong', /_doctor stopped half way/)
    await db.admin.query(`update _prisma_migrations set finished_at = now() where id = 'x'`)
    await db.admin.query(
      `insert into _prisma_migrations (id, checksum, migration_name, finished_at) values ('y', 'y', '20991231000000_later', now())`,
    )
    only(await said('Migrations'), 'warning', /_later is applied and not part/)
    await db.admin.query(`delete from _prisma_migrations where id = 'y'`)
  })

  it('has hardly a connection left, those of other roles counted', async () => {
    expect([connectionsFinding(81, 100), connectionsFinding(80, 100)].map(({ level }) => level)).toEqual(['warning', 'ok'])
    const others = Array.from({ length: 5 }, () => new pg.Client({ connectionString: db.url }))
    await Promise.all(others.map((client) => client.connect()))
    // Each counts from its next statement on.
    await Promise.all(others.map((client) => client.query('select 1')))
    const used = async () => Number(/^\d+/.exec((await said('Connections'))[0]?.words ?? '')?.[0])
    await until(async () => (await used()) >= 6)
    await Promise.all(others.map((client) => client.end()))
  })

  it('has another time than this machine', async () => {
    only(await said('Clock', { now: () => Date.now() + 60_000 }), 'wrong', /^this machine and Postgres are (59|60)\.\d s apart/)
    only(await said('Clock', { now: () => Date.now() - 10_000 }), 'warning', 'apart')
  })

  it('has jobs that wait, and jobs that were given up', async () => {
    const add = (status: string, age: string) =>
      db.admin.query(
        `insert into outbox ("companyId", "type", "payload", "status", "runAt", "id") values (gen_random_uuid(), 'test', '{}', $1, now() - $2::interval, uuidv7())`,
        [status, age],
      )
    await add('dead', '1 day')
    only(await said('Outbox'), 'warning', /^1 jobs were given up/)
    await add('new', '20 minutes')
    only(await said('Outbox'), 'wrong', 'have waited for 20 min')
    await db.admin.query('delete from outbox')
  })
})

describe('what is around it', () => {
  it('Redis: away, or one that throws jobs away', async () => {
    only(await checkRedis('redis://127.0.0.1:1'), 'wrong', /127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/)
    const redis = await startRedis()
    only(await checkRedis(redis.url), 'ok', 'answers')
    const client = new Redis(redis.url)
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    client.disconnect()
    only(await checkRedis(redis.url), 'wrong', 'allkeys-lru')
    await redis.kill()
  })

  it('Redis: a password that was changed there and not here', async () => {
    const redis = await startRedis()
    const client = new Redis(redis.url)
    const withPassword = (password: string) => redis.url.replace('//', `//:${encodeURIComponent(password)}@`)
    // Signs that mean something in an address.
    const [first, next] = ['p@ss/w:rd?#1', 'p@ss/w:rd?#2']
    await client.config('SET', 'requirepass', first)
    only(await checkRedis(redis.url), 'wrong', 'NOAUTH')
    only(await checkRedis(withPassword(first)), 'ok', 'answers')
    await client.config('SET', 'requirepass', next)
    const former = await checkRedis(withPassword(first))
    only(former, 'wrong', 'WRONGPASS')
    expect(former.words).not.toContain('rd?#1')
    only(await checkRedis(withPassword(next)), 'ok', 'answers')
    expect(redisConnection(withPassword(next))).toMatchObject({ password: next })
    client.disconnect()
    await redis.kill()
  })

  it('the disc: a folder that cannot be, and too little room', async () => {
    await writeFile(join(dir, 'file'), '')
    only(await checkDisc(join(dir, 'file', 'data')), 'wrong', /^DATA_DIR: .*cannot be written/)
    expect((await checkDisc(dir)).words).toContain('are free')
    expect(discFinding({ folder: '/d', free: 4e9, share: 0.04 })).toEqual(is('wrong', '4.0 GB \\(4 %\\)'))
    expect([discFinding({ folder: '/d', free: 1, share: 0.1 }).level, discFinding({ folder: '/d', free: 1, share: 0.2 }).level]).toEqual([
      'warning',
      'ok',
    ])
  })

  it('a program: closed, not ready, degraded, or something else that listens there', async () => {
    const closed = createServer()
    const port = await listen(closed)
    await new Promise((done) => closed.close(done))
    only(await checkProgram('the server', `http://127.0.0.1:${port}`), 'wrong', /does not answer: .*ECONNREFUSED/)
    only(await checkProgram('the geo service', undefined), 'warning', 'no address')
    const answer =
      (status: number, body: object | string): RequestListener =>
      (_, response) =>
        response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    const at = async (listener: RequestListener) => `http://127.0.0.1:${await listen(createServer(listener))}`
    const checks = { postgres: 'failing', disk: 'ok' }
    only(
      await checkProgram('s', await at(answer(503, { status: 'unavailable', checks }))),
      'wrong',
      /takes no traffic \(unavailable\): postgres$/,
    )
    only(await checkProgram('s', await at(answer(200, { status: 'degraded', checks }))), 'warning', 'goes without postgres')
    only(await checkProgram('s', await at(answer(200, { status: 'ok', checks: {} }))), 'ok', 'takes traffic')
    only(await checkProgram('s', await at(answer(200, '<html>'))), 'wrong', 'does not answer')
  })

  it('a port for devices that is closed', async () => {
    const port = await listen(createServer())
    only(await checkDevicePorts([{ protocol: 'gt06', port }], '0.0.0.0'), 'ok', `gt06:${port}`)
    const closed = [
      { protocol: 'gt06', port },
      { protocol: 'h02', port: 1 },
    ]
    only(await checkDevicePorts(closed, '127.0.0.1'), 'wrong', /^h02: port 1 is closed: .*ECONNREFUSED/)
  })

  it('the certificate: unknown, of another name, ended, or about to end', async () => {
    const make = async (name: string, days: number, isOver = false) => {
      const [key, cert] = [join(dir, `${name}.key`), join(dir, `${name}.crt`)]
      const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=${name} -addext subjectAltName=DNS:${name} -days ${days}`
      const openssl = promisify(execFile)
      await openssl('openssl', [...request.split(' '), '-keyout', key, '-out', cert])
      if (isOver) await openssl('openssl', ['x509', '-in', cert, '-signkey', key, '-days', '-1', '-out', cert])
      const files = { key: await readFile(key), cert: await readFile(cert) }
      return { ...files, url: `https://localhost:${await listen(createTls(files, (_, response) => response.end()))}` }
    }
    const good = await make('localhost', 90)
    const trusting = (ca: Buffer) => ({ ca, host: '127.0.0.1' })
    only(await checkCertificate(good.url, true, trusting(good.cert)), 'ok', 'good until')
    only(
      await checkCertificate(good.url, true, { host: '127.0.0.1' }),
      'wrong',
      /localhost has no certificate that browsers accept: self-signed/,
    )
    const [other, soon, ended] = [await make('other.test', 90), await make('localhost', 5), await make('localhost', 5, true)]
    only(await checkCertificate(other.url, true, trusting(other.cert)), 'wrong', 'altnames')
    only(await checkCertificate(soon.url, true, trusting(soon.cert)), 'warning', /in [45] days/)
    only(await checkCertificate(ended.url, true, trusting(ended.cert)), 'wrong', 'expired')
    only(await checkCertificate('http://outpost.test', true), 'wrong', 'no https')
  })

  it('mail: nobody there, or one that refuses our login', async () => {
    only(await checkMail(undefined, true), 'wrong', 'SMTP_URL is not set')
    only(await checkMail('smtp://127.0.0.1:1', true), 'wrong', 'ECONNREFUSED')
    const smtp = new SMTPServer({
      authOptional: false,
      hideSTARTTLS: true,
      allowInsecureAuth: true,
      onAuth: ({ password }, _session, done) => (password === 'right' ? done(null, { user: 'us' }) : done(new Error('no such login'))),
    })
    await new Promise<void>((done) => smtp.listen(0, '127.0.0.1', done))
    const { port } = smtp.server.address() as AddressInfo
    only(await checkMail(`smtp://us:right@127.0.0.1:${port}`, true), 'ok', 'takes our login')
    const refused = await checkMail(`smtp://us:wrong@127.0.0.1:${port}`, true)
    only(refused, 'wrong', 'no such login')
    expect(refused.words).not.toContain('us:wrong')
    await new Promise<void>((done) => smtp.close(done))
  })

  it('backups: none named, none made, an old one, never tried, WAL that nobody takes away', async () => {
    const folder = join(dir, 'backups')
    const settings = readBackupSettings({ BACKUP_DIR: folder, BACKUP_WAL: join(dir, 'wal') })
    const now = Date.parse('2026-11-25T12:00:00Z')
    only(await checkBackups(readBackupSettings({}), now), 'warning', 'no place for backups')
    only(await checkBackups(settings, now), 'wrong', 'there is no backup')
    const backup = { takenAt: '2026-11-22T12:00:00.000Z', endedAt: '2026-11-22T12:01:00.000Z', startLsn: '0/3000028', timeline: 1 }
    const rest = { firstSegment: '000000010000000000000003', systemId: '1', version: 180_000, parts: [{ key: 'k', size: 1, sha256: 's' }] }
    await mkdir(join(folder, 'base/20261122T120000Z'), { recursive: true })
    await writeFile(join(folder, 'base/20261122T120000Z/backup.json'), JSON.stringify({ ...backup, ...rest }))
    await mkdir(join(dir, 'wal'))
    for (let n = 0; n < 101; n += 1) await writeFile(join(dir, 'wal', String(n)), '')
    expect(await checkBackups(settings, now)).toEqual([
      is('wrong', '72 h old'),
      is('wrong', '101 files of WAL'),
      is('warning', 'never restored|ever restored'),
    ])
    await mkdir(join(folder, 'drills'))
    await writeFile(join(folder, `drills/${now - 20 * 86_400_000}.json`), '{}')
    await rm(join(dir, 'wal'), { recursive: true })
    const early = Date.parse('2026-11-22T18:00:00Z')
    only(await checkBackups(settings, early), 'warning', /the last drill was 17 days ago/)
    await writeFile(join(folder, `drills/${early - 86_400_000}.json`), '{}')
    only(await checkBackups(settings, early), 'ok', 'the newest is 6.0 h old')
  })
})

it('the command says it all in words and ends with 1', async () => {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: db.url,
    SECRET: db.secret,
    DATA_DIR: dir,
    REDIS_URL: 'redis://127.0.0.1:1',
    PUBLIC_URL: 'http://127.0.0.1:1',
  }
  const run = promisify(execFile)(process.execPath, [resolve('scripts/doctor.ts')], { env })
  const { code, stdout } = await run.then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  )
  expect(code).toBe(1)
  expect(stdout).toMatch(/^ok {7}Migrations: all \d+ are applied$/m)
  expect(stdout).toMatch(/^WRONG {4}Redis: REDIS_URL/m)
  expect(stdout).toMatch(/^\d wrong, \d warnings\n$/m)
  expect(stdout).not.toContain(db.secret)
})
