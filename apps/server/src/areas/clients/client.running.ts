import { sql } from '@outpost/platform/db/sql'
import type { Ctx, HeldRule } from '../../kernel/types.ts'
import type { Moving } from '../../kernel/workflow/types.ts'

/** What runs with a client in the whole company, in branches beyond the caller's reach too. */
interface Running {
  groups: number
  loans: number
  applications: number
  payouts: number
}

const counted = (count: number, one: string, many: string) => (count === 0 ? [] : [`${count} ${count === 1 ? one : many}`])

/** What a client and the company still expect of each other, with how many; null when it is nothing. */
function runningWords({ loans, applications, payouts }: Running): string | null {
  const parts = [
    ...counted(loans, 'loan that is not closed', 'loans that are not closed'),
    ...counted(applications, 'open application', 'open applications'),
    ...counted(payouts, 'payout under way', 'payouts under way'),
  ]
  const last = parts.pop()
  return last === undefined ? null : parts.length === 0 ? last : `${parts.join(', ')} and ${last}`
}

const refusal = (running: string | null) => running && `This client has ${running}. Bring that to its end first.`

/** Nobody who owes, is owed or waits for an answer is deleted; nor a member of a group. */
export const heldClient: HeldRule = {
  find: (_, ids) => sql`
    select id, groups, loans, applications, payouts from search.client_running(${ids}::uuid[]) where groups + loans + applications + payouts > 0`,
  message: (found) =>
    refusal(runningWords(found as unknown as Running)) ?? 'This client is a member of a group. Take them out of it first.',
}

/** What runs with a client, in words; null when it is nothing. */
export async function whatRuns({ sql: db }: Ctx, id: string): Promise<string | null> {
  const found = await db.maybe<Running & Record<string, unknown>>(
    sql`select groups, loans, applications, payouts from search.client_running(${[id]}::uuid[])`,
  )
  return found ? runningWords(found) : null
}

/** Business with a client is not closed while something runs. */
export const refuseRunning = async (ctx: Ctx, { id }: Moving): Promise<string | null> => refusal(await whatRuns(ctx, id))
