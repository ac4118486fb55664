import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import type { Answer, Ctx } from '../../kernel/types.ts'

/** A language by its code; anything else than a known one has no words of its own. */
export const languageInput = z.strictObject({ id: z.string().max(60) })

export const languageAnswer = z.strictObject({ language: z.array(z.strictObject({ label: z.string(), value: z.string() })) })

/** The company's own words as label and value; an empty list when it has none in that language. */
export async function language(ctx: Ctx, { id }: z.infer<typeof languageInput>): Promise<Answer> {
  const code = id.trim().toLowerCase().split('-')[0] ?? ''
  const rows = await ctx.sql.query(sql`
    select "label", "value" from language_label where "companyId" = ${ctx.company.id}::uuid and "language" = ${code} order by "label"`)
  return { data: { language: rows } }
}
