import { transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { sql } from '@outpost/platform/db/sql'
import { storableAttributes, storableText } from '../validate-fix.ts'
import type { Feed } from '../identity.ts'
import { readNumber, toKph } from '../values.ts'
import type { ParsedList, TraccarDevice, TraccarGroup } from './records.ts'
import { groupsOf } from './import-links.ts'

export interface ImportedDevices {
  /** Identities that this import registered. */
  made: string[]
  skipped: { kind: 'device' | 'group'; traccarId: number | null; message: string }[]
}

/** The same identities may be registered by hand. */
const identity = /^[\w.:@+-]{1,128}$/
const maxDevices = 50_000

/**
 * Registers those devices of a Traccar server that are not registered here: in the branch below the feed's tenant that has the name of
 * their group (the nearest one), else in the feed's tenant; the attribute `group` keeps the name. Devices that were deleted here stay
 * deleted, and an identity that belongs to another company stays there.
 */
export async function importDevices(
  pool: GeoPools['geo'],
  { feed, server, devices, groups }: { feed: Feed; server: string; devices: ParsedList<TraccarDevice>; groups: ParsedList<TraccarGroup> },
): Promise<ImportedDevices> {
  const skipped: ImportedDevices['skipped'] = [
    ...devices.skipped.map((one) => ({ kind: 'device' as const, ...one })),
    ...groups.skipped.map((one) => ({ kind: 'group' as const, ...one })),
  ]
  const fit = devices.rows.slice(0, maxDevices).filter(({ uniqueId, traccarId }) => {
    if (identity.test(uniqueId)) return true
    skipped.push({ kind: 'device', traccarId, message: 'Its identifier may hold letters, digits and . : @ + - _' })
    return false
  })
  const { made, present } = await insert(
    pool,
    feed,
    fit.map((device) =>
      columnsOf(
        device,
        server,
        groupsOf(device, groups.rows).map(({ name }) => name),
      ),
    ),
  )
  for (const { uniqueId, traccarId } of fit) {
    if (!present.has(uniqueId))
      skipped.push({ kind: 'device', traccarId, message: 'Its identifier is registered elsewhere, or was removed here' })
  }
  return { made, skipped }
}

const text = (value: string | null | undefined, longest: number) => (value ? storableText(value.slice(0, longest)) : null)

function columnsOf(
  { traccarId, uniqueId, words, contact, isDisabled, attributes }: TraccarDevice,
  server: string,
  groups: readonly string[],
) {
  const limit = toKph(readNumber(attributes.speedLimit), 'kn')
  return {
    uniqueId,
    name: text(words.name, 120) ?? uniqueId,
    model: text(words.model, 80),
    phone: text(words.phone, 40),
    category: text(words.category, 40),
    contact: text(contact, 120),
    disabled: isDisabled,
    groups: groups.map((name) => text(name, 200)),
    attributes: {
      ...storableAttributes(attributes),
      ...(limit === null ? {} : { speedLimit: limit }),
      ...(groups.length > 0 ? { group: text(groups.toReversed().join(' / '), 400) } : {}),
      traccarId: `${server}/${traccarId}`,
    },
  }
}

function insert(
  pool: GeoPools['geo'],
  { companyId, feedId }: Feed,
  rows: object[],
): Promise<{ made: string[]; present: ReadonlySet<string> }> {
  return transactionIn(
    pool,
    { company: companyId, scope: '*', user: null, tenant: null },
    async (own) => {
      const made = await own.query<{ uniqueId: string }>(sql`
      insert into geo.device ("companyId", "tenantId", "uniqueId", "name", "model", "phone", "category", "contact", "disabled", "attributes")
      select f."companyId", coalesce(branch."id", f."tenantId"), r."uniqueId", r."name", r."model", r."phone", r."category", r."contact", r."disabled", r."attributes"
      from geo.feed f cross join jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        r("uniqueId" text, "name" text, "model" text, "phone" text, "category" text, "contact" text, "disabled" boolean, "groups" text[], "attributes" jsonb)
      left join lateral (
        select t."id" from unnest(r."groups") with ordinality g("name", "level")
        join public.tenant t on t."companyId" = f."companyId" and f."tenantId" = any(t."path") and upper(t."name") = upper(g."name")
        order by g."level", cardinality(t."path"), t."id" limit 1) branch on true
      where f."companyId" = ctx.company() and f."id" = ${feedId}
        and not exists (select from geo.device d where d."companyId" = f."companyId" and d."uniqueId" = r."uniqueId")
      on conflict do nothing returning "uniqueId"`)
      const there = await own.query<{ uniqueId: string }>(sql`
      select "uniqueId" from geo.device where "companyId" = ctx.company() and "deletedAt" is null
        and "uniqueId" in (select r."uniqueId" from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) r("uniqueId" text))`)
      return { made: made.map(({ uniqueId }) => uniqueId), present: new Set(there.map(({ uniqueId }) => uniqueId)) }
    },
    { retry: true },
  )
}
