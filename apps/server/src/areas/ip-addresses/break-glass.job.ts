import { sql } from '@outpost/platform/db/sql'
import type { Mail } from '@outpost/platform/mail'
import { wordingFor } from '../../kernel/settings/wording.ts'
import { makeLinkToken } from '../../kernel/public/link.ts'
import { hashSecret } from '../../kernel/session/tokens/opaque.ts'
import { session } from '../../kernel/session/services.ts'
import { userName } from '../../kernel/names.ts'
import type { Ctx, JobDefinition } from '../../kernel/types.ts'
import { letInJobName } from './break-glass.ts'

export interface Asked {
  userId: string
  name: string | null
  ip: string
  dateCreated: Date
}

/** Who asks to be let in, from where and since when. */
export const askedOf = (ctx: Ctx, id: string) =>
  ctx.sql.maybe<Asked & Record<string, unknown>>(sql`
    select b."userId", b."ip", b."dateCreated", ${userName(sql`b."companyId"`, sql`b."userId"`)} as name from break_glass b
    where b."companyId" = ${ctx.company.id}::uuid and b."id" = ${id}::uuid and b."usedAt" is null`)

/** Mails the active global administrators of the group a link that lets the administrator in, once. The secret is made here and never in a queue. */
export const letInJob = (mail: Mail): JobDefinition<{ id: string }> => ({
  name: letInJobName,
  run: async (ctx, { id }, job) => {
    const asked = await askedOf(ctx, id)
    if (!asked) return
    const token = makeLinkToken(ctx.company.id)
    await ctx.sql.exec(
      sql`update break_glass set "tokenHash" = ${hashSecret(token)} where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
    )
    const link = new URL(`/let-in/${token}`, session().publicUrl).href
    const text = [
      `${asked.name ?? 'An administrator'} of ${ctx.company.name} signed in with the right password and is refused by the company’s list of addresses.`,
      '',
      `Address: ${asked.ip}`,
      `Time: ${(await wordingFor(ctx.company)).moment(asked.dateCreated)}`,
      '',
      'Ask them by telephone whether it is them. If so, let them in from that address for an hour, so that they can mend the list:',
      link,
      '',
      'The link counts once and for one hour. If you did not expect this, do nothing.',
    ].join('\n')
    for (const [place, to] of (await globalAdministrators(ctx)).entries())
      await mail.send({ to, subject: `${ctx.company.name}: an administrator is locked out`, text, idempotencyKey: `${job.id}-${place}` })
  },
})

/** Their addresses: they lie behind the group's wall. */
async function globalAdministrators(ctx: Ctx): Promise<string[]> {
  const rows = await session().store.sql.query<{ emailAddress: string }>(sql`
    select distinct u."emailAddress" from tenant t join app_user u on u."companyId" = t."groupId" and u."status" = 1 and u."deletedAt" is null
      join user_role ur on ur."companyId" = u."companyId" and ur."userId" = u."id"
      join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId" and r."deletedAt" is null and r."systemRole" = 'global'
    where t."companyId" = ${ctx.company.id}::uuid and t."id" = ${ctx.company.id}::uuid order by 1 limit 20`)
  return rows.map(({ emailAddress }) => emailAddress)
}
