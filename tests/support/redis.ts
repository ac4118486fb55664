import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { until } from './until.ts'
import { freePort } from './port.ts'

export interface TestRedis {
  url: string
  flush(): Promise<void>
  /** Kills the server; its address stays refused. */
  kill(): Promise<void>
}

/** A redis-server of one's own on a free port, without persistence. */
export async function startRedis(): Promise<TestRedis> {
  const [port, folder] = [await freePort(), await mkdtemp(join(tmpdir(), 'outpost-redis-'))]
  const server = spawn(
    'redis-server',
    ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--maxmemory-policy', 'noeviction'],
    { stdio: 'ignore' },
  )
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, maxRetriesPerRequest: null })
  client.on('error', () => undefined)
  await until(async () => (await client.ping().catch(() => '')) === 'PONG')
  return {
    url: `redis://127.0.0.1:${port}`,
    flush: async () => void (await client.flushall()),
    kill: async () => {
      client.disconnect()
      const isGone = new Promise((done) => server.once('exit', done))
      server.kill('SIGKILL')
      await isGone
      await rm(folder, { recursive: true, force: true })
    },
  }
}
