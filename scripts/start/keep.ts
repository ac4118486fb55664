import type { Part } from './supervisor.ts'

/** A part that runs by itself and may end when nobody asked it to. */
export interface Running extends Part {
  /** Settles when it has ended, with what ended it in a word or two. */
  ended: Promise<string>
}

export interface Kept<One extends Running> {
  /** As the user reads it, at the beginning of a sentence. */
  name: string
  /** Starts it once more; throws one line when it does not stand. `adopt` takes it in as soon as there is something to stop. */
  start: (adopt: (running: One) => void) => Promise<void>
  /** File where to read more. */
  log?: string | undefined
  isEnding: () => boolean
  /** Milliseconds; for tests. */
  pauses?: typeof usualPauses
}

/** The pause before a new start doubles from the first to the longest; whoever ran for `sound` begins with the first again. */
const usualPauses = { first: 500, longest: 30_000, sound: 60_000 }

/**
 * Keeps a part running: when it ends by itself this says so in words and starts it again, after a pause that grows
 * while it goes on ending. Gives what stops it for good, together with the part.
 */
export function keepRunning<One extends Running>(first: One, { name, start, log, isEnding, pauses = usualPauses }: Kept<One>): Part {
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
      // It may have been starting meanwhile.
      await watching.finally(() => current.stop())
    },
  }
}

async function sleep(ms: number, until: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([until, new Promise((done) => { timer = setTimeout(done, ms) })])
  clearTimeout(timer)
}
