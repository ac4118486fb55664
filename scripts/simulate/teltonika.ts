import { teltonika } from '../../apps/geo/src/ingest/teltonika/codec.ts'
import { sealed } from '../../apps/geo/src/ingest/teltonika/command.ts'
import { encodeLogin, encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { openDialog } from './dialog.ts'
import type { Link, Session } from './link.ts'
import type { Vehicle } from './vehicle.ts'

/** A Teltonika on a TCP connection: logs in, the server confirms each packet with its count, executes text commands. */
export async function openTeltonika({ uniqueId }: Vehicle, link: Link): Promise<Session> {
  const hear = replyReader((command) => {
    link.tally.commands += 1
    return answerTo(command)
  })
  const { socket, next } = openDialog(link, (chunk, to) => {
    const { replies, answers } = hear(chunk)
    for (const answer of answers) to.write(answer)
    return replies
  })
  socket.write(encodeLogin(uniqueId))
  if ((await next('answer to the login')) !== 1) {
    socket.destroy()
    link.tally.refused.add(uniqueId)
    throw new Error('not known there')
  }
  return {
    async send(fixes) {
      socket.write(encodePacket(fixes))
      const count = await next('confirmation')
      if (count !== fixes.length) throw new Error(`${count} of ${fixes.length} positions confirmed`)
    },
    close: () => socket.destroy(),
  }
}

/** Splits the server's bytes into replies (one byte to the login, then four bytes to each packet) and commands, which are answered. */
function replyReader(obey: (command: string) => Uint8Array): (chunk: Buffer) => { replies: number[]; answers: Uint8Array[] } {
  let rest: Buffer = Buffer.alloc(0)
  let isIn = false
  return (chunk) => {
    const replies: number[] = []
    rest = Buffer.concat([rest, chunk])
    if (!isIn) {
      replies.push(rest.readUInt8())
      rest = rest.subarray(1)
      isIn = true
    }
    const answers: Uint8Array[] = []
    while (rest.length >= 4) {
      if (rest.readUInt32BE() > 0) {
        replies.push(rest.readUInt32BE())
        rest = rest.subarray(4)
        continue
      }
      const length = rest.length < 8 ? Infinity : rest.readUInt32BE(4) + 12
      if (length > rest.length) break
      const [frame] = teltonika.read(rest.subarray(0, length), Date.now()).frames
      if (frame?.message.kind === 'answer') answers.push(obey(frame.message.text))
      rest = rest.subarray(length)
    }
    return { replies, answers }
  }
}

function answerTo(command: string): Uint8Array {
  const text = Buffer.from(
    command.startsWith('setdigout') ? `DOUT1:${command.split(' ')[1] ?? ''} Timeout:INFINITY` : `${command}: done`,
    'latin1',
  )
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return sealed(Buffer.concat([Buffer.from([0x0c, 1, 6]), length, text, Buffer.from([1])]))
}
