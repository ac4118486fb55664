import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'

/** Whom an action or its escalation names, and what it says to them. */
export interface ReactionParameters {
  userIds?: string[]
  roles?: string[]
  teamIds?: string[]
  emails?: string[]
  phones?: string[]
  subject?: string
  message?: string
}

/** What a reaction is about, as the geo service noted it (function geo.reaction_facts). Times are ISO 8601, speeds km/h. */
export interface Reaction {
  id: string
  type: 'notify' | 'email' | 'sms'
  /** 2: to others, as nobody took note of the event in time. */
  level: number
  state: 'waiting' | 'done' | 'failed' | 'silent'
  attempts: number
  dueAt: string
  /** Addresses that earlier tries reached. */
  reached: string[]
  isWanted: boolean
  parameters: ReactionParameters & { to?: string[]; escalateAfterS?: number; escalateTo?: ReactionParameters }
  rule: string | null
  device: { id: string; name: string }
  /** The device's tenant and those above it. */
  tenantPath: string[]
  timeZone: string | null
  event: {
    id: string
    type: string
    time: string
    severity: string
    latitude: number | null
    longitude: number | null
    speed: number | null
    attributes: Record<string, unknown>
    fence: string | null
    isSuperseded: boolean
    isAcknowledged: boolean
  }
}

/** A reaction of the company; undefined when its event or device is gone. */
export async function readReaction(ctx: Ctx, reactionId: string): Promise<Reaction | undefined> {
  const { facts } = await ctx.sql.one<{ facts: Reaction | null }>(sql`select geo.reaction_facts(${reactionId}::uuid) as "facts"`)
  return facts ?? undefined
}

export interface Outcome {
  state: Reaction['state']
  result: string
  attempts: number
  reached: readonly string[]
}

/** Writes down what became of a reaction. False when it waits no more: another try has dealt with it, and nothing may be done. */
export function noteReaction(ctx: Ctx, { id }: Reaction, { state, result, attempts, reached }: Outcome): Promise<boolean> {
  return ctx.transaction(async (inner) => {
    const { isNoted } = await inner.sql.one<{ isNoted: boolean }>(sql`
      select geo.note_reaction(${id}::uuid, ${state}, ${result}, ${attempts}::int, ${JSON.stringify(reached)}::jsonb) as "isNoted"`)
    return isNoted
  })
}
