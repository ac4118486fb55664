import { spawn } from 'node:child_process'
import { omitBy } from 'es-toolkit/object/omitBy'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'

const root = resolve(import.meta.dirname, '../..')

export interface ProgramOptions {
  name: string
  /** Path of the script, relative to the project's root or absolute. */
  script: string
  nodeFlags?: readonly string[]
  env: Record<string, string>
  /** The program's output goes to <logDir>/<name>.log; without it, to this terminal. */
  logDir?: string
}

interface DevicePort {
  protocol: string
  transport: string
  port: number
}
export interface Ready {
  url: string
  ports: readonly DevicePort[]
  /** Ports for devices that could not be opened, and the system's reason. */
  closed: readonly (DevicePort & { reason: string })[]
}

export interface Program {
  pid: number
  /** The address and device ports, once it listens. Rejects with the program's last output when it ends before. */
  ready: Promise<Ready>
  /** Settles when the program has ended, with the reason: "code 1", "SIGKILL". */
  ended: Promise<string>
  stop(): Promise<void>
}

/**
 * Starts one of our programs, which reports over the channel when it is ready. It ends by stop(), or by itself when the channel closes
 * because we were killed.
 */
export async function startProgram(options: ProgramOptions): Promise<Program> {
  const log = options.logDir ? await openLog(options.logDir, options.name) : undefined
  const child = spawn(process.execPath, [...(options.nodeFlags ?? []), resolve(root, options.script)], {
    cwd: root,
    env: ownEnv(options.env),
    stdio: ['ignore', log ? 'pipe' : 'inherit', log ? 'pipe' : 'inherit', 'ipc'],
    // In a process group of its own: Ctrl-C reaches only us, and we stop the programs in order.
    detached: true,
  })
  let lastWords = ''
  if (log) {
    child.stdout?.pipe(log, { end: false })
    child.stderr?.pipe(log, { end: false })
    child.stderr?.on('data', (chunk: Buffer) => {
      lastWords = `${lastWords}${chunk}`.slice(-4_000)
    })
  }
  const ended = new Promise<string>((done) => child.once('close', (code, signal) => done(signal ?? `code ${code}`)))
  const ready = new Promise<Ready>((done, refuse) => {
    child.on('message', (message) => {
      const told = readReady(message)
      if (told) done(told)
    })
    void ended.then(() => refuse(new Error(lastWords.trim() || `The ${options.name} ended before it was ready`)))
  })
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await ended
  }
  return { pid: child.pid ?? 0, ready, ended, stop }
}

/** Secrets of whoever deploys: a program is given those it needs by name. */
const keptBack = new Set(
  ['SECRET', 'ACCESS_SECRET', 'DEPLOY_SECRET', 'GEO_SECRET', 'GEO_KEYS', 'BACKUP_PASSWORD', 'BACKUP_S3_SECRET_KEY'].flatMap((name) => [
    name,
    `${name}_FILE`,
  ]),
)

/** Ours with those of the program above, but for secrets. What was read from a `NAME_FILE` is handed on as `NAME`: both together would be refused. */
function ownEnv(given: ProgramOptions['env']): NodeJS.ProcessEnv {
  const files = new Set(Object.keys(given ?? {}).map((name) => `${name}_FILE`))
  return { ...omitBy(process.env, (_, name) => files.has(name) || keptBack.has(name)), ...given }
}

function readReady(message: unknown): Ready | undefined {
  if (typeof message !== 'object' || message === null || !('url' in message) || typeof message.url !== 'string') return undefined
  return { ports: [], closed: [], ...(message as Partial<Ready>), url: message.url }
}

async function openLog(dir: string, name: string) {
  await mkdir(dir, { recursive: true })
  return createWriteStream(join(dir, `${name}.log`), { flags: 'a' })
}
