import { Readable } from 'node:stream'
import { fail } from '@outpost/contract/errors'

export interface StreamLimits {
  /** Answers of one user that may be under way. */
  perUser: number
  /** Of all users of this process: no more than there are connections for them (Pools.stream), or some would wait for others to be read. */
  perProcess: number
  /** A reader who takes no further piece (64 KiB) for so long is cut off. */
  stalledMs: number
}

export interface Streams {
  readonly limits: StreamLimits
  /** What is sent of a large answer, read as its reader takes it. Stops with TOO_MANY_REQUESTS before anything is read. */
  open(userId: string, pieces: AsyncIterable<string | Uint8Array>): Readable
  /** Whether one more of this user would be opened. */
  hasRoom(userId: string): boolean
  /** Under way at present. */
  count(): number
}

/** Large answers hold a connection to the database for as long as somebody reads them: few at once, and none for ever. */
export function createStreams({
  perUser = 4,
  perProcess,
  stalledMs = 30_000,
}: Partial<StreamLimits> & Pick<StreamLimits, 'perProcess'>): Streams {
  const limits: StreamLimits = { perUser, perProcess, stalledMs }
  const openOf = new Map<string, number>()
  let all = 0
  const add = (userId: string, change: 1 | -1) => {
    const count = (openOf.get(userId) ?? 0) + change
    if (count === 0) openOf.delete(userId)
    else openOf.set(userId, count)
    all += change
  }
  return {
    limits,
    count: () => all,
    hasRoom: (userId) => (openOf.get(userId) ?? 0) < limits.perUser && all < limits.perProcess,
    open(userId, pieces) {
      if ((openOf.get(userId) ?? 0) >= limits.perUser)
        fail('TOO_MANY_REQUESTS', {
          message: `${limits.perUser} large answers are on their way to you already. Read one of them to its end first.`,
        })
      if (all >= limits.perProcess)
        fail('TOO_MANY_REQUESTS', { message: 'Too many large answers are on their way. Try again in a moment, or ask for smaller pages.' })
      const stream: Readable = Readable.from(
        watched(pieces, limits.stalledMs, () => stream.destroy(new Error('The reader of an answer took nothing any more'))),
      )
      add(userId, 1)
      stream.once('close', () => add(userId, -1))
      return stream
    },
  }
}

/** The same pieces; cut is called when nobody asks for the one after within the time. */
async function* watched<Piece>(pieces: AsyncIterable<Piece>, stalledMs: number, cut: () => void): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    const timer = setTimeout(cut, stalledMs)
    try {
      yield piece
    } finally {
      clearTimeout(timer)
    }
  }
}
