import type { Log } from '@outpost/platform/log'
import type { Identities } from '../identity.ts'
import type { Writer } from '../write/writer.ts'
import type { Commands } from './commands.ts'
import type { Connections } from './connections.ts'
import type { DeviceStats } from './device-stats.ts'

/** Services that every session on every port uses. */
export interface IngestServices {
  identities: Identities
  writer: Writer
  deviceStats: DeviceStats
  connections: Connections
  commands: Commands
  log: Log
  now: () => number
}
