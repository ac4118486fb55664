import { sql } from '@outpost/platform/db/sql'
import { maintenanceDue, type DueAt } from '@outpost/rules/fleet/maintenance'
import { chunk } from 'es-toolkit/array/chunk'
import { z } from 'zod'
import { companyDay } from '../../../kernel/days.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { idsInAnAddress } from '../assets/asset-devices.ts'
import { askGeo } from '../calls/ask-geo.ts'

export interface Due extends DueAt {
  planId: string
  plan: string
  assetId: string
  registration: string
  branch: string
  responsibleUserId: string
  odometer: number | null
  engineHours: number | null
  lastDone: string | null
  /** How often it was done. */
  entries: number
}

interface Planned {
  planId: string
  plan: string
  everyKm: number | null
  everyHours: number | null
  everyDays: number | null
  responsibleUserId: string
  assetId: string
  registration: string
  branch: string
  odometer: number | null
  engineHours: number | null
  begun: string
  doneOn: string | null
  doneKm: number | null
  doneHours: number | null
  entries: number
}

const measuredShape = z.object({ measured: z.array(z.object({ assetId: z.string(), metres: z.number(), engineSeconds: z.number() })) })

/** When each active plan is due for each of its vehicles that the caller sees: the reading of its dashboard, and what its trackers measured since. */
export async function maintenanceOf(
  client: GeoClient,
  ctx: Ctx,
  { branch, responsibleUserId }: { branch?: string | undefined; responsibleUserId?: string } = {},
): Promise<Due[]> {
  const planned = await plannedOf(ctx, branch, responsibleUserId)
  if (planned.length === 0) return []
  const assetIds = [...new Set(planned.map(({ assetId }) => assetId))]
  const answers = await Promise.all(
    chunk(assetIds, idsInAnAddress).map((some) =>
      askGeo(client, ctx, 'assets.measured', { query: { assetIds: some.join(',') }, shape: measuredShape }),
    ),
  )
  const measured = new Map(answers.flatMap(({ data }) => data.measured.map((one) => [one.assetId, one] as const)))
  const today = companyDay(ctx)
  return planned.map((one) => {
    const more = measured.get(one.assetId)
    const now = {
      km: reading(one.odometer, more && more.metres / 1_000),
      hours: reading(one.engineHours, more && more.engineSeconds / 3_600),
    }
    const last = { km: one.doneKm, hours: one.doneHours, on: one.doneOn ?? one.begun }
    const { planId, plan, assetId, registration, branch: filed, responsibleUserId: who, entries } = one
    return {
      ...maintenanceDue(one, { last, now, today }),
      planId,
      plan,
      assetId,
      registration,
      branch: filed,
      responsibleUserId: who,
      odometer: now.km,
      engineHours: now.hours,
      lastDone: one.doneOn,
      entries,
    }
  })
}

/** Nobody knows the reading of a vehicle that was never read and has no tracker. */
function reading(read: number | null, measured: number | undefined): number | null {
  if (read === null && measured === undefined) return null
  return Math.round(((read ?? 0) + (measured ?? 0)) * 10) / 10
}

function plannedOf({ sql: reader, company }: Ctx, branch: string | undefined, responsibleUserId: string | undefined): Promise<Planned[]> {
  const within = branch === undefined ? sql`true` : sql`b."path" @> array[${branch}::uuid]`
  const mine = responsibleUserId === undefined ? sql`true` : sql`p."responsibleUserId" = ${responsibleUserId}::uuid`
  return reader.query<Planned & Record<string, unknown>>(sql`
    select p."id" as "planId", p."name" as plan, p."everyKm", p."everyHours", p."everyDays", p."responsibleUserId", a."id" as "assetId", a."registrationNumber" as registration, b."name" as branch,
      a."odometer"::float8 as odometer, a."engineHours"::float8 as "engineHours", to_char(p."dateCreated" at time zone ${company.timeZone}, 'YYYY-MM-DD') as begun,
      to_char(e."doneOn", 'YYYY-MM-DD') as "doneOn", e."odometer"::float8 as "doneKm", e."engineHours"::float8 as "doneHours", coalesce(n.entries, 0) as entries
    from maintenance_plan p
      join asset a on a."companyId" = p."companyId" and (a."id" = p."assetId" or a."categoryId" = p."categoryId") and a."deletedAt" is null and a."status" <> 'Sold'
      join tenant b on b."companyId" = a."companyId" and b."id" = a."tenantId"
      left join lateral (select count(*)::int as entries from maintenance_entry e where e."companyId" = p."companyId" and e."planId" = p."id" and e."assetId" = a."id" and e."deletedAt" is null) n on true
      left join lateral (select e."doneOn", e."odometer", e."engineHours" from maintenance_entry e where e."companyId" = p."companyId" and e."planId" = p."id" and e."assetId" = a."id"
        and e."deletedAt" is null order by e."doneOn" desc, e."id" desc limit 1) e on true
    where p."companyId" = ${company.id}::uuid and p."deletedAt" is null and p."isActive" and ${within} and ${mine}
    order by a."registrationNumber", p."name", p."id"`)
}
