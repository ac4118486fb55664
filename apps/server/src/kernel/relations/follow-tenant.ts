import { empty, identifier, sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../types.ts'
import { prepared } from '@outpost/platform/db/prepared'
import type { Writing } from '../resource/writing.ts'

/** A record that is filed under another tenant from now on. */
export interface MovedRecord {
  id: string
  tenantId: string
}

/** Rows that belong to records and are filed under the same tenant: `own` holds the record's id, `one` its kind where the table has several. */
export interface Belonging {
  table: string
  own: string
  one?: string
}

/** Of the changes those that file a record under another tenant. */
export function movedRecords(writings: readonly Writing[]): MovedRecord[] {
  return writings.flatMap(({ id, before, values: { tenantId } }) =>
    before && typeof tenantId === 'string' && tenantId !== before['tenantId'] ? [{ id, tenantId }] : [],
  )
}

/** Files what belongs to moved records under their new tenant: one statement, none where nothing moved. */
export async function followTenant(ctx: Ctx, { table, own, one }: Belonging, moved: readonly MovedRecord[]): Promise<void> {
  if (moved.length === 0) return
  await ctx.sql.exec(
    prepared(
      sql`update ${identifier(table)} x set "tenantId" = m."tenantId" from json_to_recordset(${JSON.stringify(moved)}::json) m("id" uuid, "tenantId" uuid)
      where x."companyId" = ${ctx.company.id}::uuid and x.${identifier(own)} = m."id" ${one === undefined ? empty : sql`and x."objectType" = ${one}`}`,
      'write',
    ),
  )
}
