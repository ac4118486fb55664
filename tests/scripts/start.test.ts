import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive } from '@outpost/platform/db/lock'
import { until } from '../support/until.ts'

const root = resolve(import.meta.dirname, '../..')
let dataDir = ''
const started: ChildProcess[] = []

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-start-'))
})
afterAll(async () => {
  for (const child of started.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)) {
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
  await rm(dataDir, { recursive: true, force: true })
})

interface Start { child: ChildProcess, output(): string, exit: Promise<number | null> }

function start(env: Record<string, string>): Start {
  const child = spawn('node', ['scripts/start.mjs'], { cwd: root, env: { ...process.env, SEED_DEMO: '0', DATA_DIR: dataDir, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  started.push(child)
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, output: () => text, exit: once(child, 'close').then(([code]) => code as number | null) }
}

const ready = async (run: Start, port: number) => {
  await until(() => run.output().includes('Outpost ready') || run.child.exitCode !== null, 90_000)
  expect(run.output()).toContain(`Outpost ready: http://127.0.0.1:${port}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}

test('says in one line, and ends in error, why it cannot start', { timeout: 60_000 }, async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const inUse = start({ PORT: String(port) })
  const broken = start({ PORT: '0', DATABASE_URL: 'postgres://nobody:nothing@127.0.0.1:1/outpost', DATA_DIR: join(dataDir, 'broken') })
  const wrong = start({ PORT: 'many', SEED_DEMO: 'perhaps' })
  expect(await inUse.exit).toBe(1)
  expect(inUse.output().trim()).toBe(`Port ${port} is in use on 127.0.0.1: stop what listens there or set PORT`)
  expect(await broken.exit).toBe(1)
  expect(broken.output()).toMatch(/^DATABASE_URL: cannot use 127\.0\.0\.1:1\/outpost: .*ECONNREFUSED.*$/m)
  expect(broken.output()).not.toContain('nothing')
  expect(await wrong.exit).toBe(1)
  expect(wrong.output()).toMatch(/PORT: .*\nSEED_DEMO: /)
  taken.close()
})

test('opens, refuses a second start on its data, recovers from a kill, and stops cleanly', { timeout: 240_000 }, async () => {
  const port = await freePort()
  const first = start({ PORT: String(port) })
  await ready(first, port)
  expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200)
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('<div id="root">')

  const second = start({ PORT: String(await freePort()) })
  expect(await second.exit).toBe(1)
  const pid = Number(/^Outpost is already running on .+ \(pid (\d+)\)$/m.exec(second.output())?.[1])
  expect(isAlive(pid)).toBe(true)

  process.kill(pid, 'SIGKILL')
  await first.exit
  await until(() => fetch(`http://127.0.0.1:${port}/healthz`).then(() => false, () => true), 20_000)
  const again = start({ PORT: String(port) })
  await ready(again, port)

  again.child.kill('SIGTERM')
  expect(await again.exit).toBe(0)
  expect(await fetch(`http://127.0.0.1:${port}/healthz`).then(() => 'answers', () => 'silent')).toBe('silent')
})
