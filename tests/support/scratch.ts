import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const memory = '/dev/shm'
const prefix = 'outpost-run-'
const gigabyte = 2 ** 30

/**
 * Puts the temporary files of this run (TMPDIR) into memory where there is plenty of it, unless TMPDIR says another place:
 * a test's own database is 1,300 files, 0.7 s of work on a disk and 0.05 s there. They go when the run ends; what a run
 * that was killed has left goes with the next one.
 */
export function openScratch(): void {
  if (process.env.TMPDIR || !isPlenty()) return
  for (const name of readdirSync(memory)) {
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length)))) remove(join(memory, name))
  }
  const folder = join(memory, `${prefix}${process.pid}`)
  // Postgres is another user where we are root.
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  process.env.TMPDIR = folder
  process.once('exit', () => remove(folder))
}

function isPlenty(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize > 4 * gigabyte && process.availableMemory() > 6 * gigabyte
  } catch {
    return false
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** What cannot go (a mount that was left, a file of another user) stays. */
function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // Memory is not worth a failed run.
  }
}
