import { identifier, sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { decimalsOf } from '@outpost/rules/currency'
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
  select ${trusted(at)} as at, ${trusted(who)} as "userId", null::uuid as "realUserId", ${trusted(what)} as what, ${detailOf(ctx, detail)} as detail
  from ${identifier(resource.table)} t where ${'fields' in resource ? visibleRows(ctx, resource) : sql`t."companyId" = ${ctx.company.id}::uuid`} and ${trusted(where)}`

/** An amount as KES 1,200.00. */
function detailOf({ company: { currency } }: Ctx, detail: RelatedEntries['detail']): Statement {
  if (typeof detail === 'string') return trusted(detail)
  const decimals = decimalsOf(currency)
  const pattern = decimals === 0 ? 'FM999G999G999G999G990' : 'FM999G999G999G999G990D'.padEnd(22 + decimals, '0')
  return sql`concat_ws(' · ', ${currency}::text || ' ' || to_char(${trusted(detail.amount)}, ${pattern}::text), ${trusted(detail.more ?? 'null')})`
}
