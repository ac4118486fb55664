import { createHmac, randomBytes } from 'node:crypto'
import ical, { ICalEventStatus } from 'ical-generator'
import { fail } from '@outpost/contract/errors'
import { isIdentifier } from '@outpost/rules/validation'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { may } from '../../../kernel/area.ts'
import { audit } from '../../../kernel/audit.ts'
import { visibleRows } from '../../../kernel/resource/read/query.ts'
import { makeNamedCtx } from '../../../kernel/session/jobs.ts'
import { deriveKeys } from '@outpost/platform/keys'
import { isPermitted } from '../../../kernel/session/permission.ts'
import { hashSecret } from '../../../kernel/session/tokens/opaque.ts'
import { session } from '../../../kernel/session/services.ts'
import type { Answer, Ctx } from '../../../kernel/types.ts'
import { activity } from '../activity.resource.ts'
import { mine } from '../activity.reports.ts'

/** Who may have a calendar, asked again whenever one is read. */
export const feedAccess = may('SALES/ACTIVITIES/ACTIVITIES', 'SALES/AGENTS/MYWORK')

interface FeedRow {
  nonce: Buffer
  tokenHash: Buffer
  dateCreated: Date
  lastReadAt: Date | null
}

const notes = {
  absent: 'See your activities in the calendar of your phone or office. Make an address and subscribe to it there.',
  present:
    'Subscribe to this address in the calendar of your phone or office ("from URL" or "from web"). Whoever holds it sees your activities: keep it to yourself.',
}

/** The address of the caller's calendar: data.calendarFeed, its address null when there is none. */
export async function showFeed(ctx: Ctx): Promise<Answer> {
  const row = await ctx.sql.maybe<FeedRow>(
    sql`select "nonce", "tokenHash", "dateCreated", "lastReadAt" from calendar_feed where "companyId" = ${ctx.company.id} and "userId" = ${ctx.user.id}`,
  )
  const note = row ? notes.present : notes.absent
  return {
    data: {
      calendarFeed: {
        Id: 'mine',
        title: `${ctx.user.firstName} ${ctx.user.lastName}`,
        note,
        address: row ? addressOf(ctx, row) : null,
        dateCreated: row?.dateCreated ?? null,
        lastReadAt: row?.lastReadAt ?? null,
      },
    },
  }
}

/** Makes a new secret address; the one before is dead at once. */
export async function createFeed(ctx: Ctx): Promise<Answer> {
  const nonce = randomBytes(32)
  await ctx.sql.exec(sql`
    insert into calendar_feed ("companyId", "userId", "tokenHash", "nonce") values (${ctx.company.id}, ${ctx.user.id}, ${hashSecret(secretsOf(nonce)[0] ?? '')}, ${nonce})
    on conflict ("companyId", "userId") do update set "tokenHash" = excluded."tokenHash", "nonce" = excluded."nonce", "dateCreated" = now(), "lastReadAt" = null`)
  audit(ctx, { action: 'calendarFeed.create', objectType: 'user', objectId: ctx.user.id })
  return { ...(await showFeed(ctx)), message: 'Your calendar has a new address' } as Answer
}

/** The address answers no more. */
export async function revokeFeed(ctx: Ctx): Promise<Answer> {
  await ctx.sql.exec(sql`delete from calendar_feed where "companyId" = ${ctx.company.id} and "userId" = ${ctx.user.id}`)
  audit(ctx, { action: 'calendarFeed.revoke', objectType: 'user', objectId: ctx.user.id })
  return { ...(await showFeed(ctx)), message: 'The address was revoked' } as Answer
}

/** The database alone does not know an address: it takes the master secret too. */
const secretsOf = (nonce: Buffer) =>
  deriveKeys(session().secrets, 'calendar-feed').map((key) => createHmac('sha256', key).update(nonce).digest('base64url'))
/** Null when it was made under a secret that this server no longer has: it goes on answering, and cannot be shown. */
function addressOf({ company }: Ctx, { nonce, tokenHash }: FeedRow): string | null {
  const secret = secretsOf(nonce).find((one) => hashSecret(one).equals(tokenHash))
  return secret === undefined ? null : `${session().publicUrl}/api/calendar/${company.id}.${secret}.ics`
}

export const feedInput = z.strictObject({ token: z.string().max(120) })

interface FeedEvent {
  id: string
  name: string
  typeDesc: string | null
  status: string
  meaning: string | null
  location: string | null
  lat: string | null
  lng: string | null
  startDate: Date
  endDate: Date
  dateModified: Date
}

/**
 * A user's activities as a calendar (RFC 5545), from 30 days back to 120 ahead, with the rights they have now. Times are
 * UTC, which every calendar shows in its own zone; the company's zone goes along as a hint. NOT_FOUND for any address
 * that is not in use: an unknown one, a revoked one, one of a deactivated user, of one who may see no activities any
 * more and of one whose password was set since (trigger end_feeds) look the same.
 */
export async function readFeed({ token }: z.infer<typeof feedInput>): Promise<Answer> {
  const ctx = await ownerOf(token)
  const events = await ctx.sql.query<FeedEvent>(sql`
    select t."id", t."name", y."name" as "typeDesc", t."status", s."meaning", t."location", t."lat"::text, t."lng"::text, t."startDate", t."endDate", t."dateModified"
    from activity t
      left join activity_type y on y."companyId" = t."companyId" and y."id" = t."activityTypeId"
      left join activity_status s on s."companyId" = t."companyId" and s."id" = t."statusId"
    where ${visibleRows(ctx, activity)} and ${mine(ctx, {})} and t."startDate" > now() - interval '30 days' and t."startDate" < now() + interval '120 days'
    order by t."startDate", t."id" limit 5000`)
  return {
    file: { name: 'outpost.ics', mimeType: 'text/calendar; charset=utf-8', body: Buffer.from(calendarOf(ctx, events)), inline: true },
  }
}

/** The owner's ctx. The token names the company; the row is found by the hash of the secret, inside that company only. */
async function ownerOf(token: string): Promise<Ctx> {
  const [companyId = '', secret = ''] = token.split('.')
  if (!isIdentifier(companyId) || secret.length !== 43) return fail('NOT_FOUND')
  const program = (await makeNamedCtx(session(), { companyId, userId: null })) ?? fail('NOT_FOUND')
  const found = await program.transaction((inner) =>
    inner.sql.maybe<{ userId: string }>(sql`
    update calendar_feed set "lastReadAt" = now() where "companyId" = ${companyId} and "tokenHash" = ${hashSecret(secret)} returning "userId"`),
  )
  if (!found) return fail('NOT_FOUND')
  const ctx = (await makeNamedCtx(session(), { companyId, userId: found.userId })) ?? fail('NOT_FOUND')
  return isPermitted(ctx, feedAccess) ? ctx : fail('NOT_FOUND')
}

function calendarOf({ company, user }: Ctx, events: readonly FeedEvent[]): string {
  const calendar = ical({
    name: `${user.firstName} ${user.lastName} · ${company.name}`,
    prodId: { company: 'Outpost', product: 'Activities' },
    ttl: 900,
    x: [{ key: 'X-WR-TIMEZONE', value: company.timeZone }],
  })
  for (const event of events) {
    const [lat, lng] = [Number(event.lat), Number(event.lng)]
    calendar.createEvent({
      id: `${event.id}@outpost`,
      start: event.startDate,
      end: event.endDate,
      lastModified: event.dateModified,
      stamp: event.dateModified,
      summary: event.name,
      description: [event.typeDesc, event.status].filter(Boolean).join(' · '),
      url: `${session().publicUrl}/sales/activities/${event.id}/view`,
      status: event.meaning === 'cancelled' ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
      ...(event.location ? { location: lat && lng ? { title: event.location, geo: { lat, lon: lng } } : event.location } : {}),
    })
  }
  return calendar.toString()
}
