import { isDeepStrictEqual } from 'node:util'
import { fail } from '@outpost/contract/errors'
import { appendAudit } from '@outpost/platform/audit'
import { pgConstraint } from '@outpost/platform/db/errors'
import { identifier, join, sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { Answer, GeoCtx } from '../types.ts'
import { requirePeople } from './people.ts'
import { readRecord } from './read.ts'
import { tableOf, type Columns, type GeoResource, type Input } from './resource.ts'

/** Creates a record, by default under the tenant chosen in the console. Returns the record. */
export const createRecord = (ctx: GeoCtx, resource: GeoResource, input: Input): Promise<Answer> =>
  ctx.transaction(async (db) => ({ data: { [resource.one]: await insertRecord(ctx, db, resource, input) } }))

/** The same in a transaction that is open. */
export function insertRecord(ctx: GeoCtx, db: Sql, resource: GeoResource, input: Input): Promise<Record<string, unknown>> {
  const { caller } = ctx
  return nameDuplicates(resource, async () => {
    await requireTenant(ctx, db, input)
    if (typeof input.userId === 'string') await requirePeople(ctx, db, { ids: [input.userId] })
    const columns: Columns = {
      companyId: caller.company,
      tenantId: caller.tenant,
      createdUserId: caller.user,
      ...(await resource.columns({ ctx, sql: db, input, before: undefined })),
    }
    const names = Object.keys(columns)
    const { id } = await db.one<{ id: string }>(sql`
      insert into ${tableOf(resource)} (${join(names.map((name) => identifier(name)))}) values (${join(names.map((name) => columns[name]))}) returning "id"`)
    const record = await readRecord(ctx, resource, id, db)
    await writeAudit(ctx, db, { act: 'create', objectType: resource.one, objectId: id, after: record })
    return record
  })
}

/** Updates the given fields. A `version` other than the stored one is a CONFLICT. */
export async function updateRecord(ctx: GeoCtx, resource: GeoResource, { id, version, ...input }: Input & { id: string }): Promise<Answer> {
  return nameDuplicates(resource, () =>
    ctx.transaction(async (db) => {
      const before = await locked(ctx, db, resource, id)
      if (version !== undefined && version !== before.version) fail('CONFLICT', { details: { version: before.version } })
      await requireTenant(ctx, db, input)
      if (typeof input.userId === 'string') await requirePeople(ctx, db, { ids: [input.userId], before: before.userId })
      const columns = await resource.columns({ ctx, sql: db, input, before })
      const sets = Object.entries(columns).map(([name, value]) => sql`${identifier(name)} = ${value}`)
      await db.exec(sql`update ${tableOf(resource)} t set ${join([...sets, sql`"version" = t."version" + 1`, sql`"dateModified" = now()`])}
      where t."companyId" = ${ctx.caller.company} and t."id" = ${id}`)
      const record = await readRecord(ctx, resource, id, db)
      // An unchanged value is no change. A write-only field (a token) always counts as changed, because the stored value is not shown.
      const isChanged = Object.entries(input).some(([key, value]) => !Object.hasOwn(before, key) || !isDeepStrictEqual(before[key], value))
      if (isChanged) await writeAudit(ctx, db, { act: 'update', objectType: resource.one, objectId: id, before, after: record })
      return { data: { [resource.one]: record } }
    }),
  )
}

/** Marks a record as deleted; what refers to it stays. */
export async function removeRecord(ctx: GeoCtx, resource: GeoResource, id: string): Promise<Answer> {
  return ctx.transaction(async (db) => {
    const before = await locked(ctx, db, resource, id)
    await db.exec(sql`update ${tableOf(resource)} t set "deletedAt" = now(), "dateModified" = now(), "version" = t."version" + 1
      where t."companyId" = ${ctx.caller.company} and t."id" = ${id}`)
    await writeAudit(ctx, db, { act: 'remove', objectType: resource.one, objectId: id, before })
    return { data: { id } }
  })
}

/** A record may be filed under any tenant in the caller's reach. */
async function requireTenant({ caller }: GeoCtx, db: Sql, { tenantId }: Input): Promise<void> {
  if (typeof tenantId !== 'string') return
  const isInReach = caller.scope === '*' || caller.scope.includes(tenantId)
  const tenant = isInReach
    ? await db.maybe(sql`select from public.tenant where "companyId" = ${caller.company} and "id" = ${tenantId}`)
    : undefined
  if (!tenant) fail('INVALID', { fields: [{ field: 'tenantId', message: 'is not there' }] })
}

/** Turns a unique violation into INVALID with the name of the field. */
async function nameDuplicates<Result>(resource: GeoResource, write: () => Promise<Result>): Promise<Result> {
  try {
    return await write()
  } catch (error) {
    const field = resource.unique?.[pgConstraint(error) ?? '']
    if (field === undefined) throw error
    return fail('ALREADY_EXISTS', { fields: [{ field, message: 'is in use already' }] })
  }
}

/** Reads the record and locks it until the end of the transaction. */
async function locked(ctx: GeoCtx, db: Sql, resource: GeoResource, id: string): Promise<Record<string, unknown>> {
  await db.exec(sql`select from ${tableOf(resource)} t where t."companyId" = ${ctx.caller.company} and t."id" = ${id} for update`)
  return readRecord(ctx, resource, id, db)
}

export interface Act {
  act: string
  objectType: string
  objectId: string
  before?: unknown
  after?: unknown
}

/** Appends to the company's audit chain who did what. Must be the last step of the transaction, because it takes the chain's lock. */
export async function writeAudit({ caller, requestId }: GeoCtx, db: Sql, { act, ...entry }: Act): Promise<void> {
  await appendAudit(db, {
    companyId: caller.company,
    userId: caller.user,
    realUserId: caller.realUser,
    requestId,
    action: `geo.${entry.objectType}.${act}`,
    ...entry,
  })
}
