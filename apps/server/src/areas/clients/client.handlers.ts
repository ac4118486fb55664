import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { trimPhone } from '@outpost/rules/phone'
import { z } from 'zod'
import type { HistoryOptions } from '../../kernel/keeps/history.ts'
import { recordAnswer } from '../../kernel/resource/answers.ts'
import { listRecords } from '../../kernel/resource/read/list.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { createRecord, getRecord, updateRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { writeSchemas, type RecordInput } from '../../kernel/resource/schema.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { Answer, Ctx, Operation } from '../../kernel/types.ts'
import { client } from './client.resource.ts'
import { clientFamilyOf } from './merging/client.family.ts'

export const searchInput = z.strictObject({ name: z.string().trim().min(1).max(100) })

/** Clients whose name, number or address holds the text; at most 50, newest first. */
export function searchClients(ctx: Ctx, { name }: z.infer<typeof searchInput>): Promise<Answer> {
  return listRecords(ctx, client, { search: name, page: 1, size: 50 })
}

export const phoneInput = z.strictObject({ phone: z.string().trim().min(1).max(25) })

/** The caller's client with this mobile number, however it is written. */
export async function clientByPhone(ctx: Ctx, { phone }: z.infer<typeof phoneInput>): Promise<Answer> {
  const trimmed =
    trimPhone(phone, ctx.company.country) ?? fail('INVALID', { fields: [{ field: 'phone', message: 'is not a phone number' }] })
  const found = await ctx.sql.maybe<{ id: string }>(sql`
    select "id" from client where "companyId" = ${ctx.company.id} and "trimmedPhonenumber" = ${trimmed} and "deletedAt" is null order by "dateCreated" desc limit 1`)
  return { data: { client: await getRecord(ctx, client, found?.id ?? fail('NOT_FOUND')) } }
}

/**
 * POST /api/clients: the whole person, made or, where its Id is that of a client in the caller's reach, changed. What the body
 * leaves out stays. Each half asks for its own permission. Under the company's counter, so that five at once are one client.
 */
export function saveClient(): Operation<RecordInput> {
  return {
    kind: 'create',
    resource: client,
    input: writeSchemas(client).create,
    isReadOnly: false,
    answer: recordAnswer(client),
    run: (ctx, input) => withStream(ctx, (inner) => save(inner, input)),
  }
}

async function save(ctx: Ctx, { Id, ...person }: RecordInput): Promise<Answer> {
  const isKnown =
    Id !== undefined &&
    (await ctx.sql.maybe(sql`select from client t where ${visibleRows(ctx, client)} and t."id" = ${Id as string}::uuid`))
  if (!holdsAny(ctx, isKnown ? 'CLIENTS/EDIT' : 'CLIENTS/CREATE')) fail('FORBIDDEN')
  if (isKnown) return { data: { client: await updateRecord(ctx, client, Id as string, person) }, message: 'Client updated successfully' }
  return { data: { client: await createRecord(ctx, client, { ...(Id ? { Id } : {}), ...person }) }, message: 'Client created successfully' }
}

/** Files a client with all that its lead says, in the running transaction. DUPLICATE_CLIENT when the person is one already. */
export function createClient(ctx: Ctx, leadId: string): Promise<WireRecord> {
  return createRecord(ctx, client, { leadId })
}

/** What the history of a client says beside its moves, that of clients merged into it too. */
export const clientHistory: HistoryOptions = {
  family: clientFamilyOf,
  acts: {
    'client.create': 'Captured',
    'client.deregisterUssd': 'USSD security cleared',
    'client.transfer': 'Transferred',
    'client.merge': 'Merged with a duplicate',
    'client.unmerge': 'Merge undone',
  },
  except: ['ussdPinHash', 'ussdDevice', 'ussdSecuredAt'],
}
