import { geoCalls } from '@outpost/contract/geo/calls'
import { sql } from '@outpost/platform/db/sql'
import type { Collateral } from '@outpost/rules/fleet/collateral'
import { addDays, timeAt } from '@outpost/rules/time-zone'
import { z } from 'zod'
import { companyDay } from '../../kernel/days.ts'
import type { GeoClient } from '../../kernel/geo-client/client.ts'
import { geoReportRows } from '../../kernel/geo-client/report-ticket.ts'
import type { Ctx } from '../../kernel/types.ts'
import type { OpenLoan } from '../loans/index.ts'
import type { Mounted } from './assets/asset-wire.ts'
import { devicesOfAssets } from './assets/asset-devices.ts'
import { askGeo } from './calls/ask-geo.ts'

/** The fleet, as this area reaches it. */
export interface FleetDoor {
  client: GeoClient
  url: string
}
export interface SecuredAsset {
  id: string
  registration: string
  /** Whose loans it secures: a borrower, who need not be its owner. */
  clientId: string
  loanIds: readonly string[]
}

/** Days that are searched for tampering and for fences that were left, and nights that say where a vehicle usually is. */
const searched = { tampering: 7, left: 30, nights: 28 }
const fences = z.object({ geofences: z.array(z.looseObject({ name: z.string(), tags: z.array(z.string()) })) })

/** The assets that the caller sees that secure a loan that runs: the one that is named, else all of its client. */
export function securedAssets({ sql: reader, company }: Ctx, loans: readonly OpenLoan[]): Promise<SecuredAsset[]> {
  const [loanIds, clientIds] = [loans.map(({ loanId }) => loanId), loans.map(({ clientId }) => clientId)]
  return reader.query<SecuredAsset>(sql`
    with open_loan as (select * from unnest(${loanIds}::uuid[], ${clientIds}::uuid[]) o("loanId", "clientId")),
      held as (select "id", "registrationNumber", "clientId", "loanId" from asset where "companyId" = ${company.id}::uuid and "deletedAt" is null and "status" <> 'Sold'),
      secures as (
        select a."id", a."registrationNumber", o."clientId", o."loanId" from held a join open_loan o on o."loanId" = a."loanId"
        union all
        select a."id", a."registrationNumber", o."clientId", o."loanId" from held a join open_loan o on o."clientId" = a."clientId" where a."loanId" is null)
    select "id", "registrationNumber" as "registration", "clientId", array_agg("loanId" order by "loanId") as "loanIds" from secures group by 1, 2, 3 order by 1`)
}

/** What the fleet knows of these assets, and the devices that are on them. */
export async function collateralFacts(
  ctx: Ctx,
  door: FleetDoor,
  assets: readonly SecuredAsset[],
  loans: readonly OpenLoan[],
): Promise<Collateral[]> {
  if (assets.length === 0) return []
  const today = companyDay(ctx)
  const [devices, tampering, left, nights] = await Promise.all([
    devicesOfAssets(
      door.client,
      ctx,
      assets.map(({ id }) => id),
    ),
    tamperingOf(ctx, door, today),
    leftBy(ctx, door, today),
    nightsOf(ctx, door, today),
  ])
  return assets.map(({ id, registration, clientId, loanIds }) => ({
    id,
    registration,
    clientId,
    ...presence(devices.get(id) ?? []),
    tampering: tampering.get(id) ?? [],
    left: left.get(id) ?? [],
    nights: nights.get(id) ?? [],
    daysPastDue: Math.max(0, ...loans.flatMap((loan) => (loanIds.includes(loan.loanId) ? [loan.daysPastDue] : []))),
  }))
}

function presence(devices: readonly Mounted[]): Pick<Collateral, 'hasTracker' | 'heardAt' | 'place' | 'isMoving'> {
  const heard = devices.flatMap(({ lastUpdate }) => (lastUpdate === null ? [] : [Date.parse(lastUpdate)]))
  const newest = devices
    .flatMap(({ position, state }) => (position ? [{ ...position, state }] : []))
    .toSorted((a, b) => b.fixTime.localeCompare(a.fixTime))
    .at(0)
  return {
    hasTracker: devices.length > 0,
    heardAt: heard.length > 0 ? Math.max(...heard) : null,
    place: newest ? { latitude: newest.latitude, longitude: newest.longitude } : null,
    isMoving: newest?.state === 'moving',
  }
}

type ByAsset<Fact> = Map<string, Fact[]>
const put = <Fact>(facts: ByAsset<Fact>, assetId: unknown, fact: Fact): void => {
  if (typeof assetId === 'string') facts.set(assetId, [...(facts.get(assetId) ?? []), fact])
}

async function tamperingOf(ctx: Ctx, { url }: FleetDoor, today: string): Promise<ByAsset<Collateral['tampering'][number]>> {
  const facts: ByAsset<Collateral['tampering'][number]> = new Map()
  const window = { from: addDays(today, -searched.tampering), to: today, places: false }
  for await (const { assetId, words, isOpen } of geoReportRows(ctx, url, 'tamper', window))
    put(facts, assetId, { words: String(words), isOpen: isOpen === true })
  return facts
}

/** Fences with the tag home or border that an asset left last and did not enter since. */
async function leftBy(ctx: Ctx, { client, url }: FleetDoor, today: string): Promise<ByAsset<Collateral['left'][number]>> {
  const facts: ByAsset<Collateral['left'][number]> = new Map()
  const { data } = await askGeo(client, ctx, 'geofences.list', {
    query: { size: '10000', sortField: 'name', sortOrder: 'ASC' },
    shape: fences,
  })
  const guarded = new Map(
    data.geofences.flatMap(({ name, tags }) => {
      const lower = tags.map((tag) => tag.toLowerCase())
      return lower.includes('border') || lower.includes('home') ? [[name, { isBorder: lower.includes('border') }] as const] : []
    }),
  )
  if (guarded.size === 0) return facts
  const told = new Set<string>()
  const query = { from: addDays(today, -searched.left), to: today, types: ['geofenceEnter', 'geofenceExit'], places: false }
  // The newest comes first: only the last word of each asset and fence counts.
  for await (const { assetId, geofence, type } of geoReportRows(ctx, url, 'events', query)) {
    const known = guarded.get(String(geofence))
    const key = `${String(assetId)} ${String(geofence)}`
    if (!known || told.has(key)) continue
    told.add(key)
    if (type === 'geofenceExit') put(facts, assetId, { fence: String(geofence), ...known })
  }
  return facts
}

/** Where each asset stood at two in the morning, the newest night first. */
async function nightsOf(ctx: Ctx, { url }: FleetDoor, today: string): Promise<ReadonlyMap<string, Collateral['nights'][number][]>> {
  const days = Array.from({ length: searched.nights }, (_, ago) => timeAt(addDays(today, -ago), 120, ctx.company.timeZone))
  const nights = new Map<string, Collateral['nights'][number][]>()
  const window = { from: addDays(today, -searched.nights), to: today, places: false }
  for await (const { assetId, startTime, endTime, latitude, longitude } of geoReportRows(ctx, url, 'stops', window)) {
    if (typeof assetId !== 'string' || typeof latitude !== 'number' || typeof longitude !== 'number') continue
    const [start, end] = [Date.parse(String(startTime)), endTime === null ? Date.now() : Date.parse(String(endTime))]
    const known = nights.get(assetId) ?? days.map(() => null)
    nights.set(
      assetId,
      known.map((place, index) => {
        const night = days[index] ?? 0
        return start <= night && night < end ? { latitude, longitude } : place
      }),
    )
  }
  return nights
}

/** Who follows vehicles may see where they are. */
export const mayWatch = geoCalls['positions.list'].anyOf
