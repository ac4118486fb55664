import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { isAlive } from '@outpost/platform/db/lock'
import { until } from '../support/until.ts'
import { freePort } from '../support/port.ts'

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

interface Start {
  child: ChildProcess
  output(): string
  exit: Promise<number | null>
}

function start(env: Record<string, string>): Start {
  const child = spawn('node', ['scripts/start.mjs'], {
    cwd: root,
    env: { ...process.env, SEED_DEMO: '0', DATA_DIR: dataDir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  started.push(child)
  let text = ''
  child.stdout?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return { child, output: () => text, exit: once(child, 'close').then(([code]) => code as number | null) }
}

const ready = async (run: Start, port: number) => {
  await until(() => run.output().includes('Outpost ready') || run.child.exitCode !== null, 200_000)
  expect(run.output()).toContain(`Outpost ready: http://127.0.0.1:${port}`)
}

test('says in one line, and ends in error, why it cannot start', async () => {
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

/** Process ids of the programs that a supervisor has started, and of its Postgres. */
async function partsOf(supervisor: number): Promise<Record<'geo' | 'server' | 'postgres', number>> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=,args='])
  const lines = stdout.split('\n').map((line) => line.trim().split(/\s+/))
  const find = (name: string) =>
    Number(lines.find(([, parent, ...args]) => Number(parent) === supervisor && args.join(' ').includes(`apps/${name}/src/main.ts`))?.[0])
  const postgres = Number((await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0])
  return { geo: find('geo'), server: find('server'), postgres }
}

const isUp = (port: number, path: string) =>
  fetch(`http://127.0.0.1:${port}${path}`).then(
    ({ status }) => status < 500,
    () => false,
  )

test(
  'opens, says which device port is taken, brings back what is killed, refuses a second start, recovers from a kill, and leaves no orphan',
  { timeout: 500_000 },
  async () => {
    const [port, devices] = [await freePort(), await freePort()]
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port: lost } = taken.address() as { port: number }
    const env = { PORT: String(port), DEVICE_PORTS: `gt06:${lost},osmand:${devices}` }
    const first = start(env)
    await ready(first, port)
    expect(first.output()).toMatch(new RegExp(`^  no gt06  trackers cannot reach port ${lost} \\(tcp\\): another program has it`, 'm'))
    expect(first.output()).toContain(`trackers  osmand ${devices};`)
    taken.close()
    await until(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status === 200)
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toContain('<div id="root">')

    const second = start({ PORT: String(await freePort()) })
    expect(await second.exit).toBe(1)
    const pid = Number(/^Outpost is already running on .+ \(pid (\d+)\)$/m.exec(second.output())?.[1])
    expect(isAlive(pid)).toBe(true)

    const before = await partsOf(pid)
    process.kill(before.geo, 'SIGKILL')
    await until(() => first.output().includes('The geo runs again'), 30_000)
    expect(first.output()).toMatch(/^The geo has ended \(SIGKILL\), see .+logs\/geo\.log; it is started again$/m)
    expect(await isUp(devices, '/')).toBe(true)
    expect(await partsOf(pid)).toMatchObject({ server: before.server, postgres: before.postgres })
    process.kill(before.postgres, 'SIGKILL')
    process.kill(before.server, 'SIGKILL')
    await until(() => ['Postgres runs again', 'The server runs again'].every((line) => first.output().includes(line)), 60_000)
    await until(() => isUp(port, '/readyz'), 30_000)

    process.kill(pid, 'SIGKILL')
    await first.exit
    await until(async () => !(await isUp(port, '/healthz')), 20_000)
    const again = start(env)
    await ready(again, port)

    // The signal comes while one of them is away.
    const [line] = await readFile(join(dataDir, 'outpost.pid'), 'utf8').then((text) => text.split(' '))
    const parts = await partsOf(Number(line))
    process.kill(parts.geo, 'SIGKILL')
    await until(() => again.output().includes('The geo has ended'))
    again.child.kill('SIGTERM')
    expect(await again.exit).toBe(0)
    expect(Object.values(parts).filter(isAlive)).toEqual([])
    expect(await isUp(port, '/healthz')).toBe(false)
    expect(await isUp(devices, '/')).toBe(false)
  },
)
