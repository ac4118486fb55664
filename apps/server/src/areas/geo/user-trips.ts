import type { Answer, Ctx, Operation } from '../../kernel/types.ts'
import { agentWork } from '../agents/index.ts'

type Input = Record<string, unknown>
interface Trips { data: Record<string, unknown>, meta?: Record<string, unknown> }

/**
 * The trips of a person as the geo service tells them, with what it cannot know: `actions` (days begun and ended, files,
 * activities, leads) and `visits` (the activities planned) of the same days. Both are empty, and `meta.isWorkHidden`
 * says so, for who may see where somebody was but not their work.
 */
export const withWork = (passed: Operation<Input>): Operation<Input> => ({
  ...passed,
  run: async (ctx, input, facts) => {
    // First, because the geo service looks at the input: what it accepts are days and an identifier.
    const answer = await passed.run(ctx, input, facts)
    return 'json' in answer ? joined(ctx, JSON.parse(answer.json) as Trips, input) : answer
  },
})

async function joined(ctx: Ctx, { data, meta, ...rest }: Trips, { userId, fromdate, todate }: Input): Promise<Answer> {
  const work = await agentWork(ctx, { id: String(userId), first: String(fromdate), last: String(todate) })
  const { actions, visits } = work ?? { actions: [], visits: [] }
  return { json: JSON.stringify({ ...rest, data: { ...data, actions, visits }, meta: { ...meta, isWorkHidden: work === null } }) }
}
