import { transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import { readShape } from '../../fences/read-shape.ts'
import { rowOfShape } from '../../fences/row.ts'
import { storableAttributes, storableText } from '../validate-fix.ts'
import type { Feed } from '../identity.ts'
import type { TraccarDriver, TraccarFence } from './records.ts'
import type { TraccarClient } from './rest.ts'

export interface ImportedRecords {
  fences: number
  drivers: number
  /** What was not imported, with the reason. */
  skipped: { kind: 'fence' | 'driver'; traccarId: number | null; message: string }[]
}

/**
 * Imports fences and drivers of a Traccar server into the tenant of its feed, each once: what was changed or deleted here since then
 * stays so. `server` (its host) distinguishes the records of two servers.
 */
export async function importRecords(
  client: Pick<TraccarClient, 'fences' | 'drivers'>,
  { pool, feed, server }: { pool: GeoPools['geo']; feed: Feed; server: string },
): Promise<ImportedRecords> {
  const [fences, drivers] = [await client.fences(), await client.drivers()]
  const skipped: ImportedRecords['skipped'] = [
    ...fences.skipped.map((one) => ({ kind: 'fence' as const, ...one })),
    ...drivers.skipped.map((one) => ({ kind: 'driver' as const, ...one })),
  ]
  const rows = fences.rows.flatMap((fence) => {
    const { shape, problems } = readShape({ area: fence.area, radius: fence.routeWidth ?? undefined })
    if (problems) skipped.push({ kind: 'fence', traccarId: fence.traccarId, message: problems.map(({ message }) => message).join('; ') })
    return shape ? [{ ...rowOfShape(shape), ...fenceColumns(fence, server) }] : []
  })
  const counts = await insertAll(pool, feed, { fences: rows, drivers: drivers.rows.map((driver) => driverColumns(driver, server)) })
  return { ...counts, skipped }
}

const sourceOf = (server: string, traccarId: number) => ({ traccarId: `${server}/${traccarId}` })
const maxNameLength = 200
const text = (value: string) => storableText(value.slice(0, maxNameLength))

function fenceColumns({ traccarId, name, description, speedLimit, attributes: { color, ...attributes } }: TraccarFence, server: string) {
  return {
    name: text(name),
    description: description === null ? null : storableText(description.slice(0, 1_000)),
    speedLimit: speedLimit !== null && speedLimit >= 1 && speedLimit <= 300 ? speedLimit : null,
    colour: typeof color === 'string' && /^#[0-9a-f]{6}$/i.test(color) ? color : null,
    attributes: { ...storableAttributes(attributes), ...sourceOf(server, traccarId) },
  }
}

const driverColumns = ({ traccarId, uniqueId, name, attributes }: TraccarDriver, server: string) => ({
  name: text(name),
  uniqueId: storableText(uniqueId),
  attributes: { ...storableAttributes(attributes), ...sourceOf(server, traccarId) },
})

function insertAll(
  pool: GeoPools['geo'],
  { companyId, feedId }: Feed,
  { fences, drivers }: { fences: object[]; drivers: object[] },
): Promise<{ fences: number; drivers: number }> {
  return transactionIn(
    pool,
    { company: companyId, scope: '*', user: null, tenant: null },
    async (own) => {
      // Without this lock, two processes that start together would both find nothing and insert twice.
      await own.query(sql`select pg_advisory_xact_lock(hashtext('traccar take-over'))`)
      return {
        fences: await own.exec(sql`
        insert into geo.geofence ("companyId", "tenantId", "type", "shape", "name", "description", "area", "radius", "squareMetres", "edgeMetres", "colour", "speedLimit", "attributes")
        select f."companyId", f."tenantId", r."type", r."shape", r."name", r."description", r."area", r."radius", r."squareMetres", r."edgeMetres", r."colour", r."speedLimit", r."attributes"
        from geo.feed f, jsonb_to_recordset(${JSON.stringify(fences)}::jsonb) r("type" text, "shape" text, "name" text, "description" text, "area" jsonb, "radius" float8, "squareMetres" float8, "edgeMetres" float8, "colour" text, "speedLimit" real, "attributes" jsonb)
        where f."companyId" = ctx.company() and f."id" = ${feedId}
          and not exists (select 1 from geo.geofence g where g."companyId" = f."companyId" and g."attributes" ->> 'traccarId' = r."attributes" ->> 'traccarId')`),
        drivers: await own.exec(sql`
        insert into geo.driver ("companyId", "tenantId", "name", "uniqueId", "attributes")
        select f."companyId", f."tenantId", r."name", r."uniqueId", r."attributes"
        from geo.feed f, jsonb_to_recordset(${JSON.stringify(drivers)}::jsonb) r("name" text, "uniqueId" text, "attributes" jsonb)
        where f."companyId" = ctx.company() and f."id" = ${feedId}
          and not exists (select 1 from geo.driver d where d."companyId" = f."companyId" and d."attributes" ->> 'traccarId' = r."attributes" ->> 'traccarId')
        on conflict do nothing`),
      }
    },
    { retry: true },
  )
}
