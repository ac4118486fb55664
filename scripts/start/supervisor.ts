export interface Part {
  stop(): Promise<void>
}

export interface Supervisor {
  /** Parts are stopped in the opposite order. */
  add(part: Part): void
  isEnding(): boolean
  /** Stops everything and exits; with an error when there is a reason to report. */
  end(reason?: string): Promise<void>
}

/**
 * Runs `start`, and stops what it has added on a signal, when the parent process is killed, or when start fails. A part that is being
 * created at a signal is awaited, so that nothing half-started is left behind.
 */
export function supervise(start: (supervisor: Supervisor) => Promise<void>): void {
  const parts: Part[] = []
  let ending: Promise<void> | undefined
  let starting: Promise<void> = Promise.resolve()
  const stopAdded = async () => {
    for (let part = parts.pop(); part; part = parts.pop()) await part.stop().catch((error: unknown) => console.error(messageOf(error)))
  }
  const stopAll = async () => {
    await stopAdded()
    await starting.catch(() => undefined)
    await stopAdded()
  }
  const end = (reason?: string) => {
    if (reason && !ending) console.error(reason)
    if (reason && !ending) process.exitCode = 1
    ending ??= stopAll().finally(() => process.exit())
    return ending
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end())
  process.on('disconnect', () => void end())
  starting = start({ add: (part) => void parts.push(part), isEnding: () => ending !== undefined, end })
  starting.catch((error: unknown) => void end(messageOf(error)))
}

/** Waits for all before it throws the first error: a part that is still starting could not be stopped. */
export async function startAll<First, Second>(first: Promise<First>, second: Promise<Second>): Promise<[First, Second]> {
  await Promise.allSettled([first, second])
  return Promise.all([first, second])
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
