import { resolve } from 'node:path'
import type { Program } from '../../../scripts/start/program.ts'
import { createMake, type MadeTenant } from '../../support/make.ts'
import { freePort } from '../../support/port.ts'
import type { House } from './house.ts'

export interface Fleet {
  company: MadeTenant
  /** E-mail of a person who sees all of it. */
  email: string
  /** The server with the geo service behind it, and the port trackers report to. */
  url: string
  port: number
  /** Assets and their devices in the order of their number. */
  assets: readonly { assetId: string; deviceId: string }[]
  imeiOf: (n: number) => string
  stop(): Promise<void>
}

/** A company with so many assets that drove about Nairobi a minute ago, each with a tracker; a server and a geo service of their own. */
export async function openFleet(house: House, count: number): Promise<Fleet> {
  const make = createMake(house)
  const company = await make.company()
  const prefix = '37'
  await house.admin.query(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") select $1, $1, '${prefix}' || lpad(n::text, 13, '0'), 'Tracker ' || n from generate_series(0, $2::int - 1) n`,
    [company.id, count],
  )
  await house.admin.query(
    `insert into asset ("companyId", "id", "tenantId", "registrationNumber", "make") select $1, gen_random_uuid(), $1, 'KMB ' || lpad(n::text, 5, '0'), 'Toyota' from generate_series(0, $2::int - 1) n`,
    [company.id, count],
  )
  await house.admin.query('analyze geo.device; analyze asset')
  await house.admin.query(
    `insert into geo.device_asset ("companyId", "deviceId", "assetId", "since") select $1, d."id", a."id", now() - interval '1 year'
    from geo.device d join asset a on a."companyId" = d."companyId" and right(a."registrationNumber", 5) = right(d."uniqueId", 5) where d."companyId" = $1`,
    [company.id],
  )
  // Spread like a town with its surroundings: many in the middle, some far out.
  await house.admin.query(
    `insert into geo.latest ("companyId", "deviceId", "fixTime", "deviceTime", "latitude", "longitude", "speed", "course", "isValid", "attributes", "state", "stateTime")
    select $1, "id", now(), now(), -1.28 + sin(n) * (n % 97)^2 * 0.00012, 36.82 + cos(n) * (n % 89)^2 * 0.00014, 20 + n % 60, n % 360, true, a, a, now()
    from (select "id", right("uniqueId", 5)::int as n, '{"sat":11,"ignition":true,"motion":true,"rssi":4,"power":13.8,"battery":4.1,"odometer":1000000,"hdop":0.8}'::jsonb as a from geo.device where "companyId" = $1) d`,
    [company.id],
  )
  await house.admin.query('analyze geo.latest; analyze geo.device_asset')
  const { rows } = await house.admin.query<{ assetId: string; deviceId: string }>(
    `select a."assetId", a."deviceId" from geo.device_asset a join geo.device d on d."companyId" = a."companyId" and d."id" = a."deviceId" where a."companyId" = $1 order by d."uniqueId"`,
    [company.id],
  )
  const { emailAddress: email } = await make.user({ company, role: 'admin' })
  const port = await freePort()
  const geo = await house.startGeo({ DEVICE_PORTS: `teltonika:${port}`, DEVICE_HOST: '127.0.0.1', DEVICES_PER_ADDRESS: '20000' })
  const server: Program & { url: string } = await house.startServer(resolve(import.meta.dirname, '../../..'), { GEO_URL: geo.url })
  return {
    company,
    email,
    url: server.url,
    port,
    assets: rows,
    imeiOf: (n) => `${prefix}${String(n).padStart(13, '0')}`,
    stop: async () => {
      await server.stop()
      await geo.stop()
    },
  }
}
