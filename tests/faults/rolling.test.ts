import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { createMake } from '../support/make.ts'
import { killServers, startServer, type ServerProcess } from '../support/process.ts'
import { signIn } from './field.ts'
import { isNightly } from '../support/size.ts'

// Long enough that the balancer asks several times, even when the machine stalls for a second.
const graceS = isNightly ? 5 : 3
/** 50 requests a second. */
const everyMs = 20
const path = '/api/leads?size=5'

let database: TestDatabase
let dataDir: string
let token: string
let one: ServerProcess, other: ServerProcess

beforeAll(async () => {
  database = await testDatabase()
  dataDir = await mkdtemp(join(tmpdir(), 'outpost-rolling-'))
  const start = () => startServer({ database, dataDir, env: { SHUTDOWN_GRACE: String(graceS), ROLE: 'api', PRESSURE_LAG: '0' } })
  ;[one, other] = await Promise.all([start(), start()])
  const make = createMake(database)
  token = await signIn(one.url, await make.user({ role: 'officer', tenant: await make.tenant() }))
})
afterAll(async () => {
  await killServers()
  await database.drop()
  await rm(dataDir, { recursive: true, force: true })
})

/** What a request came to: its status, or the code of what broke it. `sent` settles when it has a connection, or none. */
function ask(agent: Agent, url: string): { sent: Promise<unknown>; outcome: Promise<string> } {
  const call = request(url + path, { agent, headers: { authorization: `Bearer ${token}` } })
  const outcome = new Promise<string>((done) => {
    call.on('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    call.on('response', (answer) =>
      answer
        .resume()
        .on('end', () => done(String(answer.statusCode)))
        .on('error', () => done('cut')),
    )
  })
  const sent = new Promise((done) =>
    call.once('socket', (socket) => (socket.connecting ? socket.once('connect', done).once('error', done) : done(undefined))),
  )
  call.end()
  return { sent, outcome }
}

/** Asks 50 times a second over kept-alive connections until it is stopped. */
function load(url: string): { stop(): Promise<Record<string, number>> } {
  const agent = new Agent({ keepAlive: true })
  const outcomes: Promise<string>[] = []
  let isOver = false
  const run = (async () => {
    for (let due = performance.now(); !isOver; due += everyMs) {
      const { sent, outcome } = ask(agent, url)
      outcomes.push(outcome)
      await sent
      await wait(Math.max(0, due - performance.now()))
    }
  })()
  return {
    stop: async () => {
      isOver = true
      await run
      const counts: Record<string, number> = {}
      for (const what of await Promise.all(outcomes)) counts[what] = (counts[what] ?? 0) + 1
      agent.destroy()
      return counts
    },
  }
}

/**
 * Asks one after the other until a request is not answered: how many were, and what came to the one that was not and to the next. The
 * system resets a connection that nobody has accepted yet when the port closes, and refuses those after it: a reset alone is a fault.
 */
function askUntilClosed(url: string): { answered(): number; end: Promise<{ last: string; next: string }> } {
  const agent = new Agent({ keepAlive: true })
  let answered = 0
  const run = async () => {
    for (;;) {
      const last = await ask(agent, url).outcome
      if (last !== '200') return { last, next: await ask(agent, url).outcome }
      answered += 1
      await wait(everyMs / 4)
    }
  }
  return { answered: () => answered, end: run().finally(() => agent.destroy()) }
}

/** A balancer as they come: asks /readyz every 100 ms and passes each request on once, by turns to those that are ready; while none is, to the one that was last. */
async function startBalancer(targets: readonly string[]): Promise<Server> {
  const agent = new Agent({ keepAlive: true })
  const states = targets.map((url) => ({ url, isReady: true, readyAt: 0 }))
  let turn = 0
  const choose = () => {
    const ready = states.filter(({ isReady }) => isReady)
    return (ready[(turn += 1) % ready.length] ?? states.toSorted((a, b) => b.readyAt - a.readyAt)[0])?.url
  }
  const look = async (state: (typeof states)[number]) => {
    state.isReady = await fetch(`${state.url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (state.isReady) state.readyAt = performance.now()
  }
  const server = createServer((incoming, answer) => {
    const passed = request(`${choose()}${incoming.url}`, {
      agent,
      method: incoming.method,
      headers: { authorization: incoming.headers.authorization ?? '' },
    })
    passed.on('response', (from) => from.pipe(answer.writeHead(from.statusCode ?? 502)))
    passed.on('error', () => answer.writeHead(502).end())
    passed.end()
  })
  const timer = setInterval(() => {
    for (const state of states) void look(state)
  }, 100)
  server.on('close', () => {
    clearInterval(timer)
    agent.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

it('SIGTERM to one of two servers behind a balancer at 50 requests a second: none fails', async () => {
  const balancer = await startBalancer([one.url, other.url])
  const { stop } = load(`http://127.0.0.1:${(balancer.address() as AddressInfo).port}`)
  await wait(400)
  expect(await one.kill('SIGTERM')).toEqual({ code: 0 })
  await wait(200)
  const outcomes = await stop()
  balancer.closeAllConnections()
  balancer.close()
  expect(Object.keys(outcomes)).toEqual(['200'])
  expect(outcomes['200']).toBeGreaterThan(20)
})

it('SIGTERM to the only server, nobody between: /readyz says no and each request is answered until nobody listens', async () => {
  const asked = askUntilClosed(other.url)
  await expect.poll(asked.answered, { timeout: 20_000 }).toBeGreaterThan(20)
  const ended = other.kill('SIGTERM')
  const ready = async () => {
    const { status, headers } = await fetch(`${other.url}/readyz`)
    return [status, headers.get('connection')]
  }
  await expect.poll(ready, { interval: 20 }).toEqual([503, 'close'])
  const before = asked.answered()
  await expect.poll(asked.answered, { timeout: 20_000 }).toBeGreaterThan(before)
  expect(await ended).toEqual({ code: 0 })
  const { last, next } = await asked.end
  expect(['ECONNREFUSED', 'ECONNRESET']).toContain(last)
  expect(next).toBe('ECONNREFUSED')
})
