import { splitStream } from '../../apps/geo/src/ingest/gt06/split.ts'
import { gt06Location, gt06Login } from '../../apps/geo/src/ingest/gt06/encode.ts'
import { buildFrame, type RawFrame } from '../../apps/geo/src/ingest/gt06/frame.ts'
import { openDialog } from './dialog.ts'
import type { Link, Session } from './link.ts'
import type { Vehicle } from './vehicle.ts'

const answerType = 0x15
const commandType = 0x80

/** A GT06 on a TCP connection: the server confirms each frame with one of the same type and serial number; executes text commands. */
export async function openGt06({ uniqueId }: Vehicle, link: Link): Promise<Session> {
  let serial = 0
  let rest: Uint8Array = new Uint8Array(0)
  const { socket, next } = openDialog<RawFrame>(link, (chunk, to) => {
    const result = splitStream(Buffer.concat([rest, chunk]))
    rest = result.rest
    const frames = result.pieces.flatMap((piece) => (piece.kind === 'frame' ? [piece.frame] : []))
    for (const command of frames.filter(({ type }) => type === commandType)) {
      link.tally.commands += 1
      to.write(answerTo(command))
    }
    return frames.filter(({ type }) => type !== commandType && type !== answerType)
  })
  const confirmed = async (expected: number) => {
    const reply = await next('confirmation')
    if (reply.serial !== expected) throw new Error(`frame ${reply.serial} confirmed instead of ${expected}`)
  }
  const numbered = () => (serial = (serial + 1) & 0xffff)
  socket.write(gt06Login({ uniqueId, serial: numbered() }))
  await confirmed(serial)
  return {
    async send(fixes) {
      const serials = fixes.map((fix) => {
        socket.write(gt06Location(fix, { serial: numbered() }))
        return serial
      })
      for (const expected of serials) await confirmed(expected)
    },
    close: () => socket.destroy(),
  }
}

/** Repeats the flag of the command, so that the server knows which one this answers. */
function answerTo({ content, serial }: RawFrame): Uint8Array {
  const [length = 4] = content
  const command = Buffer.from(content.subarray(5, 1 + length)).toString('latin1')
  const text = Buffer.from(
    /^Relay|DYD/.test(command) ? `${command.replace('#', '')}=Success!` : `${command.replace('#', '')}: OK`,
    'latin1',
  )
  return buildFrame({ type: answerType, serial, content: Uint8Array.of(4 + text.length, ...content.subarray(1, 5), ...text, 0, 2) })
}
