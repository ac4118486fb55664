import { notificationKinds, type NotificationKind, type NotificationPreference } from '@outpost/contract/notifications'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import type { Answer, Ctx } from '../../kernel/types.ts'

const kinds = Object.keys(notificationKinds) as [NotificationKind, ...NotificationKind[]]

/** The caller's wishes in the company worked in, one each kind: data.preferences of {kind, bell, mail}. */
export async function preferences(ctx: Ctx): Promise<Answer> {
  const kept = await ctx.sql.query<NotificationPreference>(sql`
    select "kind", "bell", "mail" from notification_preference where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid`)
  return { data: { preferences: kinds.map((kind) => kept.find((one) => one.kind === kind) ?? { kind, bell: true, mail: false }) } }
}

export const preferenceInput = z.strictObject({ kind: z.enum(kinds), bell: z.boolean(), mail: z.boolean() })

/** Keeps one wish of the caller. Answers as preferences(). */
export async function setPreference(ctx: Ctx, { kind, bell, mail }: z.infer<typeof preferenceInput>): Promise<Answer> {
  await ctx.sql.exec(sql`
    insert into notification_preference ("companyId", "userId", "kind", "bell", "mail") values (${ctx.company.id}::uuid, ${ctx.user.id}::uuid, ${kind}, ${bell}, ${mail})
    on conflict ("companyId", "userId", "kind") do update set "bell" = excluded."bell", "mail" = excluded."mail"`)
  return preferences(ctx)
}
