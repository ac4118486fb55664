import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { startEmbedded } from '@outpost/platform/db/cluster/embedded'
import { isAlive } from '@outpost/platform/db/lock'
import { until } from '../support/until.ts'

const starter = resolve(import.meta.dirname, '../support/start-embedded.ts')
let dataDir: string

beforeEach(async () => {
  // 0700: as root, Postgres's own user cannot even enter it, as below /root.
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-embedded-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

test('keeps its data and its port, and refuses a second start', async () => {
  const first = await startEmbedded({ dataDir, fast: true })
  await ask(first.adminUrl, 'create table kept as select 7 as n')
  await expect(startEmbedded({ dataDir })).rejects.toThrow(`Outpost is already running on ${dataDir} (pid ${process.pid})`)
  await first.stop()
  const second = await startEmbedded({ dataDir, fast: true })
  expect(second.adminUrl).toBe(first.adminUrl)
  expect(await ask(second.adminUrl, 'select n from kept')).toEqual([{ n: 7 }])
  await second.stop()
  const secrets = await stat(join(dataDir, 'secrets.json'))
  expect(secrets.mode & 0o777).toBe(0o600)
})

test('listens on 127.0.0.1 only and asks for the password', async () => {
  const postgres = await startEmbedded({ dataDir, fast: true })
  expect(await ask(postgres.adminUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }])
  const guess = new URL(postgres.adminUrl)
  guess.password = 'guess'
  await expect(ask(guess.href, 'select 1')).rejects.toThrow('password authentication failed')
  await postgres.stop()
})

test('restarts after kill -9, replacing the server that was left behind', async () => {
  const child = spawn(process.execPath, [starter, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  await ask(line.toString().trim(), 'create table kept as select 8 as n')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const orphan = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  expect(isAlive(orphan)).toBe(true)
  const postgres = await startEmbedded({ dataDir, fast: true })
  expect(isAlive(orphan)).toBe(false)
  expect(await ask(postgres.adminUrl, 'select n from kept')).toEqual([{ n: 8 }])
  await postgres.stop()
})

test('does not leave Postgres behind when the program crashes', async () => {
  const child = spawn(process.execPath, [starter, dataDir, 'fall'], { stdio: ['ignore', 'ignore', 'ignore'] })
  const [code] = (await once(child, 'exit')) as [number]
  expect(code).toBe(1)
  await expect(stat(join(dataDir, 'postgres/postmaster.pid'))).rejects.toThrow('ENOENT')
})

test('reports when Postgres ended by itself, restarts it on the same port, and stops what is left', async () => {
  const postgres = await startEmbedded({ dataDir })
  await ask(postgres.adminUrl, 'create table kept as select 9 as n')
  const kill = async () =>
    process.kill(Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0]), 'SIGKILL')
  await kill()
  await postgres.ended()
  await until(() =>
    postgres.restart().then(
      () => true,
      () => false,
    ),
  )
  expect(await ask(postgres.adminUrl, 'select n from kept')).toEqual([{ n: 9 }])
  await kill()
  await postgres.ended()
  await postgres.stop()
})

test('a copy made with cp -r, as root too, starts', async () => {
  const first = await startEmbedded({ dataDir, fast: true })
  await ask(first.adminUrl, 'create table kept as select 10 as n')
  await first.stop()
  const copy = `${dataDir}-copy`
  await promisify(execFile)('cp', ['-r', dataDir, copy])
  try {
    const second = await startEmbedded({ dataDir: copy, fast: true })
    expect(await ask(second.adminUrl, 'select n from kept')).toEqual([{ n: 10 }])
    await second.stop()
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
})

test('is not misled by pid files whose process ids belong to others by now', async () => {
  await (await startEmbedded({ dataDir, fast: true })).stop()
  // As after a container was killed: the same small number, another process.
  await writeFile(join(dataDir, 'outpost.pid'), `${process.ppid} another-boot/1\n`)
  await writeFile(join(dataDir, 'postgres/postmaster.pid'), `${process.ppid}\n`)
  const postgres = await startEmbedded({ dataDir, fast: true })
  await postgres.stop()
})

test('starts again when its first start was interrupted, and reports broken secrets', async () => {
  await (await startEmbedded({ dataDir, fast: true })).stop()
  await rm(join(dataDir, 'postgres/outpost.ready'))
  await rm(join(dataDir, 'postgres/PG_VERSION'))
  await (await startEmbedded({ dataDir, fast: true })).stop()
  await writeFile(join(dataDir, 'secrets.json'), '{')
  await chmod(join(dataDir, 'secrets.json'), 0o600)
  await expect(startEmbedded({ dataDir })).rejects.toThrow('secrets.json is not readable')
})

async function ask(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // The server is stopped under it in some of these tests.
  client.on('error', () => undefined)
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
