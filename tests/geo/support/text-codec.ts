import type { Codec, Frame, Message } from '../../../apps/geo/src/ingest/codec.ts'
import { fixAt } from './devices.ts'

const bytesOf = (text: string) => Buffer.from(`${text}\n`)

/**
 * A protocol for tests, one line a frame: "login <id>", "fix <ms> <lat> <alarm?>", "beat <battery>", "answer <correlation> <text>";
 * over UDP with the id in front ("<id> fix ..."). Its answers repeat the line.
 */
export const textCodec: Codec & Required<Pick<Codec, 'readDatagram'>> = {
  name: 'text',
  read(bytes) {
    const end = Buffer.from(bytes).lastIndexOf(10) + 1
    const lines = Buffer.from(bytes.subarray(0, end)).toString().split('\n').slice(0, -1)
    return { frames: lines.map((line) => frameOf(line)), rest: bytes.subarray(end) }
  },
  readDatagram(bytes) {
    const [uniqueId = '', ...rest] = Buffer.from(bytes).toString().trim().split(' ')
    return [frameOf(rest.join(' '), uniqueId)]
  },
  encode: ({ type, parameters, correlation }) =>
    type === 'engineStop' ? null : bytesOf(`command ${correlation} ${type} ${String(parameters.data ?? '')}`),
}

function frameOf(line: string, uniqueId?: string): Frame {
  return { bytes: bytesOf(line), message: { ...messageOf(line), ...(uniqueId === undefined ? {} : { uniqueId }) } as Message }
}

function messageOf(line: string): Message {
  const [kind, first = '', second = '', ...more] = line.split(' ')
  const ack = bytesOf(`ok ${line}`)
  if (kind === 'login') return { kind: 'login', uniqueId: first, ack, refusal: bytesOf('no') }
  if (kind === 'fix')
    return {
      kind: 'fixes',
      fixes: [fixAt(Number(first), { latitude: Number(second), attributes: more[0] ? { alarm: more[0] } : {} })],
      ack,
    }
  if (kind === 'beat') return { kind: 'heartbeat', at: null, attributes: { battery: Number(first) }, ack }
  if (kind === 'answer') return { kind: 'answer', correlation: first, text: [second, ...more].join(' '), ack: null }
  return { kind: 'bad', reason: 'shape', detail: `"${line}" is no line` }
}
