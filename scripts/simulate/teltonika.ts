import { connect } from 'node:net'
import { teltonika } from '../../apps/geo/src/ingest/teltonika/codec.ts'
import { sealed } from '../../apps/geo/src/ingest/teltonika/command.ts'
import { encodeLogin, encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { within, type Link, type Session } from './link.ts'
import type { Vehicle } from './vehicle.ts'

const patience = 30_000

/** A Teltonika on a TCP connection: logs in, has each packet confirmed by its count, obeys commands in words. */
export async function openTeltonika({ uniqueId }: Vehicle, { host, port, tally }: Link): Promise<Session> {
  const socket = connect({ host, port, noDelay: true })
  const heard = listener()
  socket.on('data', (chunk) => {
    for (const command of heard.push(chunk)) {
      tally.commands += 1
      socket.write(answerTo(command))
    }
  })
  socket.on('error', (error) => heard.fail(error))
  socket.on('close', () => heard.fail(new Error('the server closed the connection')))
  try {
    socket.write(encodeLogin(uniqueId))
    if ((await within(patience, 'answer to the login', heard.next())) !== 'welcome') {
      tally.refused.add(uniqueId)
      throw new Error(`${uniqueId} is not known there`)
    }
  } catch (error) {
    socket.destroy()
    throw error
  }
  return {
    async send(fixes) {
      socket.write(encodePacket(fixes))
      const count = await within(patience, 'confirmation', heard.next())
      if (count !== fixes.length) throw new Error(`${count} of ${fixes.length} positions confirmed`)
    },
    close: () => socket.destroy(),
  }
}

type Reply = 'welcome' | 'refusal' | number

/** Cuts what a server says into replies (one byte to the login, four bytes to each packet) and commands, which are given back. */
function listener() {
  let rest: Buffer = Buffer.alloc(0)
  let isIn = false
  const replies: Reply[] = []
  let waiting: PromiseWithResolvers<Reply> | null = null
  let broken: Error | null = null
  const tell = (reply: Reply) => {
    if (waiting) waiting.resolve(reply)
    else replies.push(reply)
    waiting = null
  }
  return {
    push(chunk: Buffer): string[] {
      rest = Buffer.concat([rest, chunk])
      if (!isIn && rest.length > 0) {
        tell(rest[0] === 1 ? 'welcome' : 'refusal')
        isIn = true
        rest = rest.subarray(1)
      }
      while (rest.length >= 4 && rest.readUInt32BE() > 0) {
        tell(rest.readUInt32BE())
        rest = rest.subarray(4)
      }
      const { frames, rest: later } = teltonika.read(rest, Date.now())
      rest = Buffer.from(later)
      return frames.flatMap(({ message }) => (message.kind === 'answer' ? [message.text] : []))
    },
    fail(error: Error) {
      broken ??= error
      waiting?.reject(broken)
      waiting = null
    },
    async next(): Promise<Reply> {
      const ready = replies.shift()
      if (ready !== undefined) return ready
      if (broken) throw broken
      waiting = Promise.withResolvers<Reply>()
      return waiting.promise
    },
  }
}

function answerTo(command: string): Uint8Array {
  const text = Buffer.from(command.startsWith('setdigout') ? `DOUT1:${command.split(' ')[1] ?? ''} Timeout:INFINITY` : `${command}: done`, 'latin1')
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return sealed(Buffer.concat([Buffer.from([0x0c, 1, 6]), length, text, Buffer.from([1])]))
}
