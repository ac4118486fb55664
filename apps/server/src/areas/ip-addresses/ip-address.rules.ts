import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { isRange } from '@outpost/platform/http/address'
import { reachChanged } from '../../kernel/session/rights.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { noRange, refuseOwnLockOut, refuseUnlessConfirmed } from './lock-out.ts'
import type { Rule } from './workers.ts'

type Row = ModelRow<'ipRule'>

/** Last look at an entry: a range that is one, of one list, that locks nobody out unknowingly and never the caller. */
export async function prepareIpAddress(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  // Everybody's identity holds the lists.
  reachChanged(ctx)
  // What is removed is looked at as a set, by the call.
  if (kind === 'remove') return {}
  const rule = ruleOf({ ...before, ...input })
  await refuseOwnLockOut(ctx, { ids: [id], rules: [rule] })
  await refuseUnlessConfirmed(ctx, { ids: [id], rules: [rule] }, input.mayLockOut)
  // Said for one save: the next change asks again.
  return {
    roleId: rule.roleId,
    userId: rule.userId,
    range: rule.range,
    mayLockOut: false,
    ...(kind === 'create' ? { createdByUserId: ctx.user.id } : {}),
  }
}

function ruleOf({ range = '', appliesTo = 'company', roleId = null, userId = null }: Partial<Row>): Rule {
  const text = range.trim()
  if (!isRange(text)) fail('INVALID', { fields: [{ field: 'range', message: noRange }] })
  if (appliesTo === 'role' && !roleId) fail('INVALID', { fields: [{ field: 'roleId', message: 'is required' }] })
  if (appliesTo === 'user' && !userId) fail('INVALID', { fields: [{ field: 'userId', message: 'is required' }] })
  return {
    range: text,
    appliesTo: appliesTo as Rule['appliesTo'],
    roleId: appliesTo === 'role' ? roleId : null,
    userId: appliesTo === 'user' ? userId : null,
  }
}
