import type { NotificationPreference } from '@outpost/contract/notifications'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { command, noInput, query } from '../../kernel/resource/operations.ts'
import type { NotificationKind } from '../../kernel/realtime/notification-kinds.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'

type Wish = Pick<NotificationPreference, 'kind' | 'bell' | 'mail' | 'push'>

/** The calls about the caller's wishes, one for each of the kinds. */
export function preferenceCalls(kinds: readonly NotificationKind[]) {
  const names = kinds.map(({ name }) => name)
  // What was read may be sent back: the words of the kind are ignored.
  const input = z.strictObject({
    kind: z.enum(names),
    bell: z.boolean(),
    mail: z.boolean(),
    // Left out by clients that know bell and mail only: as before.
    push: z.boolean().optional(),
    label: z.string().optional(),
    help: z.string().optional(),
  })
  const answer = z.strictObject({
    preferences: z.array(
      z.strictObject({ kind: z.enum(names), label: z.string(), help: z.string(), bell: z.boolean(), mail: z.boolean(), push: z.boolean() }),
    ),
  })
  return {
    read: query(noInput, (ctx) => preferences(ctx, kinds), answer),
    set: command(
      input,
      async (ctx, wish) => {
        await keepWish(ctx, wish)
        return preferences(ctx, kinds)
      },
      answer,
    ),
  }
}

/** The caller's wishes in the company worked in: data.preferences of {kind, label, help, bell, mail, push}. */
async function preferences(ctx: Ctx, kinds: readonly NotificationKind[]): Promise<Answer> {
  const kept = await ctx.sql.query<Wish>(sql`
    select "kind", "bell", "mail", "push" from notification_preference where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid`)
  const all = kinds.map(({ name, label, help }) => ({
    kind: name,
    label,
    help,
    bell: true,
    mail: false,
    push: true,
    ...kept.find(({ kind }) => kind === name),
  }))
  return { data: { preferences: all satisfies NotificationPreference[] } }
}

async function keepWish(
  ctx: Ctx,
  { kind, bell, mail, push }: Pick<Wish, 'kind' | 'bell' | 'mail'> & { push?: boolean | undefined },
): Promise<void> {
  await ctx.sql.exec(sql`
    insert into notification_preference ("companyId", "userId", "kind", "bell", "mail", "push")
    values (${ctx.company.id}::uuid, ${ctx.user.id}::uuid, ${kind}, ${bell}, ${mail}, ${push ?? true})
    on conflict ("companyId", "userId", "kind") do update set "bell" = excluded."bell", "mail" = excluded."mail",
      "push" = coalesce(${push ?? null}::boolean, notification_preference."push")`)
}
