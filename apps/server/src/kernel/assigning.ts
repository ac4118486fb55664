import type { Assignees, Verdict } from '@outpost/contract/assigning'
import { Failure } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { idSchema } from './resource/schema.ts'
import { userInReach } from './session/reach.ts'
import { withStream } from './sync/stream.ts'
import type { Answer, Ctx } from './types.ts'
import { nameOf } from './names.ts'

export interface Agent {
  id: string
  name: string
}

/** How records of one kind are given to people in bulk, and taken back. What it answers in words is a refusal. */
export interface Assigning {
  words: { one: string; many: string }
  /** The chosen ones among those the caller sees: "Id", "holderIds", "isOpen". */
  records(ctx: Ctx, ids: readonly string[]): Statement
  /** Open ones of each person that the caller sees: id, open. */
  loads(ctx: Ctx): Statement
  give(ctx: Ctx, id: string, agent: Agent): Promise<string | undefined>
  /** Tells a person once what all was given. */
  tell(ctx: Ctx, userId: string, ids: readonly string[]): Promise<void>
  /** Takes back what the caller has just given away; `lost` says who no longer has it. */
  takeBack(ctx: Ctx, id: string): Promise<string | { lost: string }>
  tellLost(ctx: Ctx, userId: string, words: string): Promise<void>
}

export const idsInput = z.strictObject({ ids: z.array(idSchema).min(1).max(500) })
export const manyInput = z.strictObject({
  assignments: z
    .array(z.strictObject({ id: idSchema, userId: idSchema }))
    .min(1)
    .max(500)
    .refine((given) => new Set(given.map(({ id }) => id.toLowerCase())).size === given.length, 'names a record twice'),
})
/** How long a person may take back what they gave away or moved. */
export const undoMinutes = 15

/** The three calls of giving away: who may get records and how much each has, giving with a verdict on each record, taking back. */
export const assigningOf = (kind: Assigning) => ({
  assignees: (ctx: Ctx, { ids }: z.infer<typeof idsInput>) => assigneesOf(ctx, kind, ids),
  assignMany: (ctx: Ctx, { assignments }: z.infer<typeof manyInput>) => withStream(ctx, (inner) => giveAll(inner, kind, assignments)),
  undoAssignments: (ctx: Ctx, { ids }: z.infer<typeof idsInput>) => withStream(ctx, (inner) => takeAllBack(inner, kind, ids)),
})

/** What became of each record. */
export const verdictsAnswer = z.strictObject({
  results: z.array(z.strictObject({ Id: identifierSchema, isDone: z.boolean(), message: z.string().optional() })),
})
export const assigneesAnswer = z.strictObject({
  records: z.array(z.strictObject({ Id: idSchema, holderIds: z.array(idSchema), isOpen: z.boolean() })),
  agents: z.array(z.strictObject({ Id: idSchema, name: z.string(), place: z.string().nullable(), open: z.int() })),
}) satisfies z.ZodType<Assignees>

async function assigneesOf(ctx: Ctx, kind: Assigning, ids: readonly string[]): Promise<Answer> {
  const records = (await ctx.sql.query(kind.records(ctx, ids))) as unknown as Assignees['records']
  const agents = (await ctx.sql.query(sql`
    with load as (${kind.loads(ctx)})
    select u."id" as "Id", ${nameOf('u')} as name, coalesce(load.open, 0) as open,
      (select n."name" from user_tenant m join tenant n on n."companyId" = m."companyId" and n."id" = m."tenantId"
        where m."companyId" = u."companyId" and m."userId" = u."id" order by m."position" limit 1) as place
    from app_user u left join load on load.id = u."id" where ${workingInReach(ctx)}
    order by name, u."id" limit 1000`)) as unknown as Assignees['agents']
  return { data: { records, agents } satisfies Assignees }
}

const workingInReach = (ctx: Ctx) =>
  sql`u."companyId" = ${ctx.company.id}::uuid and u."deletedAt" is null and u."status" = 1 and ${userInReach(ctx, 'u')}`

async function giveAll(ctx: Ctx, kind: Assigning, assignments: z.infer<typeof manyInput>['assignments']): Promise<Answer> {
  const agents = await agentsOf(
    ctx,
    assignments.map(({ userId }) => userId),
  )
  const results: Verdict[] = []
  for (const { id, userId } of assignments) {
    const agent = agents.get(userId.toLowerCase())
    results.push(
      await verdictOn(ctx, id, async (own) =>
        agent ? kind.give(own, id, agent) : 'The chosen person is not an active user in your reach.',
      ),
    )
  }
  const done = new Set(results.filter(({ isDone }) => isDone).map(({ Id }) => Id))
  const given = Map.groupBy(
    assignments.filter(({ id }) => done.has(id)),
    ({ userId }) => userId,
  )
  for (const [userId, records] of given)
    await kind.tell(
      ctx,
      userId,
      records.map(({ id }) => id),
    )
  return { data: { results }, message: `${counted(kind, done.size)} assigned` }
}

async function agentsOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Agent>> {
  const rows = await ctx.sql.query<Agent>(sql`
    select u."id", ${nameOf('u')} as name from app_user u where u."id" = any(${[...new Set(ids)]}::uuid[]) and ${workingInReach(ctx)}`)
  return new Map(rows.map((agent) => [agent.id, agent]))
}

async function takeAllBack(ctx: Ctx, kind: Assigning, ids: readonly string[]): Promise<Answer> {
  const lost: string[] = []
  const results: Verdict[] = []
  for (const id of new Set(ids)) {
    results.push(
      await verdictOn(ctx, id, async (own) => {
        const outcome = await kind.takeBack(own, id)
        if (typeof outcome === 'string') return outcome
        lost.push(outcome.lost)
      }),
    )
  }
  for (const [userId, gone] of Map.groupBy(lost, (holder) => holder)) {
    if (userId !== ctx.user.id)
      await kind.tellLost(
        ctx,
        userId,
        `${counted(kind, gone.length)} given to you by mistake ${gone.length === 1 ? 'was' : 'were'} taken back`,
      )
  }
  return { data: { results }, message: `${counted(kind, lost.length)} taken back` }
}

/** Nothing of a record that was refused stays. */
async function verdictOn(ctx: Ctx, id: string, run: (ctx: Ctx) => Promise<string | undefined>): Promise<Verdict> {
  try {
    const refusal = await ctx.transaction(run)
    return refusal === undefined ? { Id: id, isDone: true } : { Id: id, isDone: false, message: refusal }
  } catch (error) {
    if (error instanceof Failure) return { Id: id, isDone: false, message: error.message }
    throw error
  }
}

const counted = ({ words }: Assigning, count: number) => (count === 1 ? `1 ${words.one}` : `${count} ${words.many}`)
