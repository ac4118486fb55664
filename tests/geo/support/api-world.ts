import { randomUUID } from 'node:crypto'
import type { Answer, SignedInClient } from '../../support/app.ts'
import type { MadeTenant } from '../../support/make.ts'
import { geoStack, type GeoStack } from './stack.ts'

/** A company with a branch, a company beside it, and callers of both, before the calls of the geo service. */
export interface GeoWorld {
  stack: GeoStack
  company: MadeTenant
  stranger: MadeTenant
  branch: MadeTenant
  admin: SignedInClient
  second: SignedInClient
  foreign: SignedInClient
  /** Sees one branch only. */
  local: SignedInClient
  /** May look, and change nothing. */
  viewer: SignedInClient
  /** Runs SQL as the owner of the database. */
  sent: GeoStack['app']['database']['admin']['query']
  makeDevice: (who?: SignedInClient, more?: object) => Promise<string>
  /** Positions of a device, each so many seconds ago; the newest also as the latest. Gives their times. */
  drive: (deviceId: string, points: readonly Point[], of?: MadeTenant) => Promise<number[]>
}
interface Point {
  ago: number
  latitude?: number | null
  longitude?: number | null
  speed?: number
  isValid?: boolean
  attributes?: object
}

/** What the administrators and the caller of one branch may do. */
export const everything = [
  'ADMIN/LOCATIONS',
  'ADMIN/LOCATIONS/CREATE',
  'ADMIN/LOCATIONS/EDIT',
  'ADMIN/LOCATIONS/DELETE',
  'SALES/AGENT/POSITION',
  'SALES/AGENTS/HISTORY',
  'ADMIN/SETTINGS',
]

export async function makeGeoWorld(): Promise<GeoWorld> {
  const stack = await geoStack()
  const { make } = stack.app
  const user = async (of: MadeTenant, tenant: MadeTenant, permissions: string[]) =>
    stack.app.as(await make.user({ company: of, tenant, role: await make.role({ company: of, name: randomUUID(), permissions }) }), {
      tenant,
    })
  const [company, stranger] = [await make.company(), await make.company()]
  const branch = await make.tenant({ company })
  const admin = await user(company, company, everything)
  const sent = ((rows: string, values: unknown[]) => stack.app.database.admin.query(rows, values)) as GeoWorld['sent']
  return {
    stack,
    company,
    stranger,
    branch,
    admin,
    second: await user(company, company, everything),
    foreign: await user(stranger, stranger, everything),
    local: await user(company, branch, everything),
    viewer: await user(company, company, ['SALES/AGENT/POSITION']),
    sent,
    makeDevice: async (who = admin, more = {}) =>
      idOf(await who.post('/geo/devices', { uniqueId: newIdentity(), name: 'KDA 001A', ...more }), 'geoDevice'),
    drive: (deviceId, points, of = company) => drive(sent, { deviceId, companyId: of.id }, points),
  }
}

let identity = 350_000_000_000_000
/** An identity that no device has yet. */
export const newIdentity = (): string => String((identity += 1))
export const idOf = (answer: Answer, one: string) => (answer.body.data[one] as { id: string }).id
export const rowsOf = (answer: Answer, many: string) => answer.body.data[many] as Record<string, unknown>[]

async function drive(
  sent: GeoWorld['sent'],
  { deviceId, companyId }: { deviceId: string; companyId: string },
  points: readonly Point[],
): Promise<number[]> {
  const now = Math.floor(Date.now() / 1_000) * 1_000
  const rows = points.map(
    ({ ago, latitude = -1.2864, longitude = 36.8172, speed = 0, isValid = true, attributes = {} }) =>
      [new Date(now - ago * 1_000), latitude, longitude, speed, isValid, JSON.stringify(attributes)] as const,
  )
  for (const row of rows)
    await sent(
      'insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "more") values ($1, $2, $3, $4, $5, $6, $7, $8)',
      [companyId, deviceId, ...row],
    )
  const newest = rows.toSorted((a, b) => b[0].getTime() - a[0].getTime())[0]!
  await sent(
    `insert into geo.latest ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "attributes") values ($1, $2, $3, $4, $5, $6, $7, $8)
    on conflict ("companyId", "deviceId") do update set "fixTime" = excluded."fixTime", "latitude" = excluded."latitude", "longitude" = excluded."longitude", "speed" = excluded."speed", "isValid" = excluded."isValid",
      "attributes" = excluded."attributes", "seq" = nextval('geo.latest_seq')`,
    [companyId, deviceId, ...newest],
  )
  return rows.map(([time]) => time.getTime())
}

export const square = {
  type: 'Polygon',
  coordinates: [
    [
      [36.8, -1.3],
      [36.9, -1.3],
      [36.9, -1.2],
      [36.8, -1.2],
      [36.8, -1.3],
    ],
  ],
}
