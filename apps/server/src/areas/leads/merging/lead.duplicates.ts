import { duplicatesOf } from '../../clients/index.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { lead } from '../lead.resource.ts'

/** Leads in the caller's reach that may be the same person, likeliest first, each with its reasons. */
export const leadDuplicates = (ctx: Ctx, { id }: { id: string }): Promise<Answer> => duplicatesOf(ctx, lead, id)
