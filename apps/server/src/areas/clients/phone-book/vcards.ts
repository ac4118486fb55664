import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { visibleRows } from '../../../kernel/resource/read/query.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { phoneBook } from './phone-book.resource.ts'
import { vcardOf, type Card } from './vcard.ts'

export const vcardsInput = z.strictObject({ ids: z.array(idSchema).min(1).max(500) })

/** The chosen rows of the phone book as one file of vCards, in the order of their names; what is out of sight is left out. */
export async function vcards(ctx: Ctx, { ids }: z.infer<typeof vcardsInput>): Promise<Answer> {
  const rows = await ctx.sql.query<Card & Record<string, unknown>>(sql`
    select t."id", t."name", t."organisation", t."jobTitle", t."phonenumber", t."otherNumber", t."emailAddress" from phone_book t
    where ${visibleRows(ctx, phoneBook)} and t."id" = any(${ids}::uuid[]) order by t."name", t."id"`)
  const body = Buffer.from(rows.map(vcardOf).join(''), 'utf8')
  return { file: { name: 'phone-book.vcf', mimeType: 'text/vcard', size: body.length, body } }
}
