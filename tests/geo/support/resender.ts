import { connect, type Socket } from 'node:net'
import { encodeLogin, encodePacket } from '../../../apps/geo/src/ingest/teltonika/encode.ts'
import type { Fix } from '../../../apps/geo/src/positions/fix.ts'

export interface Resender {
  /** Packets acknowledged so far. */
  acknowledged(): number
  /** Settles when all are. */
  done: Promise<void>
  stop(): void
}

/** A tracker as they are: sends a packet until it is acknowledged, over as many lines as it takes, and only then the next. */
export function startResender({
  port,
  uniqueId,
  packets,
  pauseMs = 0,
  patienceMs = 5_000,
}: {
  port: number
  uniqueId: string
  packets: readonly (readonly Fix[])[]
  pauseMs?: number
  patienceMs?: number
}): Resender {
  let next = 0
  let isStopped = false
  let socket: Socket | undefined
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const dial = () => {
    if (isStopped || next >= packets.length) return
    let heard = Buffer.alloc(0)
    let isIn = false
    const line = connect({ port, host: '127.0.0.1', noDelay: true })
    socket = line
    line.setTimeout(patienceMs, () => line.destroy())
    line.on('error', () => undefined).on('close', () => setTimeout(dial, 30))
    line.on('connect', () => line.write(encodeLogin(uniqueId)))
    const send = () => {
      const packet = packets[next]
      if (packet) return void setTimeout(() => line.write(encodePacket(packet)), pauseMs)
      resolve()
      line.destroy()
    }
    line.on('data', (chunk: Buffer) => {
      heard = Buffer.concat([heard, chunk])
      if (!isIn) {
        if (heard[0] !== 1) return void line.destroy()
        isIn = true
        heard = heard.subarray(1)
        return send()
      }
      if (heard.length < 4) return
      // A command for the tracker, which is no acknowledgement: 4 zeros, its length, codec 12, and a checksum.
      if (heard.readUInt32BE() === 0 && heard[8] === 0x0c) heard = heard.subarray(12 + heard.readUInt32BE(4))
      if (heard.length < 4) return
      if (heard.readUInt32BE() === packets[next]?.length) next += 1
      heard = heard.subarray(4)
      send()
    })
  }
  dial()
  return {
    acknowledged: () => next,
    done,
    stop() {
      isStopped = true
      socket?.destroy()
    },
  }
}
