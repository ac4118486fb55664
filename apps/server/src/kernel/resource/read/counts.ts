import { LRUCache } from 'lru-cache'
import type { Statement } from '@outpost/platform/types'
import { onRecordsChanged } from '../../realtime/announce.ts'
import type { AnyResource, Ctx } from '../../types.ts'
import { countStatement, estimateStatement, type ListQuery } from './query.ts'

/** Number of rows behind a list; `estimated` when there are more than were counted. */
export interface Total {
  total: number
  estimated?: boolean
}

const countedExactly = 10_000
const totals = new LRUCache<string, Promise<Total>>({ max: 5_000, ttl: 30_000 })
const generations = new Map<string, number>()
// How many rows a company's lists of a resource have is forgotten when records of it change.
onRecordsChanged(({ companyId, resource }) => {
  const key = `${companyId} ${resource}`
  generations.set(key, (generations.get(key) ?? 0) + 1)
})

/** Rows of a list, exact up to 10,000 and estimated above; remembered for 30 s while nothing changes. */
export function totalOf(ctx: Ctx, query: ListQuery): Promise<Total> {
  return isByUnannounced(query) ? count(ctx, query) : remembered(ctx, query.resource, shape(query.where), () => query)
}

/** The same for a list that only company and reach shape; the query is built when it must be counted. */
export function plainTotal(ctx: Ctx, resource: AnyResource, rows: string, query: () => ListQuery): Promise<Total> {
  return remembered(ctx, resource, `plain ${rows}`, query)
}

function remembered(ctx: Ctx, resource: AnyResource, where: string, query: () => ListQuery): Promise<Total> {
  const owner = `${ctx.company.id} ${resource.one}`
  // A transaction sees its own unsaved rows: what it counts is nobody else's business.
  if (ctx.isTransaction) return count(ctx, query())
  const key = `${owner} ${generations.get(owner) ?? 0} ${ctx.user.id} ${scopeKey(ctx)} ${where}`
  const known = totals.get(key)
  if (known) return known
  const total = count(ctx, query())
  totals.set(key, total)
  total.catch(() => totals.delete(key))
  return total
}

async function count(ctx: Ctx, query: ListQuery): Promise<Total> {
  const [total, hits] = JSON.parse(await ctx.sql.text(countStatement(query, countedExactly + 1))) as [number, number]
  if (total <= countedExactly) return hits > countedExactly ? { total, estimated: true } : { total }
  const [explained] = JSON.parse(await ctx.sql.text(estimateStatement(query))) as [{ Plan: { 'Plan Rows': number } }]
  return { total: Math.max(explained.Plan['Plan Rows'], total), estimated: true }
}

const isByUnannounced = ({ resource, where }: ListQuery) =>
  Object.entries(resource.fields).some(([key, { isUnannounced }]) => isUnannounced && where.text.includes(`"${key}"`))
const scopeKey = ({ scope }: Ctx) => (scope === '*' ? scope : scope.join(','))
const shape = ({ text, values }: Statement) => `${text} ${JSON.stringify(values)}`
