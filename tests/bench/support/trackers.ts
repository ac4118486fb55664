import { connect, type Socket } from 'node:net'
import type { Fix } from '../../../apps/geo/src/positions/fix.ts'
import { encodeLogin, encodePacket } from '../../../apps/geo/src/ingest/teltonika/encode.ts'

/** Signs a tracker in; settles once the service has taken it. */
export function dial(port: number, uniqueId: string): Promise<Socket> {
  return new Promise((done, refuse) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    socket.once('error', refuse)
    socket.once('connect', () => socket.write(encodeLogin(uniqueId)))
    socket.once('data', (bytes: Buffer) => {
      socket.off('error', refuse).on('error', () => undefined)
      if (bytes[0] === 1) done(socket)
      else refuse(new Error(`${uniqueId} was refused`))
    })
  })
}

/** Packets of a vehicle on the road, made before anything is measured: what an FMB with the usual elements sends. */
export function makePackets({ start, packets, size }: { start: number; packets: number; size: number }): Buffer[] {
  return Array.from({ length: packets }, (_, packet) =>
    Buffer.from(encodePacket(Array.from({ length: size }, (_fix, n) => drive(start, packet * size + n)))),
  )
}

function drive(start: number, step: number): Fix {
  const time = start + step * 1_000
  return {
    fixTime: time,
    deviceTime: time,
    latitude: -1.28 + step * 1e-5,
    longitude: 36.82 + step * 1e-5,
    isValid: true,
    altitude: 1_600 + (step % 50),
    speed: 30 + (step % 40),
    course: step % 360,
    accuracy: null,
    attributes: { sat: 9 + (step % 5), ignition: true, motion: true, rssi: 4, power: 13.8, battery: 4.1, odometer: 1_000_000 + step * 10 },
  }
}

/** Sends one packet and settles with the milliseconds until it was acknowledged. */
export function sendPacket(socket: Socket, packet: Buffer): Promise<number> {
  return new Promise((done, refuse) => {
    const start = performance.now()
    const onClose = () => refuse(new Error('the line ended'))
    socket.once('close', onClose).once('data', () => {
      socket.off('close', onClose)
      done(performance.now() - start)
    })
    socket.write(packet)
  })
}
