import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Fix } from '../../../apps/geo/src/positions/fix.ts'
import type { KnownDevice } from '../../../apps/geo/src/ingest/identity.ts'

/** A company with one tenant: itself. Returns its id. */
export async function makeCompany(admin: pg.Pool): Promise<string> {
  const id = randomUUID()
  await admin.query(
    `insert into tenant ("companyId", "id", "type", "name", "shortCode", "path") values ($1, $1, 2, $2, $2, array[$1::uuid])`,
    [id, `company ${id}`],
  )
  return id
}

/** A device as the ways in know it, of a company of its own unless one is named. */
export async function makeDevice(
  admin: pg.Pool,
  { companyId, uniqueId = randomUUID(), tokenHash = null }: { companyId?: string; uniqueId?: string; tokenHash?: Buffer | null } = {},
): Promise<KnownDevice> {
  const company = companyId ?? (await makeCompany(admin))
  const { rows } = await admin.query<{ id: string }>(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name", "tokenHash") values ($1, $1, $2, $2, $3) returning "id"`,
    [company, uniqueId, tokenHash],
  )
  return {
    companyId: company,
    deviceId: rows[0]?.id ?? '',
    generation: 1,
    uniqueId,
    protocol: null,
    model: null,
    utcOffsetMinutes: null,
    userId: null,
    tokenHash,
  }
}

/** A valid fix in Nairobi at 40 km/h. */
export function fixAt(fixTime: number, more: Partial<Fix>): Fix {
  return {
    fixTime,
    deviceTime: fixTime,
    latitude: -1.28,
    longitude: 36.82,
    isValid: true,
    altitude: 1_661,
    speed: 40,
    course: 90,
    accuracy: null,
    attributes: {},
    ...more,
  }
}
