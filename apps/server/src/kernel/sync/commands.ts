import type { Failure } from '@outpost/contract/errors'
import type { ChangeRecord } from '@outpost/contract/sync/protocol'
import { trusted } from '@outpost/platform/db/sql'
import { failureText } from '@outpost/platform/failures'
import type { Ctx } from '../types.ts'
import type { Decision } from './decision.ts'
import type { SyncCommand } from './entities.ts'
import type { WireRow } from './resolve.ts'
import { rejectCode } from './refusal.ts'

interface Running {
  change: ChangeRecord
  command: SyncCommand
  held: WireRow | undefined
  known: ReadonlySet<string>
  sentAt: string | undefined
}

/**
 * Makes a call that a device stored: it takes effect in the push's transaction, and the verdict follows from it.
 * What a rule refuses is taken back to where the call began. Nothing is written by the round for it: the call's own
 * writes have left their feed rows.
 */
export async function runCommand(ctx: Ctx, { change, command, held, known, sentAt }: Running): Promise<Partial<Decision>> {
  if (!held || held.isDeleted) return { outcome: 'rejected', code: 'GONE', message: 'The record was removed meanwhile.' }
  if (change.deps.some((id) => !known.has(id))) return { outcome: 'waiting', message: 'Waits for another record that has not arrived.' }
  const patch = change.patch[command.field]
  const input = command.input.safeParse(Array.isArray(patch) ? patch[1] : undefined)
  if (!input.success) {
    const [issue] = input.error.issues
    return {
      outcome: 'rejected',
      code: 'VALIDATION',
      message: `${[command.field, ...(issue?.path ?? [])].join('.')}: ${issue?.message ?? 'is not valid'}`,
    }
  }
  await ctx.sql.exec(trusted('savepoint command'))
  try {
    const record = await command.run(ctx, change.entityId, input.data, { sentAt })
    await ctx.sql.exec(trusted('release savepoint command'))
    return { outcome: 'applied', held: record as WireRow }
  } catch (error) {
    const code = rejectCode(error)
    if (!code) throw error
    await ctx.sql.exec(trusted('rollback to savepoint command'))
    return { outcome: 'rejected', code, message: failureText(error as Failure) }
  }
}
