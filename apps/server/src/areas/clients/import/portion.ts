import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { portionRows } from '../../../kernel/imports/import-runs.ts'
import type { Ctx } from '../../../kernel/types.ts'
import { columnKeys } from './columns.ts'

/** What becomes of a row about a person who is a client already. */
export const importOptions = { duplicates: z.enum(['refuse', 'skip', 'update']).default('refuse') }
export const importInput = z.strictObject({
  dryRun: z.boolean().default(true),
  ...importOptions,
  rows: z
    .array(z.strictObject({ row: z.int().min(1).max(1_000_000), values: z.partialRecord(z.enum(columnKeys), z.string().max(4_000)) }))
    .min(1)
    .max(portionRows),
})
export type ImportInput = z.infer<typeof importInput>

/** Rows with what is to become of those who are clients already. */
export type PortionInput = Omit<ImportInput, 'dryRun' | 'rows'> & { rows: readonly ImportInput['rows'][number][] }

/** Names of clients whom the caller sees, by id. */
export async function namesOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await ctx.sql.query<{ id: string; name: string }>(sql`
    select "id", concat_ws(' ', "firstName", "lastName") as name from client where "companyId" = ${ctx.company.id}::uuid and "id" = any(${[...ids]}::uuid[])`)
  return new Map(rows.map(({ id, name }) => [id, name]))
}
