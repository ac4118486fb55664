import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { onTestFinished } from 'vitest'
import type { ConsoleUser } from '@outpost/contract/console'
import type { Log } from '@outpost/platform/log'
import { createApp } from '../../apps/server/src/app.ts'
import { readServerEnv } from '../../apps/server/src/env.ts'
import type { Clock } from '../../apps/server/src/kernel/session/clock.ts'
import { policyOf, sessionTimes, type RoleFacts } from '../../apps/server/src/kernel/session/policy.ts'
import { accessTokenOf, openSession } from '../../apps/server/src/kernel/session/sessions.ts'
import type { SessionServices } from '../../apps/server/src/kernel/session/services.ts'
import type { Area } from '../../apps/server/src/kernel/types.ts'
import { createMachine, type Machine } from '../../apps/server/src/machine.ts'
import { answerCheck } from './answers.ts'
import { testDatabase, type TestDatabase } from './db.ts'
import type { FormFile } from './form.ts'
import { createWire, type Wire } from './wire.ts'
import { createMake, demoPassword, type Make, type MadeTenant, type MadeUser } from './make.ts'

/** A clock that tests move forward instead of sleeping. */
export interface MovableClock extends Clock {
  move(seconds: number): void
  /** From now to the end of the test only move() does: what takes time does not use up a grace whose end is looked at. */
  stand(): void
}

export interface Answer<Data = Record<string, unknown>> {
  status: number
  /** The whole envelope or error; text that is no JSON stays text. */
  body: {
    success: boolean
    data: Data
    code?: string
    message?: string
    meta?: { page: number; size: number; total: number }
    fields?: { field: string; message: string }[]
    details?: Record<string, unknown>
    [key: string]: unknown
  }
  text: string
  /** A file as it came. */
  bytes: Buffer
  headers: Record<string, string | string[] | number | undefined>
  /** Cookies the answer set, by name; an emptied one is ''. */
  cookies: Record<string, string>
}

/** What signing in answers. */
export interface SignedInData {
  user: ConsoleUser
  token: string
  refreshToken: string
  expiresAt: string
  landing: string
  policy: string
  redirect?: string
}

export interface Client {
  get<Data = Record<string, unknown>>(path: string, headers?: Record<string, string>): Promise<Answer<Data>>
  post<Data = Record<string, unknown>>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Data>>
  put<Data = Record<string, unknown>>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Data>>
  del<Data = Record<string, unknown>>(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer<Data>>
  /** A multipart form of these fields and files; without files, one small picture. */
  upload<Data = Record<string, unknown>>(
    path: string,
    fields?: Record<string, unknown>,
    headers?: Record<string, string>,
    files?: readonly FormFile[],
  ): Promise<Answer<Data>>
  /** Bytes as they are. */
  putBytes<Data = Record<string, unknown>>(path: string, bytes: Buffer, headers?: Record<string, string>): Promise<Answer<Data>>
}

export interface SignedInClient extends Client {
  token: string
  sessionId: string
  user: MadeUser
}

export interface TestApp {
  http: FastifyInstance
  areas: Area[]
  machine: Machine
  services: SessionServices
  database: TestDatabase
  make: Make
  clock: MovableClock
  /** Nobody: no token. */
  nobody: Client
  /** A client of a fresh session of the user, without the cost of a password; tenant goes along as x-tenant-id. */
  as(user: MadeUser, options?: { tenant?: Pick<MadeTenant, 'id'> }): Promise<SignedInClient>
  /** A client that sends these headers. */
  client(headers: Record<string, string>): Client
  /** POST /api/auth/login as a program, so that the answer holds the refresh token. */
  login(user: Pick<MadeUser, 'emailAddress'> & { password?: string }, headers?: Record<string, string>): Promise<Answer<SignedInData>>
  /** Listens on a free port; the address. */
  listen(): Promise<string>
  /** A browser over a real connection: it keeps its cookies and takes compressed answers. */
  browser: Wire['browser']
  /** Throws when an answer was not what its route says. */
  close(): Promise<void>
}

export interface TestAppOptions {
  env?: Record<string, string>
  /** The address under which the server finds the database, e.g. through a proxy that misbehaves. */
  through?: (url: string) => string
  /** Where the server logs to; default: nowhere. */
  log?: Log
  /** True: it hears other processes, as it does in production. */
  isRelayShared?: boolean
  /** Default: all areas. */
  areas?: (machine: Machine) => Area[]
}

/** The whole server on a database of its own, spoken to without a network. Give it back in afterAll. */
export async function testApp({
  env: settings = {},
  areas: choose,
  log,
  isRelayShared = false,
  through = (url) => url,
}: TestAppOptions = {}): Promise<TestApp> {
  const [database, dataDir] = await Promise.all([testDatabase(), mkdtemp(join(tmpdir(), 'outpost-app-'))])
  const env = await readServerEnv({
    DATABASE_URL: through(database.url),
    SECRET: database.secret,
    DATA_DIR: dataDir,
    NODE_ENV: 'test',
    ROLE: 'api',
    PORT: '0',
    RATE_LIMITS: 'off',
    LOG_LEVEL: process.env.TEST_LOG ?? 'silent',
    DATABASE_POOL: '8',
    DATABASE_PATIENCE: '30',
    PUBLIC_URL: 'http://outpost.test',
    ...settings,
  })
  const clock = movableClock()
  const machine = await createMachine(env, { clock, isRelayShared, ...(log ? { log } : {}) })
  const { services } = machine
  const answers = answerCheck()
  const { http, areas } = await createApp(machine, {
    pressureLagMs: 0,
    checkAnswer: answers.check,
    ...(choose ? { areas: choose } : {}),
  }).catch(async (error: unknown) => {
    await machine.close()
    await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })])
    throw error
  })
  await http.ready()
  const wire = createWire(http)
  const client = (headers: Record<string, string>) => createClient({ http, wire }, headers)
  return {
    http,
    areas,
    machine,
    services,
    database,
    clock,
    client,
    make: createMake(database),
    nobody: client({}),
    as: async (user, { tenant } = {}) => {
      const { token, sessionId } = await openFor(services, database, user)
      const headers = { authorization: `Bearer ${token}`, ...(tenant ? { 'x-tenant-id': tenant.id } : {}) }
      return { ...client(headers), token, sessionId, user }
    },
    login: ({ emailAddress, password = demoPassword }, headers = {}) =>
      client({ 'x-native': '1' }).post('/api/auth/login', { email: emailAddress, password }, headers),
    listen: wire.url,
    browser: wire.browser,
    close: async () => {
      await http.close()
      await machine.close()
      await Promise.all([database.drop(), rm(dataDir, { recursive: true, force: true })])
      answers.assertNone()
    },
  }
}

function movableClock(): MovableClock {
  let offset = 0
  let stood: number | undefined
  return {
    now: () => (stood ?? Date.now()) + offset,
    stand: () => {
      stood ??= Date.now()
      onTestFinished(() => {
        stood = undefined
      })
    },
    move: (seconds) => {
      offset += seconds * 1_000
    },
  }
}

async function openFor(services: SessionServices, { admin }: TestDatabase, { companyId, id: userId }: MadeUser) {
  const { rows } = await admin.query<RoleFacts>(
    'select r.name, r."systemRole" from user_role u join role r on r."companyId" = u."companyId" and r.id = u."roleId" where u."companyId" = $1 and u."userId" = $2',
    [companyId, userId],
  )
  const policy = policyOf(rows)
  const times = await sessionTimes(services.settings, companyId, policy)
  const { session } = await services.store.write(companyId, (db) =>
    openSession(services, db, { companyId, userId, policy, times, ip: '127.0.0.1', userAgent: 'test', kind: 'login' }),
  )
  return { token: accessTokenOf(services, session), sessionId: session.id }
}

function createClient({ http, wire }: { http: FastifyInstance; wire: Wire }, common: Record<string, string>): Client {
  const send = <Data>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body: unknown, headers: Record<string, string> = {}) =>
    sendBytes<Data>(method, url, body === undefined ? undefined : JSON.stringify(body), {
      ...headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    })
  const sendBytes = async <Data>(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    url: string,
    payload: string | Buffer | undefined,
    headers: Record<string, string>,
  ): Promise<Answer<Data>> => {
    const answer = await http.inject({ method, url, headers: { ...common, ...headers }, ...(payload === undefined ? {} : { payload }) })
    return read<Data>({
      status: answer.statusCode,
      bytes: answer.rawPayload,
      headers: answer.headers,
      cookies: Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value])),
    })
  }
  return {
    get: (path, headers) => send('GET', path, undefined, headers),
    upload: async <Data>(path: string, fields = {}, headers = {}, files?: readonly FormFile[]) => {
      const answer = await wire.upload(path, { fields, files, headers: { ...common, ...headers } })
      const given = answer.headers as Record<string, string>
      return read<Data>({ status: answer.status, bytes: answer.body as Buffer, headers: given, cookies: {} })
    },
    putBytes: (path, bytes, headers = {}) => sendBytes('PUT', path, bytes, { ...headers, 'content-type': 'application/octet-stream' }),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    del: (path, body, headers) => send('DELETE', path, body, headers),
  }
}

/** An answer with its text, and what the text says when it is JSON. */
function read<Data>(raw: Pick<Answer, 'status' | 'bytes' | 'headers' | 'cookies'>): Answer<Data> {
  const text = raw.bytes.toString('utf8')
  const isJson = String(raw.headers['content-type']).startsWith('application/json') && text !== ''
  return { ...raw, text, body: (isJson ? JSON.parse(text) : {}) as Answer<Data>['body'] }
}
