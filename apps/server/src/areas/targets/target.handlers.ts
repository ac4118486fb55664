import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { companyDay, daySchema } from '../../kernel/days.ts'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { listRecords } from '../../kernel/resource/read/list.ts'
import { list } from '../../kernel/resource/operations.ts'
import { createRecord, getRecord, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import type { ListInput, RecordInput } from '../../kernel/resource/schema.ts'
import type { Answer, AnyResource, Ctx, Operation } from '../../kernel/types.ts'
import { withFigures } from './figures.ts'
import { labelOf } from './metrics.ts'
import { milestoneLook } from './milestones.ts'

interface Envelope {
  data: { targets: WireRecord[] }
  meta: { page: number; size: number; total: number }
}

/** Days that the wanted targets' periods touch. */
const period = { from: daySchema.optional(), to: daySchema.optional() }
type PeriodInput = { from?: string; to?: string }
const touching = ({ from, to }: PeriodInput) =>
  sql`(${to ?? null}::date is null or t."startDate" <= ${to ?? null}::date) and (${from ?? null}::date is null or t."endDate" >= ${from ?? null}::date)`

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
export const listTargets = (target: AnyResource): Operation<ListInput & PeriodInput> => ({
  ...list(target, { extra: period, where: (_, input) => touching(input) }),
  answer: targetsAnswer(target),
  run: async (ctx, input) => {
    const answer = await listRecords(
      ctx,
      target,
      { ...input, size: Math.min(input.size ?? target.list.size, 1_000) },
      { where: (_, given: ListInput & PeriodInput) => touching(given) },
    )
    if (!('json' in answer)) return answer
    const { data, meta } = JSON.parse(answer.json) as Envelope
    return { data: { targets: await withFigures(ctx, data.targets) }, meta }
  },
})

export async function getTarget(ctx: Ctx, target: AnyResource, { id }: { id: string }): Promise<Answer> {
  const [found] = await withFigures(ctx, [await getRecord(ctx, target, id)])
  return { data: { target: found } }
}

/** Those of ownTargets(), each with its metric in words. */
export async function myTargets(ctx: Ctx, target: AnyResource): Promise<Answer> {
  const targets = await ownTargets(ctx, target)
  return { data: { targets: targets.map((one) => ({ ...one, metricLabel: labelOf(ctx, String(one['metric'])) })) } }
}

/** The caller's own targets that run today, and those of the teams the caller is in, with their figures. */
export async function ownTargets(ctx: Ctx, target: AnyResource): ReturnType<typeof withFigures> {
  const today = companyDay(ctx)
  const answer = await listRecords(
    ctx,
    target,
    { page: 1, size: 100 },
    {
      sort: ['endDate', 'ASC'],
      where:
        () => sql`t."startDate" <= ${today}::date and t."endDate" >= ${today}::date and (t."ownerUserId" = ${ctx.user.id}::uuid or exists (
      select 1 from team_member m where m."companyId" = t."companyId" and m."teamId" = t."ownerTeamId" and m."userId" = ${ctx.user.id}::uuid and m."toDate" is null))`,
    },
  )
  const { data } = JSON.parse((answer as { json: string }).json) as Envelope
  return withFigures(ctx, data.targets)
}

/** The targets of branches and teams in reach that run today, with their figures; 100 at most, those that end first. */
export async function runningTargets(ctx: Ctx, target: AnyResource): ReturnType<typeof withFigures> {
  const today = companyDay(ctx)
  const answer = await listRecords(
    ctx,
    target,
    { page: 1, size: 100 },
    {
      sort: ['endDate', 'ASC'],
      where: () => sql`t."ownerType" <> 'user' and t."startDate" <= ${today}::date and t."endDate" >= ${today}::date`,
    },
  )
  const { data } = JSON.parse((answer as { json: string }).json) as Envelope
  return withFigures(ctx, data.targets)
}

export const createTarget =
  (target: AnyResource) =>
  async (ctx: Ctx, input: RecordInput): Promise<Answer> => {
    const made = await createRecord(ctx, target, input)
    milestoneLook.plan(ctx)
    return { data: { target: await getRecord(ctx, target, made.Id) }, message: 'Target created successfully' }
  }

export const updateTarget =
  (target: AnyResource) =>
  async (ctx: Ctx, input: RecordInput): Promise<Answer> => {
    const id = String(input['id'])
    await updateRecord(ctx, target, id, input)
    milestoneLook.plan(ctx)
    return { data: { target: await getRecord(ctx, target, id) }, message: 'Target updated successfully' }
  }
