import type { Codec } from '../codec.ts'
import type { KnownDevice } from '../identity.ts'

/** A connection over which a device can be reached now. */
export interface OpenConnection {
  device: KnownDevice
  codec: Codec
  remote: string
  /** Epoch ms of its last frame. */
  lastAt: number
  send(bytes: Uint8Array): void
  /** Ends the connection because the device has a newer one. */
  replace(): void
}

export interface Connections {
  /**
   * Makes this the device's connection and ends the previous one. True when the previous one was alive, so that two devices seem to
   * share an identity.
   */
  open(line: OpenConnection): boolean
  close(line: OpenConnection): void
  of(deviceId: string): OpenConnection | undefined
  size(): number
}

/** Both connections were active within this time: that is no reconnect after a lost network, but two devices that alternate. */
const conflictMs = 30_000

/** Maps devices to connections; a new connection replaces the old one. */
export function createConnections(): Connections {
  const lines = new Map<string, OpenConnection>()
  return {
    open(line) {
      const before = lines.get(line.device.deviceId)
      lines.set(line.device.deviceId, line)
      if (!before || before === line) return false
      before.replace()
      return line.lastAt - before.lastAt < conflictMs
    },
    close(line) {
      if (lines.get(line.device.deviceId) === line) lines.delete(line.device.deviceId)
    },
    of: (deviceId) => lines.get(deviceId),
    size: () => lines.size,
  }
}
