import { sql, trusted, type SqlPart } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'

/**
 * When an action was done, as SQL over an alias of agent_action: by the device's clock, set right where that was off, and never after it
 * arrived. Its day counts, not the day of arrival: what was done without a network arrives days later. The indexes agent_action_happened
 * hold this very expression.
 */
export const happenedAtText = (alias: string): string =>
  `least(coalesce(${alias}."deviceTime", ${alias}."dateCreated"), ${alias}."dateCreated")`
export const happenedAt = (alias: string): Statement => trusted(happenedAtText(alias))

/** Done from a moment until another, which is left out. */
export const happenedWithin = (alias: string, { from, until }: { from: SqlPart; until: SqlPart }): Statement =>
  sql`${happenedAt(alias)} >= ${from} and ${happenedAt(alias)} < ${until}`
