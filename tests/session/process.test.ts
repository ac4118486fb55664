import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { request, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startChaos } from '../support/chaos.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { compiled } from '../support/process.ts'
import { until } from '../support/until.ts'

let database: TestDatabase
let dataDir: string
const running = new Set<ChildProcess>()

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-process-'))
})
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL')
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

interface Run {
  child: ChildProcess
  said: () => string
  ready: Promise<{ url: string } | undefined>
  ended: Promise<{ code: number | null; errors: string }>
}

/** Starts main.ts as a process of its own. */
function run(change: Record<string, string> = {}, withChannel = true, program = 'server'): Run {
  const child = spawn(process.execPath, [resolve(`apps/${program}/src/main.ts`)], {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      ...(program === 'geo' ? { GEO_KEYS: JSON.stringify(geoKeysOf(database)) } : { SECRET: database.secret }),
      DATA_DIR: dataDir,
      PORT: '0',
      ROLE: 'all',
      LOG_LEVEL: 'error',
      NODE_ENV: 'test',
      SHUTDOWN_GRACE: '0',
      // A machine that does other work must not turn an answer into "busy".
      PRESSURE_LAG: '0',
      NODE_COMPILE_CACHE: compiled,
      ...change,
    },
    stdio: withChannel ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let [errors, output] = ['', '']
  child.stderr?.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const ended = new Promise<{ code: number | null; errors: string }>((done) =>
    child.once('exit', (code) => {
      running.delete(child)
      // What it wrote last is still on its way through the pipe.
      setTimeout(() => done({ code, errors }), 50)
    }),
  )
  const ready = new Promise<{ url: string } | undefined>((done) => {
    child.on('message', (message) => done(message as { url: string }))
    child.stdout?.on('data', (chunk: Buffer) => {
      output += chunk
      const line = /^\{"ready":true.*\}$/m.exec(output)?.[0]
      if (line) done(JSON.parse(line) as { url: string })
    })
    void ended.then(() => done(undefined))
  })
  return { child, ready, ended, said: () => output + errors }
}

it('starts, answers, and ends with code 0 on SIGTERM while a request is open', async () => {
  const { child, ready, ended } = run()
  const url = (await ready)?.url ?? ''
  expect(await (await fetch(`${url}/healthz`)).json()).toEqual({ status: 'ok' })
  expect((await fetch(`${url}/readyz`)).status).toBe(200)
  expect(await (await fetch(`${url}/api/nothing`)).json()).toMatchObject({ success: false, code: 'NOT_FOUND', status: 404 })
  expect((await fetch(`${url}/api/console`)).status).toBe(401)
  // The signal comes when the server has the head of the request and waits for its body.
  const body = '{"email":"nobody@outpost.test"}'
  const headers = { 'content-type': 'application/json', 'content-length': body.length, expect: '100-continue' }
  const open = request(`${url}/api/auth/forgot-password`, { method: 'POST', headers })
  open.flushHeaders()
  await once(open, 'continue')
  const answered = once(open, 'response') as Promise<[IncomingMessage]>
  child.kill('SIGTERM')
  open.end(body)
  const [answer] = await answered
  answer.resume()
  expect(answer.statusCode).toBe(200)
  expect(await ended).toMatchObject({ code: 0 })
})

it('says where it listens as a line of JSON when nobody holds a channel', async () => {
  const { child, ready, ended } = run({ ROLE: 'api' }, false)
  expect((await ready)?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  child.kill('SIGINT')
  expect((await ended).code).toBe(0)
})

it('ends by itself when the program that started it is gone', async () => {
  const { child, ready, ended } = run({ ROLE: 'worker' })
  expect((await ready)?.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  child.disconnect()
  expect((await ended).code).toBe(0)
})

it('says in one line when the port is taken', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => taken.once('listening', done))
  const address = taken.address()
  const { ended } = run({ PORT: String(typeof address === 'object' && address ? address.port : 0), ROLE: 'api' })
  const { code, errors } = await ended
  taken.close()
  expect(code).toBe(1)
  expect(errors.trim().split('\n')).toHaveLength(1)
  expect(errors).toMatch(/^Port in use/)
})

it('says in one line that the database does not answer, without the password', async () => {
  const { code, errors } = await run({ DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/outpost', DATABASE_WAIT: '0' }).ended
  expect(code).toBe(1)
  expect(errors.trim().split('\n')).toHaveLength(1)
  expect(errors).toMatch(/^DATABASE_URL: cannot use 127\.0\.0\.1:1\/outpost/)
  expect(errors).not.toContain('hush')
})

for (const program of ['server', 'geo'] as const) {
  it(`waits for a database that is not there yet, and does not outlive who started it meanwhile (${program})`, async () => {
    const chaos = await startChaos(database.url)
    await chaos.set({ kind: 'refuse' })
    const change = { DATABASE_URL: chaos.through(database.url), LOG_LEVEL: 'warn', PORT: '0' }
    const [waiting, orphan] = [run(change, true, program), run(change, true, program)]
    await until(() => [waiting, orphan].every(({ said }) => said().includes('waiting for the database')), 100_000)
    orphan.child.disconnect()
    await orphan.ended
    await chaos.set({ kind: 'pass' })
    const url = (await waiting.ready)?.url ?? ''
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    waiting.child.kill('SIGTERM')
    expect(await waiting.ended).toMatchObject({ code: 0 })
    await chaos.close()
  })
}

it('does not wait for a database that answers with a no', async () => {
  const { code, errors } = await run({ SECRET: 'another secret of at least 32 characters' }).ended
  expect([code, errors]).toEqual([1, expect.stringContaining('password authentication failed') as string])
})

it('names all wrong settings and ends', async () => {
  const { code, errors } = await run({ PORT: 'x', ROLE: 'boss' }).ended
  expect(code).toBe(1)
  expect(errors).toMatch(/PORT/)
  expect(errors).toMatch(/ROLE/)
})
