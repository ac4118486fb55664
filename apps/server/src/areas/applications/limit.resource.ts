import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { ModelRow } from '@outpost/platform/db/models'
import { takeTurn } from '@outpost/platform/db/turn'
import { defineResource } from '../../kernel/resource/define.ts'
import type { Ctx, PrepareWrite } from '../../kernel/types.ts'
import { bulkDeleteAction } from '../../kernel/screens/delete-action.ts'

type Row = ModelRow<'approvalLimit'>

/** Up to which amount people of a role decide. Without any, whoever may decide decides on every amount. */
export const approvalLimit = defineResource({
  model: 'approvalLimit',
  one: 'approvalLimit',
  many: 'approvalLimits',
  label: 'Limit of approval',
  labelMany: 'Limits of approval',
  title: 'roleId',
  writtenBy: 'company',
  isSoftDeleted: true,
  fields: {
    roleId: { kind: 'reference', label: 'Role', to: 'role', required: true, createOnly: true },
    amount: { kind: 'money', label: 'Up to', currency: 'company', required: true, min: 0.01, max: 999_999_999_999 },
    dateModified: { kind: 'dateTime', label: 'Changed', readOnly: true },
  },
  list: {
    columns: ['roleId', 'amount', 'dateModified'],
    sort: ['amount', 'DESC'],
    size: 1_000,
    filters: ['roleId'],
    empty: {
      title: 'No limits',
      body: 'Whoever decides on credit decides on every amount. With the first limit, roles without one decide on none.',
    },
  },
  form: [['roleId', 'amount']],
  actions: [
    bulkDeleteAction('applications.removeLimit', {
      title: 'Delete the chosen limits?',
      body: 'Their roles decide on nothing more. Without any limit, whoever decides on credit decides on every amount.',
    }),
  ],
  prepare: prepareLimit,
})

/** One limit for each role. */
async function prepareLimit(ctx: Ctx, { kind, input }: PrepareWrite<Row>): Promise<Partial<Row>> {
  if (kind !== 'create') return {}
  await takeTurn(ctx.sql, `approval_limit ${ctx.company.id}`)
  const twin = await ctx.sql.maybe(sql`
    select from approval_limit where "companyId" = ${ctx.company.id}::uuid and "roleId" = ${String(input.roleId)}::uuid and "deletedAt" is null`)
  if (twin) fail('INVALID', { fields: [{ field: 'roleId', message: 'has a limit already' }] })
  return { createdByUserId: ctx.user.id }
}
