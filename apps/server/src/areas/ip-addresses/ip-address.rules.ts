import { fail } from '@outpost/contract/errors'
import type { ModelRow } from '@outpost/platform/db/models'
import { isRange } from '@outpost/platform/http/address'
import { reachChanged } from '../../kernel/session/rights.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { lockedOutBy, refuseOwnLockOut, type Rule } from './lock-out.ts'

type Row = ModelRow<'ipRule'>
const shown = 5

/** Last look at an entry: a range that is one, of one list, that locks nobody out unknowingly and never the caller. */
export async function prepareIpAddress(ctx: Ctx, { kind, input, before, id }: PrepareWrite<Row>): Promise<Partial<Row>> {
  // Everybody's identity holds the lists.
  reachChanged(ctx)
  if (kind === 'remove') {
    await refuseOwnLockOut(ctx, { id })
    return {}
  }
  const row = { ...before, ...input }
  const rule = ruleOf(row)
  await refuseOwnLockOut(ctx, { id, rule })
  const lockedOut = row.mayLockOut ? [] : await lockedOutBy(ctx, { id, rule })
  if (lockedOut.length > 0) {
    const names = lockedOut.slice(0, shown).map(({ name, ip }) => `${name} (${ip})`)
    const others = lockedOut.length > shown ? ` and ${lockedOut.length - shown} more` : ''
    fail('INVALID', {
      fields: [{ field: 'mayLockOut', message: `would lock out ${names.join(', ')}${others}, who worked from there in the last 30 days` }],
    })
  }
  return { roleId: rule.roleId, userId: rule.userId, range: rule.range, ...(kind === 'create' ? { createdByUserId: ctx.user.id } : {}) }
}

function ruleOf({ range = '', appliesTo = 'company', roleId = null, userId = null }: Partial<Row>): Rule {
  const text = range.trim()
  if (!isRange(text)) fail('INVALID', { fields: [{ field: 'range', message: 'is no address and no range like 196.201.214.0/24' }] })
  if (appliesTo === 'role' && !roleId) fail('INVALID', { fields: [{ field: 'roleId', message: 'is required' }] })
  if (appliesTo === 'user' && !userId) fail('INVALID', { fields: [{ field: 'userId', message: 'is required' }] })
  return {
    range: text,
    appliesTo: appliesTo as Rule['appliesTo'],
    roleId: appliesTo === 'role' ? roleId : null,
    userId: appliesTo === 'user' ? userId : null,
  }
}
