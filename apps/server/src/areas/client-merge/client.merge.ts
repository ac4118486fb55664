import { fail, Failure } from '@outpost/contract/errors'
import { identifier, sql } from '@outpost/platform/db/sql'
import { clientParts } from '@outpost/rules/clients/client-merge'
import type { Moved } from '../../kernel/merging/belongings.ts'
import {
  mergeInputOf,
  mergeRecords,
  mergesOf,
  undoMergeOf,
  type MergeInput,
  type Merging,
  type Pair,
  type Row,
} from '../../kernel/merging/merging.ts'
import type { Answer, Ctx, FieldDefinition } from '../../kernel/types.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { client, duplicatesOf, whatRuns } from '../clients/index.ts'
import { leadsApart, leadsAsOne } from '../leads/index.ts'
import { clientBelongings } from './client.belongings.ts'

const pin = ['ussdPinHash', 'ussdDevice', 'ussdSecuredAt'] as const

/** Two clients of one person, with their leads. */
const merging: Merging = {
  resource: client,
  table: 'client_merge',
  parts: clientParts,
  shows: 'phonenumber',
  belongings: clientBelongings,
  refuse: async (ctx, pair) => {
    await refuseSameGroup(ctx, pair)
    await refuseClosed(ctx, pair)
  },
  also: ({ winner, loser, taken }) => ({
    ...(winner['leadId'] === null && loser['leadId'] !== null ? { leadId: loser['leadId'] } : {}),
    // The PIN goes with the number that it is dialled from.
    ...(Object.hasOwn(taken, 'trimmedPhonenumber') ? Object.fromEntries(pin.map((key) => [key, loser[key] ?? null])) : {}),
  }),
  // Whoever a client was made of is nobody's to change, but for this.
  write: async (ctx, id, { leadId, ...values }) => {
    const columns = leadId === undefined ? {} : { leadId }
    if (Object.keys({ ...values, ...columns }).length > 0) await writeRecords(ctx, client, [{ kind: 'update', id, input: values, columns }])
  },
  tied: { ussdPinHash: pin, ussdSecuredAt: pin },
  merged: async (ctx, pair) => {
    await refuseTooManyLines(ctx, String(pair.winner['id']))
    const pinTry = await takePinTries(ctx, pair)
    const leadMergeId = await mergeLeadsOf(ctx, pair)
    return { ...(pinTry === undefined ? {} : { pinTry }), ...(leadMergeId ? { leadMergeId } : {}) }
  },
  parted: async (ctx, { pinTry, leadMergeId }) => {
    if (pinTry) await putPinTries(ctx, pinTry as PinTries)
    if (leadMergeId) await leadsApart(ctx, String(leadMergeId))
  },
  note: openLoansNote,
}

export const mergeInput = mergeInputOf(merging)
export const mergeClients = (ctx: Ctx, input: MergeInput): Promise<Answer> => mergeRecords(ctx, merging, input)
export const undoMerge = (ctx: Ctx, { id }: { id: string }): Promise<Answer> => undoMergeOf(ctx, merging, id)
export const clientMerges = (ctx: Ctx, { id }: { id: string }): Promise<Answer> => mergesOf(ctx, merging, id)
/** Clients in the caller's reach that may be the same person, likeliest first, each with its reasons. */
export const clientDuplicates = (ctx: Ctx, { id }: { id: string }): Promise<Answer> => duplicatesOf(ctx, client, id)

/** Nobody sits in a group twice: which of the two seats goes, with its savings and its office, is for people to say. */
async function refuseSameGroup(ctx: Ctx, { winner, loser }: Pair): Promise<void> {
  const groups = await ctx.sql.query<{ name: string }>(sql`
    select g."name" from client_group_member a join client_group_member b on b."companyId" = a."companyId" and b."groupId" = a."groupId" and b."clientId" = ${String(loser['id'])}::uuid
      join client_group g on g."companyId" = a."companyId" and g."id" = a."groupId"
    where a."companyId" = ${ctx.company.id} and a."clientId" = ${String(winner['id'])}::uuid order by 1 limit 5`)
  if (groups.length > 0)
    fail('CONFLICT', {
      message: `Both are members of ${groups.map(({ name }) => name).join(', ')}. Take one of them out of the group first.`,
    })
}

/** What runs with one client does not come to another one with whom business is closed. */
async function refuseClosed(ctx: Ctx, { winner, loser }: Pair): Promise<void> {
  const running = winner['status'] === 'Closed' ? await whatRuns(ctx, String(loser['id'])) : null
  if (running)
    fail('CONFLICT', {
      message: `The client that stays is closed, and the other one has ${running}. Reopen it first, or keep the other one.`,
    })
}

/** What a form could not save again is not made. */
async function refuseTooManyLines(ctx: Ctx, id: string): Promise<void> {
  const fields: Record<string, FieldDefinition> = client.fields
  for (const { label, of, max = 0, kind } of Object.values(fields)) {
    if (kind !== 'lines' || !of) continue
    const { count } = await ctx.sql.one<{ count: number }>(sql`
      select count(*)::int as count from ${identifier(of.table)} where "companyId" = ${ctx.company.id} and "clientId" = ${id}::uuid`)
    if (count > max) fail('CONFLICT', { message: `${label}: together they have ${count}, and ${max} is the most. Delete some first.` })
  }
}

/** The two leads become one as well, so that consents, assessments and drafts are those of one person. */
async function mergeLeadsOf(ctx: Ctx, { winner, loser }: Pair): Promise<string | undefined> {
  const [winnerId, loserId] = [winner['leadId'], loser['leadId']]
  if (typeof winnerId !== 'string' || typeof loserId !== 'string') return undefined
  try {
    return await leadsAsOne(ctx, { winnerId, loserId })
  } catch (error) {
    if (error instanceof Failure && error.error.status === 404)
      fail('CONFLICT', {
        message: 'A lead of these clients lies beyond your reach or was deleted. Somebody who sees both leads can do this.',
      })
    throw error
  }
}

/** Wrong PINs of a client; null: none were counted. */
interface PinTries {
  clientId: string
  tries: PinTry | null
}
interface PinTry {
  securedAt: string | null
  failures: number
  lockedUntil: string | null
}

/** Wrong PINs count on with the PIN that was taken over; gives what was counted of the winner's own. */
async function takePinTries(ctx: Ctx, { winner, loser, taken }: Pair & { taken: Row }): Promise<PinTries | undefined> {
  if (!Object.hasOwn(taken, 'trimmedPhonenumber')) return undefined
  const read = (id: unknown) =>
    ctx.sql.maybe<{ row: PinTry }>(sql`
      select to_jsonb(t) - '{companyId,clientId}'::text[] as row from ussd_pin_try t where t."companyId" = ${ctx.company.id} and t."clientId" = ${String(id)}::uuid for update`)
  const [own, other] = [await read(winner['id']), await read(loser['id'])]
  const clientId = String(winner['id'])
  if (other) await putPinTries(ctx, { clientId, tries: other.row })
  return { clientId, tries: own?.row ?? null }
}

async function putPinTries(ctx: Ctx, { clientId, tries }: PinTries): Promise<void> {
  if (!tries) {
    await ctx.sql.exec(sql`delete from ussd_pin_try where "companyId" = ${ctx.company.id} and "clientId" = ${clientId}::uuid`)
    return
  }
  const { securedAt, failures, lockedUntil } = tries
  await ctx.sql.exec(sql`
    insert into ussd_pin_try ("companyId", "clientId", "securedAt", "failures", "lockedUntil")
    values (${ctx.company.id}, ${clientId}::uuid, ${securedAt}::timestamptz, ${failures}, ${lockedUntil}::timestamptz)
    on conflict ("companyId", "clientId") do update set "securedAt" = excluded."securedAt", "failures" = excluded."failures", "lockedUntil" = excluded."lockedUntil"`)
}

/** Loans that run on both sides run on: it is said, for together they may be more than one person should owe. */
async function openLoansNote(ctx: Ctx, winnerId: string, { loans = [] }: Moved): Promise<string> {
  const ids = loans.map((row) => (typeof row === 'string' ? row : row.id))
  const { own, other } = await ctx.sql.one<{ own: number; other: number }>(sql`
    select count(*) filter (where "id" <> all(${ids}::uuid[]))::int as own, count(*) filter (where "id" = any(${ids}::uuid[]))::int as other
    from loan where "companyId" = ${ctx.company.id} and "clientId" = ${winnerId}::uuid and "deletedAt" is null and "status" in ('Approved', 'Active', 'Overpaid')`)
  return own > 0 && other > 0 ? `Both had open loans: the client has ${own + other} of them now.` : ''
}
