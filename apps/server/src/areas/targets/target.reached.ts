import { identifierSchema } from '@outpost/contract/input'
import { z } from 'zod'
import type { Answer, AnyResource, Ctx } from '../../kernel/types.ts'
import { metricLabel } from '../../kernel/metrics.ts'
import { ownTargets, targetsOfMany } from './target.handlers.ts'

const reached = z.strictObject({ label: z.string(), percent: z.number() })
export const reachedAnswer = z.strictObject({ targets: z.array(reached) })
export const teamsReachedAnswer = z.strictObject({ targets: z.array(reached.extend({ Id: identifierSchema, open: z.string() })) })

/** The caller's running targets as a drawing takes them: what counts, and how much of it is reached in percent. */
export async function ownReached(ctx: Ctx, target: AnyResource): Promise<Answer> {
  const targets = await ownTargets(ctx, target)
  return {
    data: { targets: targets.map(({ metric, figures }) => ({ label: metricLabel(ctx, String(metric)), percent: figures.attainment })) },
  }
}

const maxTargets = 12

/** The running targets of the branches and teams in reach, in percent: those that are furthest behind, 12 at most, as percents of several do not add up. */
export async function teamsReached(ctx: Ctx, target: AnyResource): Promise<Answer> {
  const running = await targetsOfMany(ctx, target)
  const targets = running.map(({ Id, ownerName, metric, figures }) => ({
    Id,
    label: `${String(ownerName)}: ${metricLabel(ctx, String(metric))}`,
    percent: figures.attainment,
    open: `/sales/targets?open=${Id}`,
  }))
  return { data: { targets: targets.toSorted((a, b) => a.percent - b.percent).slice(0, maxTargets) } }
}
