import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { readPage } from '../../kernel/read-page.ts'
import { list } from '../../kernel/resource/operations.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { ListInput } from '../../kernel/resource/schema.ts'
import type { Answer, AnyResource, Ctx, Operation } from '../../kernel/types.ts'
import { withFigures } from './figures.ts'
import { metricLabel } from '../../kernel/metrics.ts'

/** Days that the wanted targets' periods touch. */
const period = { from: daySchema.optional(), to: daySchema.optional() }
type PeriodInput = { from?: string; to?: string }
const touches = (from: string | null, to: string | null) =>
  sql`(${to}::date is null or t."startDate" <= ${to}::date) and (${from}::date is null or t."endDate" >= ${from}::date)`

const figures = z.strictObject({
  actual: z.number(),
  attainment: z.number(),
  expected: z.number(),
  variance: z.number(),
  projected: z.number().nullable(),
  workingDays: z.int(),
  workingDaysPassed: z.int(),
  unit: z.string(),
  events: z.int(),
})
/** Targets with what was reached of them. */
export const targetsAnswer = (target: AnyResource) => () =>
  z.strictObject({ targets: z.array(recordSchema(target, 'list').extend({ figures })) })
export const ownTargetsAnswer = (target: AnyResource) => () =>
  z.strictObject({ targets: z.array(recordSchema(target, 'list').extend({ figures, metricLabel: z.string() })) })
export const targetAnswer = (target: AnyResource) => () => z.strictObject({ target: recordSchema(target, 'detail').extend({ figures }) })

/** A page of targets, each with its figures as of today: at most 1,000, since every one is computed. */
export function listTargets(target: AnyResource): Operation<ListInput & PeriodInput> {
  const touching = { where: (_: Ctx, { from, to }: PeriodInput) => touches(from ?? null, to ?? null) }
  return {
    ...list(target, { extra: period, ...touching }),
    answer: targetsAnswer(target),
    run: async (ctx, input) => {
      const size = Math.min(input.size ?? target.list.size, 1_000)
      const { records, meta } = await readPage(ctx, target, { ...input, size }, touching)
      return { data: { targets: await withFigures(ctx, records) }, meta }
    },
  }
}

export async function getTarget(ctx: Ctx, target: AnyResource, { id }: { id: string }): Promise<Answer> {
  const [found] = await withFigures(ctx, [await getRecord(ctx, target, id)])
  return { data: { target: found } }
}

/** Those of ownTargets(), each with its metric in words. */
export async function myTargets(ctx: Ctx, target: AnyResource): Promise<Answer> {
  const targets = await ownTargets(ctx, target)
  return { data: { targets: targets.map((one) => ({ ...one, metricLabel: metricLabel(ctx, String(one['metric'])) })) } }
}

/** The caller's own targets that run today, and those of the teams the caller is in, with their figures. */
export const ownTargets = (ctx: Ctx, target: AnyResource) =>
  runningTargets(
    ctx,
    target,
    sql`(t."ownerUserId" = ${ctx.user.id}::uuid or exists (
      select 1 from team_member m where m."companyId" = t."companyId" and m."teamId" = t."ownerTeamId" and m."userId" = ${ctx.user.id}::uuid and m."toDate" is null))`,
  )

/** The targets of branches and teams in reach that run today, with their figures. */
export const targetsOfMany = (ctx: Ctx, target: AnyResource) => runningTargets(ctx, target, sql`t."ownerType" <> 'user'`)

/** 100 at most, those that end first. */
async function runningTargets(ctx: Ctx, target: AnyResource, whose: Statement) {
  const today = companyDay(ctx)
  const where = () => sql`${touches(today, today)} and ${whose}`
  const { records } = await readPage(ctx, target, { page: 1, size: 100 }, { sort: ['endDate', 'ASC'], where })
  return withFigures(ctx, records)
}
