import { fail } from '@outpost/contract/errors'
import { isCreditDecision, isLeadStatus, nextLeadStatuses, refuseLeadStatus, type LeadGuardState } from '@outpost/rules/leads/lead-status'
import { getRecord } from '../../kernel/resource/records.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { lead } from './lead.resource.ts'
import { lastMove, returnStatus } from './lead.return.ts'

/** Takes back the caller's own last move of a lead, a slip of the hand: it is as before. What was decided on credit is not undone here. */
export async function undoStatus(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    const { status, ...now } = await getRecord(inner, lead, id)
    const refuse = (message: string) => fail('ILLEGAL_TRANSITION', { message, details: { allowed: nextLeadStatuses(String(status)) } })
    const move = await lastMove(inner, id)
    if (!move || move.to !== status || !move.isOwn || !move.isFresh) return refuse('Only what you have just done yourself can be undone.')
    if ([move.to, move.former.status].some(isDecision)) return refuse('A decision on credit is not taken back.')
    // What was gone back to was no step of the lifecycle: undoing that as well would pass by what a step asks.
    if (!isStep(move.former.status, move.to)) return refuse('This was undone already.')
    const missing = isLeadStatus(move.former.status) ? refuseLeadStatus(move.former.status, now as unknown as LeadGuardState) : null
    if (missing) return refuse(missing)
    return { data: { lead: await returnStatus(inner, id, move.former) }, message: `The lead is ${move.former.status} again` }
  })
}

const isDecision = (status: string) => status === 'Converted' || (isLeadStatus(status) && isCreditDecision(status))
const isStep = (from: string, to: string) => nextLeadStatuses(from).some((next) => next === to)
