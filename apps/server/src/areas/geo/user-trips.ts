import { geoAnswers } from '@outpost/contract/geo/answers'
import { z } from 'zod'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { Answer, Ctx, Operation } from '../../kernel/types.ts'
import { agentWork, requireAgent } from '../agents/index.ts'

type Input = Record<string, unknown>
interface Trips {
  data?: Record<string, unknown>
  meta?: Record<string, unknown>
}
/** The geo service has refused anything else; what it lets through is not for us to believe. */
const person = z.object({ userId: idSchema })
const days = z.object({ userId: idSchema, fromdate: z.iso.date(), todate: z.iso.date() })

/**
 * The trips of a person as the geo service returns them, with what it cannot know: `actions` (days begun and ended, files,
 * activities, leads) and `visits` (the activities planned) of the same days: for the same people as their track under
 * /api/usertracking. `meta.isWorkHidden` says that both are empty because the person has gone out of reach meanwhile.
 */
export const withWork = (passed: Operation<Input>): Operation<Input> => ({
  ...passed,
  answer: geoAnswers.userTrips.extend({ actions: z.array(z.unknown()), visits: z.array(z.unknown()) }),
  run: async (ctx, input, facts) => {
    const { data: asked } = person.safeParse(input)
    if (asked) await requireAgent(ctx, asked.userId, 'userId')
    const answer = await passed.run(ctx, input, facts)
    const trips = 'json' in answer ? (JSON.parse(answer.json) as Trips) : {}
    return trips.data ? joined(ctx, trips, input) : answer
  },
})

async function joined(ctx: Ctx, { data, meta, ...rest }: Trips, input: Input): Promise<Answer> {
  const asked = days.safeParse(input)
  const work = asked.success ? await agentWork(ctx, { id: asked.data.userId, first: asked.data.fromdate, last: asked.data.todate }) : null
  const { actions, visits } = work ?? { actions: [], visits: [] }
  return { json: JSON.stringify({ ...rest, data: { ...data, actions, visits }, meta: { ...meta, isWorkHidden: work === null } }) }
}
