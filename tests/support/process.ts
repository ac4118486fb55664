import { spawn, type ChildProcess } from 'node:child_process'
import { resolve } from 'node:path'
import { geoKeysOf } from '@outpost/platform/geo-keys'

export interface ServerOptions {
  database: { url: string; secret: string }
  dataDir: string
  env?: Record<string, string>
  /** A shell command that goes before, e.g. a ulimit. */
  before?: string
  /** Default: the server. */
  app?: 'server' | 'geo'
  /** Where the program lies; default: here. */
  root?: string
}

export interface ServerProcess {
  url: string
  pid: number
  /** All it said when it was ready. */
  ready: object
  /** What it wrote to the error output and the log so far. */
  output(): string
  isRunning(): boolean
  kill(signal?: NodeJS.Signals): Promise<{ code: number | null }>
}

const running = new Set<ChildProcess>()
/** A server that was compiled once starts with a quarter less of work. */
export const compiled = resolve(import.meta.dirname, '../../node_modules/.cache/outpost/compiled')

/** Starts main.ts as a process of its own and waits until it listens; throws with its output when it ends instead. Call killServers in afterAll. */
export async function startServer({
  database,
  dataDir,
  env = {},
  before,
  app = 'server',
  root = resolve(import.meta.dirname, '../..'),
}: ServerOptions): Promise<ServerProcess> {
  const main = resolve(root, `apps/${app}/src/main.ts`)
  const [file, args] = before ? ['/bin/sh', ['-c', `${before}; exec "$0" "$1"`, process.execPath, main]] : [process.execPath, [main]]
  const child = spawn(file, args, {
    env: {
      PATH: process.env.PATH,
      DATABASE_URL: database.url,
      ...(app === 'geo' ? { GEO_KEYS: JSON.stringify(geoKeysOf(database)) } : { SECRET: database.secret }),
      DATA_DIR: dataDir,
      PORT: '0',
      ROLE: 'all',
      NODE_ENV: 'test',
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      SHUTDOWN_GRACE: '0',
      NODE_COMPILE_CACHE: compiled,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  let output = ''
  const ended = new Promise<{ code: number | null }>((done) =>
    child.once('exit', (code) => {
      running.delete(child)
      done({ code })
    }),
  )
  const ready = await new Promise<{ url: string }>((done, refuse) => {
    const hear = (chunk: Buffer) => {
      output += chunk.toString()
      const line = /^\{"ready":true.*\}$/m.exec(output)?.[0]
      if (line) done(JSON.parse(line) as { url: string })
    }
    child.stdout.on('data', hear)
    child.stderr.on('data', hear)
    void ended.then(({ code }) => refuse(new Error(`The server ended with ${code} before it was ready:\n${output}`)))
  })
  return {
    url: ready.url,
    ready,
    pid: child.pid ?? 0,
    output: () => output,
    isRunning: () => child.exitCode === null && child.signalCode === null,
    kill: (signal = 'SIGKILL') => {
      child.kill(signal)
      return ended
    },
  }
}

/** Ends what this file of tests has left running. */
export async function killServers(): Promise<void> {
  await Promise.all(
    [...running].map(
      (child) =>
        new Promise((done) => {
          child.once('exit', done)
          child.kill('SIGKILL')
        }),
    ),
  )
}
