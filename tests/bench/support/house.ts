import { cp, mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import pg from 'pg'
import { demoPassword } from '../../../prisma/seed/tree.ts'
import { openDatabase } from '../../../scripts/start/database.ts'
import { startProgram, type Program } from '../../../scripts/start/program.ts'
import { seedDemo } from '../../../prisma/seed/seed.ts'
import { freePort } from '../../support/port.ts'
import { addLeads } from './rows.ts'
import { callOnce, type Call, type Reply } from './load.ts'

export interface House {
  url: string
  /** Process id of the server, for its memory. */
  pid: number
  databaseUrl: string
  /** The master secret, for factories that sign people in. */
  secret: string
  /** The superuser, past all walls: for filling tables and for the bare side of a comparison. */
  admin: pg.Pool
  /** Headers of a signed-in user. */
  signIn(email: string): Promise<Record<string, string>>
  /** `url`: another server than the house's own. */
  call(call: Omit<Call, 'url'> & { path: string; url?: string }): Promise<Reply>
  /** Sees to it that Sunrise Credit holds so many leads. */
  haveLeads(count: number): Promise<void>
  /** A program of tests/bench/peers that says where it listens. */
  startPeer(script: string, env: Record<string, string>): Promise<Program & { url: string }>
  /** A server of another checkout on the same database, or one more of this one; its other settings from env. */
  startServer(root: string, env?: Record<string, string>): Promise<Program & { url: string }>
  /** The geo service on the same database; its other settings from env. */
  startGeo(env: Record<string, string>): Promise<Program & { url: string }>
  close(): Promise<void>
}

/**
 * A whole Outpost of its own for the bench: durable Postgres, demo data, the server in a process of its own without rate limits. `filled`:
 * the folder of one at rest, which is copied.
 */
export async function openHouse({ filled }: { filled?: string | undefined } = {}): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outpost-bench-'))
  if (filled !== undefined) await cp(filled, dataDir, { recursive: true })
  const database = await openDatabase({ DATA_DIR: dataDir })
  await seedDemo(database)
  const admin = new pg.Pool({ connectionString: database.url, max: 4 })
  const url = new URL(database.url)
  url.username = url.password = ''
  const own = { ROLE: 'all', PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'error', RATE_LIMITS: 'off', DATA_DIR: dataDir }
  const program = { logDir: join(dataDir, 'logs'), env: { ...own, DATABASE_URL: url.href, SECRET: database.secret } }
  // Its own address is known beforehand: what it hands on as PUBLIC_URL leads back to it.
  const port = String(await freePort())
  const server = await startProgram({
    ...program,
    name: 'server',
    script: 'apps/server/src/main.ts',
    env: { ...program.env, PORT: port },
  })
  const { url: address } = await server.ready
  const agent = new Agent({ keepAlive: true })
  const call: House['call'] = ({ path, url: base = address, ...rest }) => callOnce({ url: `${base}${path}`, ...rest }, agent)
  return {
    url: address,
    pid: server.pid,
    databaseUrl: database.url,
    secret: database.secret,
    admin,
    call,
    signIn: (email) => signIn(call, email),
    haveLeads: (count) => addLeads(admin, count),
    startPeer: async (script, env) => {
      const peer = await startProgram({ name: script, script: `tests/bench/peers/${script}.ts`, logDir: join(dataDir, 'logs'), env })
      return { ...peer, url: (await peer.ready).url }
    },
    startServer: async (root, env = {}) => {
      const other = await startProgram({
        ...program,
        name: 'other server',
        script: join(root, 'apps/server/src/main.ts'),
        env: { ...program.env, ROLE: 'api', ...env },
      })
      return { ...other, url: (await other.ready).url }
    },
    startGeo: async (env) => {
      const geo = await startProgram({
        name: 'geo',
        script: 'apps/geo/src/main.ts',
        logDir: join(dataDir, 'logs'),
        env: {
          PORT: '0',
          HOST: '127.0.0.1',
          LOG_LEVEL: 'warn',
          DATA_DIR: dataDir,
          DATABASE_URL: url.href,
          GEO_KEYS: JSON.stringify(geoKeysOf(database)),
          ...env,
        },
      })
      return { ...geo, url: (await geo.ready).url }
    },
    close: async () => {
      agent.destroy()
      await server.stop()
      await admin.end()
      await database.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

async function signIn(call: House['call'], email: string): Promise<Record<string, string>> {
  const body = JSON.stringify({ email, password: demoPassword })
  const { status, text } = await call({ path: '/api/auth/login', method: 'POST', headers: { 'content-type': 'application/json' }, body })
  if (status !== 200) throw new Error(`${email} cannot sign in: ${status} ${text}`)
  const { data } = JSON.parse(text) as { data: { token?: string; user?: { token?: string } } }
  return { authorization: `Bearer ${data.token ?? data.user?.token ?? ''}`, 'content-type': 'application/json' }
}
