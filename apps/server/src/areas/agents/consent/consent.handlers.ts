import { fail, failField } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { trackingConsentText } from '@outpost/rules/people/tracking-consent'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../../kernel/audit.ts'
import { announce } from '../../../kernel/realtime/announce.ts'
import { notify } from '../../../kernel/realtime/notify.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { workNews } from '../agent.news.ts'
import { agentsInReach } from '../stats.ts'
import { ownCompanyPhone } from './trackable.ts'
import { trackingConsent } from './consent.resource.ts'

const answers = ['Given', 'Declined', 'Withdrawn'] as const
export const answerInput = z.strictObject({
  status: z.enum(answers),
  /** Which text the person read. */
  textVersion: z.literal(trackingConsentText.version, `must be ${trackingConsentText.version}, the text that holds now`),
})
const own = z.strictObject({
  Id: identifierSchema,
  status: z.enum(['Asked', ...answers]),
  textVersion: z.int(),
  askedAt: z.string().nullable(),
  answeredAt: z.string().nullable(),
  givenAt: z.string().nullable(),
})
/** Null: nobody asked, and the person said nothing by themself. `companyPhone`: that the phone they work on is the company's, and why. */
export const ownConsentAnswer = z.strictObject({
  trackingConsent: own.nullable(),
  companyPhone: z.strictObject({ since: z.string(), reason: z.string() }).nullable(),
})
export const askedAnswer = z.strictObject({ asked: z.int() })

/** What the caller was asked and what they answered. */
export async function ownConsent(ctx: Ctx): Promise<Answer> {
  return { data: { trackingConsent: (await findOwn(ctx)) ?? null, companyPhone: (await ownCompanyPhone(ctx)) ?? null } }
}

const columns = sql`"id" as "Id", "status", "textVersion", "askedAt", "answeredAt", "givenAt"`

const findOwn = (ctx: Ctx, isLocked = false) =>
  ctx.sql.maybe<{ Id: string; status: string }>(sql`
    select ${columns} from tracking_consent where "companyId" = ${ctx.company.id}::uuid and "userId" = ${ctx.user.id}::uuid
    ${isLocked ? sql`for update` : sql``}`)

/** Notes the caller's answer; what was given before may be withdrawn, and given again. Nothing of before it is taken. */
export async function answerConsent(ctx: Ctx, { status, textVersion }: z.infer<typeof answerInput>): Promise<Answer> {
  const before = await findOwn(ctx, true)
  if (status === 'Withdrawn' && before?.status !== 'Given') failField('status', 'cannot be Withdrawn: there is no consent')
  const companyPhone = (await ownCompanyPhone(ctx)) ?? null
  if (before?.status === status) return { data: { trackingConsent: before, companyPhone } }
  const row = await ctx.sql.maybe<{ Id: string; status: string; tenantId: string }>(sql`
    insert into tracking_consent ("companyId", "id", "userId", "tenantId", "status", "textVersion", "answeredAt", "givenAt")
    select u."companyId", uuidv7(), u."id", u."tenantId", ${status}, ${textVersion}, now(), case when ${status === 'Given'} then now() end
    from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${ctx.user.id}::uuid
    on conflict ("companyId", "userId") do update set "status" = excluded."status", "textVersion" = excluded."textVersion", "answeredAt" = excluded."answeredAt",
      "givenAt" = excluded."givenAt", "version" = tracking_consent."version" + 1, "dateModified" = now()
    returning ${columns}, "tenantId"`)
  // Staff of the group work here without being people of this company: nobody follows them.
  if (!row) return fail('NOT_FOUND')
  const { tenantId, ...told } = row
  audit(ctx, {
    action: `trackingConsent.${status.toLowerCase()}`,
    objectType: trackingConsent.one,
    objectId: row.Id,
    before: before ? { status: before.status } : null,
    after: { status, textVersion },
  })
  announce(ctx, trackingConsent, [row.Id], before ? 'updated' : 'created', [tenantId])
  return { data: { trackingConsent: told, companyPhone }, message: messages[status] }
}

const messages: Readonly<Record<(typeof answers)[number], string>> = {
  Given: 'You are followed in working time. You may withdraw that at any time.',
  Declined: 'You are not followed.',
  Withdrawn: 'Consent withdrawn. You are not followed any more.',
}

/** Asks everybody of the field in the caller's reach who was not asked and said nothing yet. A no is not asked again. */
export async function askForConsent(ctx: Ctx): Promise<Answer> {
  const rows = await ctx.sql.query<{ id: string; userId: string; tenantId: string }>(sql`
    insert into tracking_consent ("companyId", "id", "userId", "tenantId", "status", "textVersion", "askedAt", "askedByUserId")
    select u."companyId", uuidv7(), u."id", u."tenantId", 'Asked', ${trackingConsentText.version}::int, now(), ${ctx.user.id}::uuid from app_user u where ${agentsInReach(ctx)}
    on conflict do nothing returning "id", "userId", "tenantId"`)
  for (const { userId } of rows) {
    await notify(ctx, {
      userId,
      itemType: 'Activity',
      kind: workNews,
      message: 'May your phone be followed while you work? Answer in your profile.',
      link: '/profile',
    })
  }
  audit(
    ctx,
    rows.map(({ id, userId }) => ({
      action: 'trackingConsent.ask',
      objectType: trackingConsent.one,
      objectId: id,
      before: null,
      after: { status: 'Asked', userId },
    })),
  )
  announce(
    ctx,
    trackingConsent,
    rows.map(({ id }) => id),
    'created',
    [...new Set(rows.map(({ tenantId }) => tenantId))],
  )
  return { data: { asked: rows.length }, message: rows.length === 1 ? '1 person was asked' : `${rows.length} people were asked` }
}
