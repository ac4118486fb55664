import { preferencesChange, preferencesSchema } from '@outpost/contract/preferences'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import type { PreferencesChange, Preferences } from '@outpost/contract/preferences'
import { session } from '../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'

export const preferencesInput = preferencesChange
export const preferencesAnswer = z.strictObject({ preferences: preferencesSchema })

/** Remembers how the console looks and speaks for the caller, on every device; null goes back to the standard. */
export async function savePreferences({ user: { companyId, id } }: Ctx, change: PreferencesChange): Promise<Answer> {
  const services = session()
  const { preferences } = await services.store.write(null, (db) =>
    db.one<{ preferences: Preferences }>(sql`
      update app_user set "preferences" = jsonb_strip_nulls("preferences" || ${JSON.stringify(change)}::jsonb)
      where "companyId" = ${companyId}::uuid and "id" = ${id}::uuid returning "preferences"`),
  )
  services.changed({ companyId, userId: id })
  return { data: { preferences } }
}
