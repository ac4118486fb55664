import { randomUUIDv7 } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { patternsOf, type PatternOf } from '@outpost/rules/privacy/path-pattern'
import { recordWithoutPersons, withoutPersons } from '@outpost/rules/privacy/without-persons'
import { errorQuota, assertWithinQuota } from '../../kernel/quota.ts'
import { z } from 'zod'
import { defineResource } from '../../kernel/resource/define.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { suppliedId } from '../../kernel/resource/schema.ts'
import { holdsAny } from '../../kernel/session/permission.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'

/** Something that went wrong on a device, as it reported to the server; append-only. */
export const errorLog = defineResource({
  model: 'errorLog',
  one: 'errorLog',
  many: 'errorLogs',
  label: 'Error',
  labelMany: 'Errors',
  title: 'entityType',
  isScoped: true,
  fields: {
    userId: { kind: 'reference', label: 'User', to: 'user', readOnly: true },
    entityId: { kind: 'text', label: 'Entity (id)', readOnly: true },
    entityType: { kind: 'text', label: 'Entity', readOnly: true },
    errorDetail: { kind: 'longText', label: 'What went wrong', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'When', readOnly: true },
  },
  list: {
    columns: ['dateCreated', 'userId', 'entityType', 'entityId', 'errorDetail'],
    search: ['entityType', 'entityId', 'errorDetail'],
    sort: ['dateCreated', 'DESC'],
    size: 10_000,
    filters: ['entityType', 'userId'],
    empty: { title: 'No device has reported an error in these days', body: 'Widen the dates to look further back.' },
    dates: { at: { label: 'When', field: 'dateCreated', window: { kind: 'around', back: 30, ahead: 30 } } },
  },
})

/** The entry's id. */
export const loggedAnswer = z.strictObject({ errorLog: z.strictObject({ Id: identifierSchema }) })

/** Id, userId and dateCreated come along from clients; only the Id is believed. */
export const errorInput = z.strictObject({
  Id: suppliedId.optional(),
  userId: z.unknown().optional(),
  dateCreated: z.unknown().optional(),
  entityId: z.string().trim().max(100).nullish(),
  entityType: z.string().trim().min(1).max(100),
  errorDetail: z.union([z.string(), z.json()]),
})

const mostLetters = 10_000

/** What went wrong without persons: an older console, or somebody else's, may send addresses as they were. */
function toldDetail(detail: unknown, patternOf: PatternOf): string {
  const record = typeof detail === 'string' ? parsed(detail) : detail
  const told =
    record === undefined
      ? withoutPersons(String(detail).slice(0, mostLetters), patternOf)
      : JSON.stringify(recordWithoutPersons(record, patternOf))
  return told.replaceAll('\0', '').slice(0, mostLetters)
}

/** The record that a text holds; undefined where it holds none. */
function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return undefined
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Writes an error down for the caller, whoever the body names; sent twice with the same Id it is stored once. */
export function logError(paths: () => Iterable<string>) {
  let patternOf: PatternOf | undefined
  return (ctx: Ctx, input: z.infer<typeof errorInput>): Promise<Answer> => {
    patternOf ??= patternsOf(paths())
    return storeError(ctx, { ...input, errorDetail: toldDetail(input.errorDetail, patternOf) })
  }
}

async function storeError(ctx: Ctx, input: z.infer<typeof errorInput> & { errorDetail: string }): Promise<Answer> {
  const { Id, entityId, entityType, errorDetail } = input
  const id = Id ?? randomUUIDv7()
  await assertWithinQuota(ctx, errorQuota)
  await ctx.sql.exec(sql`
    insert into error_log ("companyId", "id", "tenantId", "userId", "entityId", "entityType", "errorDetail")
    values (${ctx.company.id}::uuid, ${id}::uuid, ${ctx.tenant.id}::uuid, ${ctx.user.id}::uuid, ${entityId ?? null}, ${entityType}, ${errorDetail}) on conflict do nothing`)
  return { data: { errorLog: { Id: id } } }
}

/** One entry: the caller's own, or with ADMIN/SETTINGS any in reach. */
export async function getError(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const found = await getRecord(ctx, errorLog, id)
  if (found['userId'] !== ctx.user.id && !holdsAny(ctx, 'ADMIN/SETTINGS')) fail('NOT_FOUND')
  return { data: { errorLog: found } }
}
