import { fail, Failure } from '@outpost/contract/errors'
import { join, identifier, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { requireWholeCompany, usersInReach } from '../session/reach.ts'
import type { AnyResource, Ctx, FieldDefinition, HeldRule } from '../types.ts'
import { resourceNamed } from './define.ts'
import { isReference, linesOf, type Lines } from '../relations/relations.ts'
import type { LineRow } from '../relations/write-lines.ts'
import type { Batch, Related, Writing } from './writing.ts'
import { prepared } from '@outpost/platform/db/prepared'
import { visibleRows } from './read/query.ts'
import type { Columns } from './write.ts'

/** A reference that a change sets: which field, to what, and the ids it did not hold before. */
interface Reference {
  writing: Writing
  field: string
  target: AnyResource
  ids: readonly string[]
  /** It is shown with the record: what the caller does not see is not named. */ isSeen?: boolean
  isCompanyWide?: boolean | undefined
}

/**
 * Refusals of changes whose references point to no living record of the company, or, where records are not cut by tenant
 * already, to one beyond the caller's reach; users must be active as well. One statement for users, one for all others.
 */
export async function findReferenceFailures({ ctx, resource }: Batch, writings: readonly Writing[]): Promise<Map<Writing, Failure>> {
  const references = writings.flatMap((writing) => referencesOf(resource, writing))
  const [users, others] = [references.filter(({ target }) => isUser(target)), references.filter(({ target }) => !isUser(target))]
  const isWide = ({ isCompanyWide }: Reference) => isCompanyWide === true
  const reached = await usersInReach(ctx, idsOf(users.filter((user) => !isWide(user))))
  const known = await usersInReach({ ...ctx, scope: '*' }, idsOf(users.filter(isWide)))
  const missing = await findMissing(ctx, others)
  const failures = new Map<Writing, Failure>()
  for (const [writing, own] of Map.groupBy(references, (reference) => reference.writing)) {
    const inactive = own.find((one) => isUser(one.target) && one.ids.some((id) => !(isWide(one) ? known : reached).has(id)))
    const gone = own.filter(({ field, ids }) => ids.some((id) => missing.get(field)?.has(id)))
    const fields = inactive
      ? [{ field: inactive.field, message: `is not an active user${isWide(inactive) ? '' : ' in your reach'}` }]
      : gone.map(({ field }) => ({ field, message: 'does not exist' }))
    if (fields.length > 0) failures.set(writing, new Failure('INVALID', { fields }))
  }
  return failures
}

/** Refuses to remove records that something else needs (held); of what is merged, all that needs it went to the other record before. */
export async function findHeldFailures({ ctx, resource: { held } }: Batch, writings: readonly Writing[]): Promise<Map<Writing, Failure>> {
  const removals = writings.filter(({ change }) => change.kind === 'remove' && !change.isMerged)
  if (!held || removals.length === 0) return new Map()
  const named = new Map(removals.map((writing) => [writing.id, writing]))
  const rows = await ctx.sql.query<{ id: string }>(prepared(held.find(ctx, [...named.keys()]), 'write'))
  return new Map(rows.map(({ id, ...found }) => [named.get(id) as Writing, heldFailure(held, found)] as const))
}
const heldFailure = ({ message }: HeldRule, details: Readonly<Record<string, unknown>>) =>
  new Failure('STILL_IN_USE', typeof message === 'string' ? { message } : { message: message(details), details })

const isUser = ({ one }: AnyResource) => one === 'user'
const idsOf = (references: readonly Reference[]) => references.flatMap(({ ids }) => ids)

function referencesOf(resource: AnyResource, writing: Writing): Reference[] {
  return Object.entries(writing.given).flatMap(([field, value]) => {
    const lines = linesOf(resource, field)
    if (lines) return lineReferences(lines, writing)
    return referenceOf(resource.fields[field], { value, before: writing.before?.[field] }).map((found) => ({ writing, field, ...found }))
  })
}

/** What a field refers to anew: none where it is no reference, or names what it did before. */
function referenceOf(field: FieldDefinition | undefined, { value, before }: { value: unknown; before: unknown }) {
  if (field?.to === undefined || !(isReference(field) || field.kind === 'multiReference')) return []
  const [target, held] = [resourceNamed(field.to), [before].flat()]
  const given = [value].flat().flatMap((id) => (typeof id === 'string' ? [id.toLowerCase()] : []))
  const ids = given.filter((id) => !held.includes(id))
  // What another service keeps is refused there: there is no table of it here.
  return target && !target.remote && ids.length > 0
    ? [{ target, ids, isSeen: field.through !== undefined, isCompanyWide: field.isCompanyWide }]
    : []
}

/** References of lines, each under the name of its line and field. */
function lineReferences({ field, of, by }: Lines, writing: Writing): Reference[] {
  const { before = [], after = [] } = (writing.related?.[field] ?? {}) as Partial<Related<LineRow>>
  const present = new Map(before.map((row) => [row.id, row]))
  const fields = Object.entries(of.fields).filter(([key]) => key !== by)
  return after.flatMap((row, place) =>
    fields.flatMap(([key, one]) =>
      referenceOf(one, { value: row[key], before: present.get(row.id)?.[key] }).map((found) => ({
        writing,
        field: `${field}.${place}.${key}`,
        ...found,
      })),
    ),
  )
}

/** Ids that point to nothing, by field. */
async function findMissing(ctx: Ctx, references: readonly Reference[]): Promise<Map<string, Set<string>>> {
  if (references.length === 0) return new Map()
  // Fields of one target are asked together, so that the text of the statement does not grow with the lines.
  const groups = [...Map.groupBy(references, ({ target, isSeen }) => `${target.one} ${isSeen === true}`)]
  const checks = groups.map(([key, group]) => {
    const [{ target, isSeen }, ids] = [group[0] as Reference, [...new Set(group.flatMap((one) => one.ids))]]
    return sql`select ${key}::text as key, w.id from unnest(${ids}::uuid[]) w(id)
      where not exists (select 1 from ${identifier(target.table)} t where ${isSeen ? visibleRows(ctx, target) : referable(ctx, target)} and t."id" = w.id)`
  })
  const rows = await ctx.sql.query<{ key: string; id: string }>(prepared(join(checks, ' union all '), 'write'))
  const missing = new Map([...Map.groupBy(rows, ({ key }) => key)].map(([key, group]) => [key, new Set(group.map(({ id }) => id))]))
  return new Map(groups.flatMap(([key, group]) => group.map(({ field }) => [field, missing.get(key) ?? new Set<string>()] as const)))
}

/** What a reference may point to. Settings filed under a tenant above the caller's are everybody's below it. */
const referable = (ctx: Ctx, target: AnyResource): Statement =>
  target.isScoped
    ? sql`t."companyId" = ${ctx.company.id}::uuid ${trusted(target.isSoftDeleted ? 'and t."deletedAt" is null' : '')}`
    : visibleRows(ctx, target)

/** Fails unless the caller's reach holds what the resource says of its writers (writtenBy): of the record before and after. */
export function refuseBeyondReach(ctx: Ctx, resource: AnyResource, ...records: readonly Columns[]): void {
  const { isScoped, writtenBy, one } = resource
  if (isScoped || writtenBy === 'prepared') return
  if (writtenBy === undefined) throw new Error(`${one} is written, but says nothing of whose reach its writers need: writtenBy`)
  if (ctx.scope === '*') return
  if (writtenBy === 'company') return requireWholeCompany(ctx)
  for (const record of records) {
    const named = writtenBy.flatMap((field) =>
      typeof record[field] === 'string' ? [{ field, tenantId: record[field].toLowerCase() }] : [],
    )
    if (named.length === 0) requireWholeCompany(ctx)
    const beyond = named.filter(({ tenantId }) => !ctx.scope.includes(tenantId))
    if (beyond.length > 0) fail('FORBIDDEN', { fields: beyond.map(({ field }) => ({ field, message: 'lies outside your reach' })) })
  }
}
