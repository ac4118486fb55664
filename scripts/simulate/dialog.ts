import { connect, type Socket } from 'node:net'
import { withTimeout, type Link } from './link.ts'

const replyTimeoutMs = 30_000

/** One TCP connection as a sequence of replies: each is awaited in order, with a time limit. */
export interface Dialog<Reply> {
  socket: Socket
  /** The next reply; rejects when the connection ends before it, or after 30 s. */
  next(what: string): Promise<Reply>
}

/** Connects. `hear` receives the bytes, returns the replies in them, and keeps the incomplete rest. */
export function openDialog<Reply>({ host, port }: Link, hear: (chunk: Buffer, socket: Socket) => Reply[]): Dialog<Reply> {
  const socket = connect({ host, port, noDelay: true })
  const replies: Reply[] = []
  let waiting: PromiseWithResolvers<Reply> | null = null
  let broken: Error | null = null
  const fail = (error: Error) => {
    broken ??= error
    waiting?.reject(broken)
    waiting = null
  }
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))
  socket.on('data', (chunk) => {
    for (const reply of hear(chunk, socket)) {
      if (waiting) waiting.resolve(reply)
      else replies.push(reply)
      waiting = null
    }
  })
  return {
    socket,
    async next(what) {
      const ready = replies.shift()
      if (ready !== undefined) return ready
      if (broken) throw broken
      waiting = Promise.withResolvers<Reply>()
      try {
        return await withTimeout(replyTimeoutMs, what, waiting.promise)
      } catch (error) {
        socket.destroy()
        throw error
      }
    },
  }
}
