import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Codec } from '../../apps/geo/src/ingest/codec.ts'
import { gt06 } from '../../apps/geo/src/ingest/gt06/codec.ts'
import { gt06Login } from '../../apps/geo/src/ingest/gt06/encode.ts'
import { teltonika } from '../../apps/geo/src/ingest/teltonika/codec.ts'
import { encodeLogin } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { chance } from './journey.ts'
import { imeiOf } from './vehicle.ts'

/** A published frame: its protocol, and its bytes as hex. */
export interface PublishedFrame {
  id: string
  protocol: string
  hex: string
}
export interface ReplayResult {
  id: string
  expected: string
  got: string
}

/** Recorded frames are sent under this identity, so that they belong to no vehicle. */
export const replayImei = imeiOf(9_000_000)

const speakers: Readonly<Record<string, { codec: Codec; login: Uint8Array }>> = {
  teltonika: { codec: teltonika, login: encodeLogin(replayImei) },
  gt06: { codec: gt06, login: gt06Login({ uniqueId: replayImei, serial: 1 }) },
}
/** How long the service may take to confirm, and how long to listen for an unexpected reply. */
const replyTimeoutMs = 5000
const silenceMs = 250

/** Whether a frame can be replayed here: its protocol has a login, and it is not itself the login of another device. */
export function isReplayable({ protocol, hex }: PublishedFrame): boolean {
  const frames = speakers[protocol]?.codec.read(Buffer.from(hex, 'hex'), Date.now()).frames
  return frames !== undefined && frames.every(({ message }) => message.kind !== 'login' && !('uniqueId' in message))
}

/** Sends one frame after a login, in pieces of 1 to 40 bytes; the expected reply is that of our codec, for bad frames none. */
export async function replayFrame(frame: PublishedFrame, { host, port }: { host: string; port: number }): Promise<ReplayResult> {
  const speaker = speakers[frame.protocol]
  if (!speaker) throw new RangeError(`no frames of ${frame.protocol} are replayed`)
  const stream = Buffer.concat([speaker.login, Buffer.from(frame.hex, 'hex')])
  const acks = speaker.codec.read(stream, Date.now()).frames.map(({ message }) => ('ack' in message ? message.ack : null))
  const expected = Buffer.concat(acks.filter((ack) => ack !== null)).toString('hex')
  const socket = connect({ host, port, noDelay: true })
  let got = ''
  let ended = ''
  socket.on('data', (chunk) => (got += chunk.toString('hex')))
  socket.on('error', (error) => (ended = ` (${error.message})`))
  for (let at = 0, turn = 0; at < stream.length; turn++) {
    const length = 1 + Math.floor(chance(stream.length, turn) * 40)
    socket.write(stream.subarray(at, at + length))
    at += length
    await sleep(1)
  }
  for (const until = Date.now() + replyTimeoutMs; got.length < expected.length && Date.now() < until && !socket.closed;) await sleep(5)
  await sleep(silenceMs)
  socket.destroy()
  return { id: frame.id, expected, got: got + ended }
}
