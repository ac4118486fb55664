import { failField } from '@outpost/contract/errors'
import { distribute, residualOf, spreadResidual } from '@outpost/rules/targets/target-distribution'
import { decimalsOf } from '@outpost/rules/targets/target-units'
import { periodBefore, type PeriodKind } from '@outpost/rules/targets/target-period'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { createRecord, getRecord, removeRecords, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, AnyResource, Ctx } from '../../kernel/types.ts'
import { nameOf } from '../../kernel/names.ts'
import { actualsOf, measured } from './figures.ts'
import { metricNamed } from '../../kernel/metrics.ts'
import { ownedBy, type OwnerType } from './target.rules.ts'

const childKinds = ['user', 'team', 'tenant'] as const satisfies readonly OwnerType[]
export const proposeInput = z.strictObject({
  id: idSchema,
  to: z.enum(childKinds).default('user'),
  method: z.enum(['even', 'last', 'headcount']).default('even'),
  spread: z.stringbool().default(false),
})

interface Child {
  ownerType: OwnerType
  ownerId: string
  name: string
  people: number
  targetId: string | null
  present: number | null
}

/**
 * How a target would fall to the people, teams or tenants below it: evenly, by what each reached in the period before, or
 * by heads. Rounding leaves a residual, shown, or spread one unit each. Nothing is written.
 */
export async function proposeParts(
  ctx: Ctx,
  target: AnyResource,
  { id, to, method, spread }: z.infer<typeof proposeInput>,
): Promise<Answer> {
  const parent = await getRecord(ctx, target, id)
  const total = Number(parent['value'])
  const children = await childrenOf(ctx, parent, to)
  const decimals = decimalsOf(metricNamed(ctx, measured(parent).metric).unit)
  const weights = await weightsOf(ctx, { parent, children, method })
  const split = distribute(total, weights, decimals)
  const { shares, residual } = spread ? spreadResidual(split, decimals) : split
  const parts = children.map((child, index) => {
    const { amount: value = 0, exact = 0 } = shares[index] ?? {}
    return { ...child, weight: weights[index], value, exact }
  })
  return { data: { parts, residual: children.length === 0 ? total : residual, total, to, method, decimals } }
}

async function weightsOf(
  ctx: Ctx,
  { parent, children, method }: { parent: WireRecord; children: Child[]; method: 'even' | 'last' | 'headcount' },
): Promise<number[]> {
  if (method === 'even') return children.map(() => 1)
  if (method === 'headcount') return children.map(({ people }) => people)
  const { startDate, endDate, metric, product } = measured(parent)
  const before = periodBefore(parent['periodKind'] as PeriodKind, { startDate, endDate })
  const actuals = await actualsOf(
    ctx,
    children.map((child) => ({
      Id: child.ownerId,
      metric,
      product,
      ...before,
      ownerType: child.ownerType,
      ...ownedBy(child.ownerType, child.ownerId),
    })),
  )
  return children.map(({ ownerId }) => actuals.get(ownerId)?.actual ?? 0)
}

/** Who may take a part: members of a team; people, teams or tenants of a tenant and below. With what they have of it already. */
async function childrenOf(ctx: Ctx, parent: WireRecord, kind: OwnerType): Promise<Child[]> {
  const { ownerType, ownerTeamId, ownerTenantId } = measured(parent)
  if (ownerType === 'user') failField('id', 'is the target of one person, who cannot share it out')
  if (ownerType === 'team' && kind !== 'user') failField('to', 'a team has people only')
  const own = sql`select ${kind} as "ownerType", o.id as "ownerId", o.name, o.people, p."id" as "targetId", p."value"::float8 as present from (`
  const end = sql`) o left join target p on p."companyId" = ${ctx.company.id}::uuid and p."parentId" = ${parent.Id}::uuid and p."deletedAt" is null
    and coalesce(p."ownerUserId", p."ownerTeamId", p."ownerTenantId") = o.id order by o.name, o.id limit 500`
  return ctx.sql.query<Child>(
    sql`${own} ${ownerType === 'team' ? membersOf(ctx, ownerTeamId) : belowTenant(ctx, ownerTenantId)[kind]} ${end}`,
  )
}

function membersOf({ company }: Ctx, teamId: string | null): Statement {
  return sql`select u."id", ${nameOf('u')} as name, 1 as people from team_member m join app_user u on u."companyId" = m."companyId" and u."id" = m."userId"
    where m."companyId" = ${company.id}::uuid and m."teamId" = ${teamId}::uuid and m."toDate" is null and u."status" = 1 and u."deletedAt" is null`
}

function belowTenant({ company }: Ctx, tenantId: string | null): Record<OwnerType, Statement> {
  const within = sql`w."companyId" = ${company.id}::uuid and exists (select 1 from tenant b where b."companyId" = w."companyId" and b."id" = w."tenantId" and ${tenantId}::uuid = any(b."path"))`
  const isActive = sql`u."status" = 1 and u."deletedAt" is null`
  return {
    user: sql`select distinct u."id", ${nameOf('u')} as name, 1 as people from user_tenant w join app_user u on u."companyId" = w."companyId" and u."id" = w."userId"
      where ${within} and ${isActive}`,
    team: sql`select w."id", w."name", (select count(*)::int from team_member m join app_user u on u."companyId" = m."companyId" and u."id" = m."userId" and ${isActive}
        where m."companyId" = w."companyId" and m."teamId" = w."id" and m."toDate" is null) as people from team w where w."deletedAt" is null and ${within}`,
    tenant: sql`select c."id", c."name", (select count(distinct u."id")::int from tenant b join user_tenant x on x."companyId" = b."companyId" and x."tenantId" = b."id"
        join app_user u on u."companyId" = x."companyId" and u."id" = x."userId" and ${isActive} where b."companyId" = c."companyId" and c."id" = any(b."path")) as people
      from tenant c where c."companyId" = ${company.id}::uuid and c."parentId" = ${tenantId}::uuid and c."deletedAt" is null`,
  }
}

export const partsInput = z.strictObject({
  id: idSchema,
  parts: z
    .array(z.strictObject({ ownerType: z.enum(childKinds), ownerId: idSchema, value: z.number().min(0).max(999_999_999_999) }))
    .min(1)
    .max(500),
})

/** Writes the parts of a target: those there are changed, new ones made, one of zero goes. May not exceed the whole; what is left is returned. */
export async function saveParts(ctx: Ctx, target: AnyResource, { id, parts }: z.infer<typeof partsInput>): Promise<Answer> {
  const parent = await getRecord(ctx, target, id)
  const values = parts.map(({ value }) => value)
  const residual = residualOf(Number(parent['value']), values)
  if (residual < 0) failField('parts', `make ${-residual} more than the whole`)
  const kinds = [...new Set(parts.map(({ ownerType }) => ownerType))]
  const children = (await Promise.all(kinds.map((kind) => childrenOf(ctx, parent, kind)))).flat()
  const known = new Map(children.map((child) => [child.ownerId, child]))
  const saved: WireRecord[] = []
  for (const [index, part] of parts.entries()) {
    const child = known.get(part.ownerId)
    if (child?.ownerType !== part.ownerType) failField(`parts.${index}.ownerId`, 'is not below the owner of the target')
    else if (part.value > 0) saved.push(await savePart(ctx, target, { parent, child, value: part.value }))
    else if (child.targetId) await removeRecords(ctx, target, [child.targetId])
  }
  return { data: { targets: saved, residual }, message: residual === 0 ? 'Target distributed' : `Target distributed, ${residual} is left` }
}

function savePart(
  ctx: Ctx,
  target: AnyResource,
  { parent, child, value }: { parent: WireRecord; child: Child; value: number },
): Promise<WireRecord> {
  if (child.targetId) return updateRecord(ctx, target, child.targetId, { value })
  const { metric, product, periodKind } = parent
  const days = { startDate: new Date(String(parent['startDate'])), endDate: new Date(String(parent['endDate'])) }
  const { ownerType, ownerId } = child
  return createRecord(ctx, target, {
    metric,
    product,
    periodKind,
    ...days,
    value,
    ownerType,
    ...ownedBy(ownerType, ownerId),
    parentId: parent.Id,
  })
}
