import { readFileSync } from 'node:fs'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

const fileOf = (dataDir: string) => join(dataDir, 'outpost.pid')

/**
 * Locks <dataDir> for this process; returns the function that releases it. Throws one clear line while another living process holds it.
 * A lock left by kill -9 is recognised by the start time of its process, because a container reuses the same small process ids at every
 * start.
 */
export async function lockDataDir(dataDir: string): Promise<() => Promise<void>> {
  await mkdir(dataDir, { recursive: true })
  if (await tryLock(dataDir)) return () => rm(fileOf(dataDir), { force: true })
  const [pid, startedAt] = await readLock(dataDir)
  if (pid !== undefined && isSameProcess(pid, startedAt)) {
    throw new Error(`Outpost is already running on ${dataDir} (pid ${pid})`)
  }
  await rm(fileOf(dataDir), { force: true })
  if (await tryLock(dataDir)) return () => rm(fileOf(dataDir), { force: true })
  throw new Error(`Outpost is already starting on ${dataDir}`)
}

/** Pid of the living process that holds <dataDir>, if any. */
export async function holderOf(dataDir: string): Promise<number | undefined> {
  const [pid, startedAt] = await readLock(dataDir)
  return pid !== undefined && isSameProcess(pid, startedAt) ? pid : undefined
}

/** True while a process with that id lives (also one of another user); false for a zombie. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return statOf(pid)[0] !== 'Z'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function tryLock(dataDir: string): Promise<boolean> {
  try {
    const file = await open(fileOf(dataDir), 'wx', 0o644)
    await file.writeFile(`${process.pid} ${startTime(process.pid)}\n`)
    await file.close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function readLock(dataDir: string): Promise<[pid: number | undefined, startedAt: string]> {
  const text = await readFile(fileOf(dataDir), 'utf8').catch(() => '')
  const [pid, startedAt = ''] = text.trim().split(' ')
  return [Number(pid) || undefined, startedAt]
}

function isSameProcess(pid: number, startedAt: string): boolean {
  return isAlive(pid) && (startedAt === '' || startedAt === startTime(pid))
}

/** Field 22 of /proc/<pid>/stat, and the boot it belongs to; empty where there is no /proc. */
function startTime(pid: number): string {
  const time = statOf(pid)[19]
  return time === undefined ? '' : `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${time}`
}

/** /proc/<pid>/stat from the state on; nothing where there is no such process or no /proc. */
function statOf(pid: number): string[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return []
  }
}
