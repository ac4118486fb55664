import { connect, type Socket } from 'node:net'
import { within, type Link } from './link.ts'

const patience = 30_000

/** One TCP connection as a row of replies: each is waited for in its turn, and none of them for ever. */
export interface Dialog<Reply> {
  socket: Socket
  /** The next reply; rejects when the connection ends before it, or after 30 s. */
  next(what: string): Promise<Reply>
}

/** Connects; `hear` is given what came and tells the replies in it, of which it keeps the part that is not whole. */
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
        return await within(patience, what, waiting.promise)
      } catch (error) {
        socket.destroy()
        throw error
      }
    },
  }
}
