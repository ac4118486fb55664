import type { GeoPools } from '@outpost/platform/db/pool'
import type { Log } from '@outpost/platform/log'
import type { DeviceCommand } from './codec.ts'
import type { KnownDevice } from './identity.ts'

interface Asking { device: KnownDevice, settle: (text: string | undefined) => void }

const gatherMs = 5

/**
 * Hands the one waiting command to a device that asks over HTTP; it counts as sent. The questions of one moment are one
 * statement: every report of a phone asks, and hardly one has a command. Never rejects, for the report itself is stored.
 */
export function createTaker(pool: GeoPools['ingest'], log: Log): (device: KnownDevice) => Promise<string | undefined> {
  let asking: Asking[] = []
  const answer = async () => {
    const all = asking
    asking = []
    const texts = await takeAll(pool, all.map(({ device }) => device)).catch((error: unknown) => {
      log.warn({ err: error }, 'commands wait')
      return new Map<string, string>()
    })
    for (const { device: { deviceId }, settle } of all) {
      settle(texts.get(deviceId))
      // Of two reports at once one carries it home.
      texts.delete(deviceId)
    }
  }
  return (device) => new Promise((settle) => {
    if (asking.push({ device, settle }) === 1) setTimeout(() => void answer(), gatherMs)
  })
}

/** Text of the oldest command of each device that has one; skips what another process is taking. */
async function takeAll(pool: GeoPools['ingest'], devices: readonly KnownDevice[]): Promise<Map<string, string>> {
  const own = [...new Map(devices.map((device) => [device.deviceId, device])).values()]
  const { rows } = await pool.query<{ deviceId: string, type: string, parameters: DeviceCommand['parameters'] }>({
    name: 'geo take commands',
    text: `update geo.command set "state" = 'sent', "sentAt" = now(), "attempts" = "attempts" + 1
      where ("companyId", "id") in (select w."companyId", w."id" from unnest($1::uuid[], $2::uuid[]) t(c, d) cross join lateral (
        select "companyId", "id" from geo.command where "companyId" = t.c and "deviceId" = t.d and "state" = 'queued' and "expiresAt" > now() order by "id" limit 1 for update skip locked) w)
      returning "deviceId", "type", "parameters"`,
    values: [own.map(({ companyId }) => companyId), own.map(({ deviceId }) => deviceId)],
  })
  return new Map(rows.map(({ deviceId, type, parameters }) => [deviceId, String(parameters.data ?? type)]))
}
