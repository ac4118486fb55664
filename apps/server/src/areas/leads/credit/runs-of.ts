import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../../kernel/types.ts'
import { clientFamilyOf } from '../../clients/index.ts'
import { familyOf } from '../merging/lead.family.ts'

/** A lead, a client, or both where they are one person. */
export interface Assessed {
  leadId: string | null
  clientId: string | null
}

const none = sql`'{}'::uuid[]`

/** Which assessments (alias r) are of somebody, or of a lead or client that was merged into theirs. */
export const isRunOf = (ctx: Ctx, { leadId, clientId }: Assessed): Statement => sql`
  (r."leadId" = any(${leadId === null ? none : sql`array${familyOf(ctx, leadId)}`}) or r."clientId" = any(${clientId === null ? none : sql`array${clientFamilyOf(ctx, clientId)}`}))`
