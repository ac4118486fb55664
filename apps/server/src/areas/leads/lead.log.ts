import { identifier, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'

/** The moves of leads' statuses in record_move, as a condition on the alias. */
export const statusMoves = (companyId: string, alias: string): Statement =>
  sql`${identifier(alias, 'companyId')} = ${companyId}::uuid and ${identifier(alias, 'objectType')} = 'lead' and ${identifier(alias, 'field')} = 'status'`
