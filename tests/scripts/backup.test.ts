import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { appendAudit } from '@outpost/platform/audit'
import { listBackups, pruneBackups } from '@outpost/platform/backup/keep'
import { restoreFiles } from '@outpost/platform/backup/files'
import { folderPlace } from '@outpost/platform/backup/places'
import { restoreBackup } from '@outpost/platform/backup/restore'
import { folderStore, type BackupStore } from '@outpost/platform/backup/store'
import { shipWal, takeBackup } from '@outpost/platform/backup/take'
import { transactionIn } from '@outpost/platform/db/context'
import { startEmbedded, type EmbeddedPostgres } from '@outpost/platform/db/cluster/embedded'
import { migrate } from '@outpost/platform/db/migrate'
import { s3Backend } from '@outpost/platform/files/s3'
import { createFiles } from '@outpost/platform/files/store'
import { createPools, type Pools } from '@outpost/platform/db/pool'
import { bootstrapRoles } from '@outpost/platform/db/roles'
import { seedDemo } from '../../prisma/seed/seed.ts'
import { drillBackup } from '../../scripts/backup/drill.ts'
import { compareFiles } from '../../scripts/backup/drill-files.ts'
import { bucketOfFiles, filesOf, readBackupSettings, storeOf } from '../../scripts/backup/settings.ts'
import { backupRound, listDrills } from '../../scripts/backup/watch.ts'
import { startS3 } from '../support/s3.ts'
import { until } from '../support/until.ts'

const backupPassword = randomBytes(16).toString('hex')
let dir = ''
let postgres: EmbeddedPostgres
let admin: pg.Pool
let pools: Pools
let store: BackupStore
/** The address with the login of fx_backup, as the backup service has it. */
let url = ''
let spool = ''
let companies: string[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outpost-backups-'))
  spool = join(dir, 'spool')
  postgres = await startEmbedded({ dataDir: join(dir, 'data'), fast: true, walDir: spool })
  const secrets = { secret: postgres.masterSecret, deploySecret: randomBytes(32).toString('hex'), backupPassword }
  const adminUrl = await bootstrapRoles({ adminUrl: postgres.adminUrl, database: 'outpost', ...secrets })
  await migrate({ url: adminUrl, ...secrets, dir: resolve(import.meta.dirname, '../../prisma') })
  await seedDemo({ url: adminUrl, ...secrets, leads: 40, activities: 40 })
  admin = new pg.Pool({ connectionString: adminUrl, max: 2 })
  pools = createPools({ url: adminUrl, secret: secrets.secret, size: 2 })
  const login = new URL(adminUrl)
  login.username = 'fx_backup'
  login.password = backupPassword
  url = login.href
  store = folderStore(join(dir, 'backups'))
  companies = (await admin.query<{ companyId: string }>('select distinct "companyId" from tenant')).rows.map(({ companyId }) => companyId)
  await write('before the backup')
})
afterAll(async () => {
  await Promise.all([pools.close(), admin.end()])
  await postgres.stop()
  await rm(dir, { recursive: true, force: true })
})

/** One entry in the audit chain of each company, as a change makes it. */
async function write(action: string): Promise<void> {
  for (const companyId of companies)
    await transactionIn(pools.app, { company: companyId, scope: '*', user: null, tenant: null }, (sql) =>
      appendAudit(sql, { companyId, userId: null, action, objectType: 'lead' }),
    )
}

/** Ends the segment that is being written and waits until Postgres has laid it down. */
async function archiveAll(): Promise<void> {
  const { rows } = await admin.query<{ name: string }>('select pg_walfile_name(pg_switch_wal()) as name')
  await until(async () => (await readdir(spool)).includes(rows[0]?.name ?? ''), 20_000)
}
const takeOne = (now?: Date) => takeBackup({ url, store, workDir: dir, partBytes: 2_000_000, ...(now ? { now } : {}) })
const entries = async () => Number((await admin.query('select count(*) as n from audit_log')).rows[0].n)

it('a base backup and the WAL after it are all that was committed: counts and audit chains are equal', async () => {
  const backup = await takeOne()
  expect(backup.parts.length).toBeGreaterThan(1)
  expect(backup.version).toBeGreaterThanOrEqual(180_000)
  await write('after the backup')
  await archiveAll()
  expect((await shipWal({ spool, store, workDir: dir })).length).toBeGreaterThan(0)
  expect((await readdir(spool)).filter((name) => !name.endsWith('.part'))).toEqual([])
  const drill = await drillBackup({ store, url, workDir: dir })
  expect(drill.problems).toEqual([])
  expect(drill.tables.length).toBeGreaterThan(100)
  for (const { name, restored, living } of drill.tables) expect([name, restored]).toEqual([name, living])
  expect(drill.auditEntries).toBe(await entries())
  expect(drill.auditEntries).toBeGreaterThanOrEqual(2 * companies.length)
})

it('a moment between two changes can be gone back to', async () => {
  const before = await entries()
  const at = new Date((await admin.query<{ now: Date }>('select clock_timestamp() as now')).rows[0]!.now.getTime() + 1)
  await admin.query('select pg_sleep(0.05)')
  await write('to be undone')
  await archiveAll()
  await shipWal({ spool, store, workDir: dir })
  const drill = await drillBackup({ store, url, workDir: dir, at })
  expect([drill.problems, drill.auditEntries]).toEqual([[], before])
})

it('on one machine a restored folder takes the place of the old one, and Outpost goes on with all that was committed', async () => {
  const dataDir = join(dir, 'again')
  await mkdir(dataDir)
  await copyFile(join(dir, 'data/secrets.json'), join(dataDir, 'secrets.json'))
  await restoreBackup({ store, to: join(dataDir, 'postgres') })
  const again = await startEmbedded({ dataDir, fast: true })
  const client = new pg.Client({ connectionString: again.adminUrl.replace(/postgres$/, 'outpost') })
  await client.connect()
  // Written to at once: a cluster that still recovers would refuse.
  await client.query('create table public.written (a int)')
  expect(Number((await client.query('select count(*) as n from audit_log')).rows[0].n)).toBe(await entries())
  await client.end()
  await again.stop()
})

it('an entry of the audit log that was changed behind our back is found by the drill', async () => {
  const change = (action: string) =>
    admin.query(`update audit_log set "action" = $1 where "companyId" = $2 and "seq" = 1`, [action, companies[0]])
  const { rows } = await admin.query<{ action: string }>(`select "action" from audit_log where "companyId" = $1 and "seq" = 1`, [
    companies[0],
  ])
  await admin.query('set session_replication_role = replica')
  await change('forged')
  await archiveAll()
  await shipWal({ spool, store, workDir: dir })
  const drill = await drillBackup({ store, url, workDir: dir })
  expect(drill.problems).toEqual([`audit chain of ${companies[0]}: entry 1 (content)`])
  await change(rows[0]!.action)
})

it('a part that is not what was stored, or is gone, is not restored', async () => {
  const [part = ''] = (await store.list('base')).filter((key) => key.includes('part-'))
  const path = join(dir, 'backups', part)
  const whole = await readFile(path)
  await writeFile(path, Buffer.concat([whole.subarray(0, -1), Buffer.from([whole.at(-1)! ^ 1])]))
  await expect(restoreBackup({ store, to: join(dir, 'broken') })).rejects.toThrow()
  await rm(path)
  await expect(restoreBackup({ store, to: join(dir, 'gone') })).rejects.toThrow(`${part} has gone from the store`)
  await writeFile(path, whole)
  await writeFile(join(dir, 'gone', 'something'), '')
  await expect(restoreBackup({ store, to: join(dir, 'gone') })).rejects.toThrow('is not empty')
  await expect(restoreBackup({ store, to: join(dir, 'early'), at: new Date(0) })).rejects.toThrow('no backup from before 1970')
})

it('the service takes WAL, a backup and a drill when they are due, says what fails, and keeps what is needed to go back', async () => {
  const said: string[] = []
  const settings = readBackupSettings({ BACKUP_DIR: join(dir, 'served'), BACKUP_WAL: spool, BACKUP_WORK: dir })
  const served = storeOf(settings)!
  const start = Date.now()
  const round = (days: number, from = url) =>
    backupRound({
      settings: { ...settings, BACKUP_DRILL_DAYS: days === 0 ? 7 : 40 },
      store: served,
      url: from,
      say: (line) => said.push(line),
      now: () => start + days * 86_400_000,
    })
  expect(await round(0)).toEqual([])
  expect([(await listBackups(served)).length, (await listDrills(served)).length]).toEqual([1, 1])
  said.length = 0
  expect([await round(0.5), said.filter((line) => !line.startsWith('WAL'))]).toEqual([[], []])
  await archiveAll()
  for (const days of [2, 18]) expect(await round(days)).toEqual([])
  // One of each is kept from before the fourteen days, to go back to their first moment.
  expect((await listBackups(served)).map(({ takenAt }) => Math.round((Date.parse(takenAt) - start) / 86_400_000))).toEqual([2, 18])
  expect(await pruneBackups(served, { keepDays: 14, now: start + 18 * 86_400_000 })).toEqual([])
  const { firstSegment } = (await listBackups(served))[0]!
  for (const key of await served.list('wal')) expect(key.slice(12, 28) >= firstSegment.slice(8)).toBe(true)
  const wrong = url.replace(backupPassword, 'x'.repeat(32))
  const failures = await round(30, wrong)
  expect(failures.join('\n')).toMatch(/^backup: password authentication failed/)
  expect((await listBackups(served)).length).toBe(2)
})

it('the same in a bucket: put, list by pages, read, miss, remove', async () => {
  const { objects, endpoint, close } = await startS3()
  const keys = { BACKUP_S3_BUCKET: 'bucket', BACKUP_S3_ACCESS_KEY: 'a', BACKUP_S3_SECRET_KEY: 'b', BACKUP_S3_PREFIX: 'ours/' }
  const bucket = storeOf(readBackupSettings({ ...keys, BACKUP_S3_ENDPOINT: endpoint }))!
  const path = join(dir, 'piece')
  await writeFile(path, 'hello')
  for (const name of ['base/1/a', 'base/1/b', 'base/2/a', 'basement', 'wal/1']) await bucket.put(name, path)
  expect(await bucket.list('base')).toEqual(['base/1/a', 'base/1/b', 'base/2/a'])
  expect(await text((await bucket.open('base/1/a'))!)).toBe('hello')
  await bucket.remove('base/1/a')
  expect(await bucket.open('base/1/a')).toBeUndefined()
  expect([...objects.keys()].every((key) => key.startsWith('/bucket/ours/'))).toBe(true)
  expect(() => storeOf(readBackupSettings({ ...keys, BACKUP_S3_SECRET_KEY: '' }))).toThrow('BACKUP_S3_SECRET_KEY: is needed')
  expect(() => storeOf(readBackupSettings({ ...keys, BACKUP_DIR: '/x' }))).toThrow('only one of them')
  close()
})

it('uploaded files are in the backups: each drill compares them, and a moment gives back those of that moment', async () => {
  const folder = join(dir, 'files')
  const shelf = createFiles({ folder })
  const upload = async (words: string) => {
    const received = await shelf.receive(Readable.from([words]), { maxBytes: 1_000 })
    const key = await received.keep()
    await admin.query(
      `insert into stored_file ("companyId", "id", "tenantId", "storageKey", "path", "name", "mimeType", "size", "sha256")
       select "companyId", gen_random_uuid(), "id", $1, $1, 'a.txt', 'text/plain', $2, $3 from tenant where "companyId" = $4 limit 1`,
      [key, received.size, received.sha256, companies[0]],
    )
    return key
  }
  const kept = folderStore(join(dir, 'with-files'))
  const [a, b] = [await upload('of a client'), await upload('of a lead')]
  await writeFile(join(folder, 'arriving-no-file-of-ours'), '')
  const settings = {
    ...readBackupSettings({ BACKUP_WAL: spool, BACKUP_WORK: dir, BACKUP_FILES: folder }),
    BACKUP_DRILL_DAYS: 0,
    BACKUP_EVERY_HOURS: 1_000,
  }
  const files = filesOf(settings, kept)!
  const said: string[] = []
  const start = Date.now()
  const round = async (days: number) => {
    await archiveAll()
    return backupRound({ settings, store: kept, url, files, say: (line) => said.push(line), now: () => start + days * 86_400_000 })
  }
  expect([await round(0), said.filter((line) => line.includes('files are'))]).toEqual([
    [],
    ['2 files are in the backups, 0 old ones removed'],
  ])
  expect(await drillBackup({ store: kept, url, workDir: dir, withFiles: true })).toMatchObject({ problems: [], files: 2, filesRead: 2 })

  // Removed by its owner: kept for whoever goes back, for fourteen days.
  await shelf.remove(b)
  await admin.query(`update stored_file set "deletedAt" = now() where "storageKey" = $1`, [b])
  expect(await round(1)).toEqual([])
  const restored = async (name: string, days: number) => {
    const to = join(dir, name)
    const count = await restoreFiles({ store: kept, to: folderPlace(to), at: new Date(start + days * 86_400_000) })
    return [count, ...(await Promise.all([a, b].map((key) => readFile(join(to, key.slice(0, 2), key), 'utf8').catch(() => 'none'))))]
  }
  expect([await restored('first', 0.5), await restored('second', 1.5)]).toEqual([
    [2, 'of a client', 'of a lead'],
    [1, 'of a client', 'none'],
  ])
  await expect(restoreFiles({ store: kept, to: folderPlace(join(dir, 'first')) })).rejects.toThrow('holds files')
  expect(await filesOf(settings, kept)!.ship(start + 16 * 86_400_000)).toEqual({ added: 0, removed: 1 })
  expect([await kept.list('files'), await kept.list('gone')]).toEqual([[`files/${a}`], []])

  // What is not as it was uploaded, or not there, is found.
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const drill = () => compareFiles(client, client, kept)
  await writeFile(join(dir, 'forged'), 'of nobody')
  await kept.put(`files/${a}`, join(dir, 'forged'))
  expect((await drill()).problems).toEqual([`the file ${a} is not what was uploaded`])
  await kept.remove(`files/${a}`)
  expect((await drill()).problems).toEqual([`the file ${a} is missing`])
  expect(await filesOf(settings, kept)!.ship(start)).toEqual({ added: 1, removed: 0 })
  expect((await drill()).problems).toEqual([])
  await client.end()

  // A folder that is not mounted removes nothing.
  const away = filesOf({ ...settings, BACKUP_FILES: join(dir, 'not-mounted') }, kept)!
  await expect(away.ship(start)).rejects.toThrow('is it mounted?')
  expect(await kept.list('files')).toEqual([`files/${a}`])
})

it('files of a bucket are in the backups too: copied once, drilled, kept after their end, laid down in a folder or back in the bucket', async () => {
  const s3 = await startS3()
  const shelf = createFiles({
    folder: join(dir, 'on-the-way'),
    shelf: s3Backend({ endpoint: s3.endpoint, bucket: 'uploads', accessKeyId: 'a', secretAccessKey: 'b' }),
  })
  const upload = async (words: string) => {
    const received = await shelf.receive(Readable.from([words]), { maxBytes: 1_000 })
    const key = await received.keep()
    await admin.query(
      `insert into stored_file ("companyId", "id", "tenantId", "storageKey", "path", "name", "mimeType", "size", "sha256")
       select "companyId", gen_random_uuid(), "id", $1, $1, 'a.txt', 'text/plain', $2, $3 from tenant where "companyId" = $4 limit 1`,
      [key, received.size, received.sha256, companies[0]],
    )
    return key
  }
  await admin.query(`update stored_file set "deletedAt" = now() where "deletedAt" is null`)
  const keys = await Promise.all(['one', 'two', 'three'].map(upload))
  s3.objects.set('/uploads/notes/of-the-operator.txt', Buffer.from('no file of ours'))
  const env = {
    BACKUP_WAL: spool,
    BACKUP_WORK: dir,
    BACKUP_FILES_S3_BUCKET: 'uploads',
    BACKUP_FILES_S3_ENDPOINT: s3.endpoint,
    BACKUP_FILES_S3_ACCESS_KEY: 'a',
    BACKUP_FILES_S3_SECRET_KEY: 'b',
    BACKUP_DRILL_DAYS: '0',
  }
  const settings = readBackupSettings(env)
  const kept = folderStore(join(dir, 'of-the-bucket'))
  const files = filesOf(settings, kept)!
  const start = Date.now()
  await archiveAll()
  expect(await backupRound({ settings, store: kept, url, files, say: () => undefined, now: () => start })).toEqual([])
  expect(await kept.list('files')).toEqual(keys.map((key) => `files/${key}`).toSorted())
  expect(await drillBackup({ store: kept, url, workDir: dir, withFiles: true })).toMatchObject({ problems: [], files: 3, filesRead: 3 })
  // What is there is neither read again nor listed again at once.
  const asked = s3.asked.length
  expect([await files.ship(start + 1_000), s3.asked.length]).toEqual([{ added: 0, removed: 0 }, asked])
  expect(await files.ship(start + 400_000)).toEqual({ added: 0, removed: 0 })
  expect(s3.asked.slice(asked).every((one) => one.startsWith('GET') && one.includes('list-type'))).toBe(true)

  const [first = '', second = '', third = ''] = keys
  await shelf.remove(second)
  expect(await files.ship(start + 86_400_000)).toEqual({ added: 0, removed: 0 })
  const folder = join(dir, 'from-the-bucket')
  expect(await restoreFiles({ store: kept, to: folderPlace(folder), at: new Date(start + 1_000) })).toBe(3)
  expect(await readFile(join(folder, second.slice(0, 2), second), 'utf8')).toBe('two')
  // Lost from the bucket behind everybody's back: only what is missing is put back.
  s3.objects.delete(`/uploads/${first}`)
  expect(await restoreFiles({ store: kept, to: bucketOfFiles(settings)! })).toBe(1)
  expect([...s3.objects.keys()].toSorted()).toEqual(
    [`/uploads/${first}`, `/uploads/${third}`, '/uploads/notes/of-the-operator.txt'].toSorted(),
  )
  expect(await text((await shelf.open(first))!.body)).toBe('one')
  expect(await filesOf(settings, kept)!.ship(start + 16 * 86_400_000)).toEqual({ added: 0, removed: 1 })

  // A file that comes in part is no copy; the next round takes it.
  const fourth = await upload('four')
  s3.cutNext()
  await expect(filesOf(settings, kept)!.ship(start + 17 * 86_400_000)).rejects.toThrow()
  expect(await kept.list('files')).not.toContain(`files/${fourth}`)
  expect(await filesOf(settings, kept)!.ship(start + 17 * 86_400_000)).toEqual({ added: 1, removed: 0 })

  // The wrong bucket, an emptied one, and the bucket of the backups themselves.
  const other = filesOf(readBackupSettings({ ...env, BACKUP_FILES_S3_BUCKET: 'another' }), kept)!
  await expect(other.ship(start + 18 * 86_400_000)).rejects.toThrow('is it the right one?')
  const same = {
    ...env,
    BACKUP_S3_BUCKET: 'uploads',
    BACKUP_S3_ENDPOINT: s3.endpoint,
    BACKUP_S3_ACCESS_KEY: 'a',
    BACKUP_S3_SECRET_KEY: 'b',
  }
  expect(() => filesOf(readBackupSettings(same), kept)).toThrow('would lose both')
  expect(() => filesOf(readBackupSettings({ ...env, BACKUP_FILES_S3_SECRET_KEY: '' }), kept)).toThrow(
    'BACKUP_FILES_S3_SECRET_KEY: is needed',
  )
  s3.close()
})

it('the role of backups reads and changes nothing', async () => {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const refused = async (text: string) =>
    client.query(text).then(
      () => 'done',
      (error: { code: string }) => error.code,
    )
  expect(await refused('select 1 from lead limit 1')).toBe('done')
  expect(await refused('delete from lead')).toBe('25006')
  await client.query('set default_transaction_read_only = off')
  expect(await refused('delete from lead')).toBe('42501')
  expect(await refused('create table mine (a int)')).toBe('42501')
  await client.end()
})
