import { identifier, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { visibleRows } from '../resource/read/query.ts'
import { holdsAny } from '../session/permission.ts'
import type { Ctx } from '../types.ts'
import type { RelatedEntries } from './related-entries.ts'

/** The entries that areas hang into the history of a record, by its `one`: those that the caller sees. */
export function timelineOf(all: readonly RelatedEntries[]): (ctx: Ctx, one: string) => Statement[] {
  const hung = Map.groupBy(all, ({ on }) => on)
  return (ctx, one) => (hung.get(one) ?? []).filter(({ anyOf }) => holdsAny(ctx, ...anyOf)).map((entries) => entriesOf(ctx, entries))
}

const entriesOf = (ctx: Ctx, { resource, where, at, who, what, detail }: RelatedEntries): Statement => sql`
  select ${trusted(at)} as at, ${trusted(who)} as "userId", null::uuid as "realUserId", ${trusted(what)} as what, ${trusted(typeof detail === 'string' ? detail : detail(ctx.company))} as detail
  from ${identifier(resource.table)} t where ${'fields' in resource ? visibleRows(ctx, resource) : sql`t."companyId" = ${ctx.company.id}::uuid`} and ${trusted(where)}`
