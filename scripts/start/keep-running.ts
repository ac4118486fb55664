import type { Part } from './supervisor.ts'

/** A part that may end by itself. */
export interface Running extends Part {
  /** Settles when it has ended, with the reason in a few words. */
  ended: Promise<string>
}

export interface RestartOptions<One extends Running> {
  /** Its name for the user, as at the start of a sentence. */
  name: string
  /** Starts it again; throws one line when it does not start. `adopt` is called as soon as there is something to stop. */
  start: (adopt: (running: One) => void) => Promise<void>
  /** Path of the log file to mention. */
  log?: string | undefined
  isEnding: () => boolean
  /** Milliseconds; for tests. */
  pauses?: typeof defaultPauses
}

/** The pause before a restart doubles from the first to the longest; after running for `sound` ms it starts with the first again. */
const defaultPauses = { first: 500, longest: 30_000, sound: 60_000 }

/**
 * Keeps a part running: reports when it ends by itself and restarts it, after a pause that grows while it keeps ending. Returns a part
 * whose stop is final.
 */
export function keepRunning<One extends Running>(
  first: One,
  { name, start, log, isEnding, pauses = defaultPauses }: RestartOptions<One>,
): Part {
  let current = first
  let pause = pauses.first
  const stopping = new AbortController()
  const stopped = new Promise<string>((done) => stopping.signal.addEventListener('abort', () => done('stopped')))
  const isOver = () => stopping.signal.aborted || isEnding()
  const adopt = (running: One) => {
    current = running
    if (isOver()) void running.stop()
  }
  const tryAgain = async (): Promise<boolean> => {
    await sleep(pause, stopped)
    if (isOver()) return true
    pause = Math.min(2 * pause, pauses.longest)
    try {
      await start(adopt)
      console.log(`${name} runs again`)
      return true
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error)
      if (!isOver()) console.error(`${name} does not start: ${reason}; next try in ${Math.ceil(pause / 1_000)} s`)
      return false
    }
  }
  const watch = async () => {
    for (;;) {
      const began = performance.now()
      const how = await Promise.race([current.ended, stopped])
      if (isOver()) return
      if (performance.now() - began > pauses.sound) pause = pauses.first
      console.error(`${name} has ended (${how})${log === undefined ? '' : `, see ${log}`}; it is started again`)
      while (!isOver() && !(await tryAgain()));
    }
  }
  const watching = watch()
  return {
    stop: async () => {
      stopping.abort()
      await current.stop()
      // It may have been starting in the meantime.
      await watching.finally(() => current.stop())
    },
  }
}

async function sleep(ms: number, until: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([
    until,
    new Promise((done) => {
      timer = setTimeout(done, ms)
    }),
  ])
  clearTimeout(timer)
}
