import { randomUUID } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import type { PushResult } from '@outpost/contract/sync/protocol'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { audit } from '../../kernel/audit.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import type { SyncEntities, SyncEntity } from '../../kernel/sync/entities.ts'
import { pushChanges } from '../../kernel/sync/push.ts'
import { readChange } from '../../kernel/sync/read-change.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { corrected } from './correctable.ts'
import { recordNow } from './letter.values.ts'

export const replayInput = z.strictObject({
  id: idSchema,
  /** Right values of some of its fields, as their record's own calls take them. */
  values: z.record(z.string().trim().min(1).max(60), z.unknown()).default({}),
})
type ReplayInput = z.infer<typeof replayInput>

/**
 * Carries a change out that could not be placed, as the caller's own and with the caller's rights, with the values that were
 * corrected first. It goes the way of a device's change: merged with what the office did since. However often it is asked for at
 * once, it has its effect once; what is refused again stays open.
 */
export const replayDeadLetter =
  (entities: SyncEntities) =>
  async (ctx: Ctx, input: ReplayInput): Promise<Answer> => {
    const { replayedAs, envelope } = await begin(ctx, input.id)
    const read = readChange(envelope)
    if ('problem' in read) return fail('INVALID', { message: `The change cannot be read: ${read.problem}` })
    const entity = entities.get(read.entityType)
    const now = async () => (entity && !read.snapshot ? recordNow(ctx, entity, read.entityId) : {})
    const right = entity && Object.keys(input.values).length > 0 ? corrected(entity, read, input.values, await now()) : read
    const change = { ...right, changeId: replayedAs, userId: ctx.user.id }
    const [result] = await pushChanges(ctx, [change], { entities })
    const isDone = result !== undefined && (result.status === 'applied' || result.status === 'merged' || isDoneBefore(result))
    await ctx.transaction((inner) => (isDone ? settle(inner, input) : giveBack(inner, input.id, replayedAs)))
    if (!isDone) refuse(result, entity)
    return { data: { changeId: replayedAs, entityId: change.entityId }, message: 'Carried out' }
  }

const isDoneBefore = ({ status, first }: PushResult) => status === 'duplicate' && first !== 'rejected'

/** All who ask at once carry out one and the same change. */
function begin(ctx: Ctx, id: string): Promise<{ replayedAs: string; envelope: unknown }> {
  return ctx.transaction(async (inner) => {
    const letter = await inner.sql.maybe<{ replayedAs: string; envelope: unknown }>(sql`
      update sync_dead_letter set "replayedAs" = coalesce("replayedAs", ${randomUUID()}::uuid)
      where "companyId" = ${ctx.company.id} and "id" = ${id} and "state" = 'open' returning "replayedAs", "envelope"`)
    return letter ?? fail('NOT_FOUND')
  })
}

async function settle(ctx: Ctx, { id, values }: ReplayInput): Promise<void> {
  const done = await ctx.sql.exec(sql`
    update sync_dead_letter set "state" = 'replayed', "handledByUserId" = ${ctx.user.id}, "handledAt" = now()
    where "companyId" = ${ctx.company.id} and "id" = ${id} and "state" = 'open'`)
  if (done > 0) audit(ctx, { action: 'sync.replay', objectType: 'sync_dead_letter', objectId: id, after: values })
}

/** The next try is a change of its own; the letter that this one left would say the same twice. */
async function giveBack(ctx: Ctx, id: string, replayedAs: string): Promise<void> {
  await ctx.sql.exec(sql`delete from sync_dead_letter where "companyId" = ${ctx.company.id} and "changeId" = ${replayedAs}`)
  await ctx.sql.exec(sql`
    update sync_dead_letter set "replayedAs" = null where "companyId" = ${ctx.company.id} and "id" = ${id} and "replayedAs" = ${replayedAs}`)
}

/** Says why, at the fields that are at fault. */
function refuse(result: PushResult | undefined, entity: SyncEntity | undefined): never {
  const message = result?.message ?? 'The change could not be carried out.'
  if (result?.code === 'FORBIDDEN') return fail('FORBIDDEN', { message })
  if (result?.code !== 'VALIDATION') return fail('CONFLICT', { message })
  const fields = message.split('; ').map((part) => /^(\w+)((?:\.\w+)*): (.+)$/.exec(part)?.slice(1) ?? [])
  const areOfIt = fields.every(([key = '']) => Object.hasOwn(entity?.resource.fields ?? {}, key))
  return fail('INVALID', {
    message,
    ...(areOfIt ? { fields: fields.map(([key = '', rest = '', text = '']) => ({ field: key + rest, message: text })) } : {}),
  })
}
