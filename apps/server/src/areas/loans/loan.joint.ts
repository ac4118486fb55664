import { fail } from '@outpost/contract/errors'
import { splitEvenly } from '@outpost/rules/lending/split'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { getRecord, type WireRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { withStream } from '../../kernel/sync/stream.ts'
import type { ActionDefinition, Answer, Ctx } from '../../kernel/types.ts'
import { clientGroup } from '../clients/index.ts'
import { creditTypeOf } from './loan.caps.ts'
import { createLoan, mayDecideOn } from './loan.create.ts'
import { newLoanInput, usualTermFields, usualTerms } from './loan.handlers.ts'
import { loan } from './loan.resource.ts'

const { principal, method, annualRate, instalments, unit, creditType } = newLoanInput.shape
export const jointInput = z.strictObject({ groupId: idSchema, principal, method, annualRate, instalments, unit, creditType })
export const jointAnswer = () => z.strictObject({ loans: z.array(recordSchema(loan, 'detail')) })

/**
 * Opens a joint loan of a working group: a loan of each member, whose principals add up to the amount to the cent. All or none. One at a time: the next
 * waits until the payouts of the former are decided. The limit of the caller's roles holds for the whole amount.
 */
export function lendGroup(ctx: Ctx, { groupId: id, ...input }: z.infer<typeof jointInput>): Promise<Answer> {
  return withStream(ctx, async (inner) => {
    await mayDecideOn(inner, input.principal)
    const group = await getRecord(inner, clientGroup, id)
    if (group['status'] !== 'Active')
      fail('CONFLICT', { message: `${String(group['name'])} is ${String(group['status'])}: an active group borrows.` })
    const members = await membersOf(inner, id)
    const shares = splitEvenly(input.principal, members.length, inner.company.currency)
    if (shares.some((share) => Number(share) <= 0))
      fail('INVALID', { fields: [{ field: 'principal', message: `is too little for ${members.length} members` }] })
    const loans: WireRecord[] = []
    for (const [place, clientId] of members.entries())
      loans.push(
        await createLoan(inner, {
          clientId,
          principal: shares[place] ?? '0',
          creditType: creditTypeOf(input.creditType ?? 'unsecured'),
          terms: usualTerms(inner, input),
          tenantId: String(group['tenantId']),
          groupId: id,
          prefix: '',
        }),
      )
    return { data: { loans }, message: `${loans.length} loans of ${String(group['name'])} opened` }
  })
}

/** Who shares, in the order of the list of members; their loans that still wait for a payout stop it. */
async function membersOf(ctx: Ctx, groupId: string): Promise<string[]> {
  await ctx.sql.exec(sql`select from client_group where "companyId" = ${ctx.company.id}::uuid and "id" = ${groupId}::uuid for update`)
  const waiting = await ctx.sql.one<{ count: number }>(sql`
    select count(*)::int as count from loan where "companyId" = ${ctx.company.id}::uuid and "groupId" = ${groupId}::uuid and "status" = 'Approved' and "deletedAt" is null`)
  if (waiting.count > 0)
    fail('CONFLICT', { message: `${waiting.count} loans of this group still wait for their payout. Pay them out or cancel them first.` })
  const members = await ctx.sql.query<{ id: string; isActive: boolean; name: string }>(sql`
    select c."id", c."status" = 'Active' and c."deletedAt" is null as "isActive", concat_ws(' ', c."firstName", c."lastName") as name from client_group_member m
      join client c on c."companyId" = m."companyId" and c."id" = m."clientId"
    where m."companyId" = ${ctx.company.id}::uuid and m."groupId" = ${groupId}::uuid order by m."role" = 'Chair' desc, c."lastName", c."firstName", c."id"`)
  const away = members.filter(({ isActive }) => !isActive).map(({ name }) => name)
  if (away.length > 0)
    fail('CONFLICT', { message: `Not an active client: ${away.slice(0, 5).join(', ')}. Take them out of the group first.` })
  if (members.length === 0) fail('CONFLICT', { message: 'This group has no members.' })
  return members.map(({ id }) => id)
}

const amountOfAll = { kind: 'money', label: 'Amount for all members', required: true, help: 'Shared by the members to the cent' } as const

/** Its button on the page of a group. */
export const lendThisGroupAction: ActionDefinition = {
  route: 'loans.lendGroup',
  label: 'Open a joint loan',
  scope: 'row',
  idField: 'groupId',
  visibleIf: { eq: ['status', 'Active'] },
  form: { principal: amountOfAll, ...usualTermFields },
}

/** Its button, beside that for the loan of one client. */
export const openJointLoanAction: ActionDefinition = {
  route: 'loans.lendGroup',
  label: 'Open a joint loan',
  scope: 'page',
  form: {
    groupId: { kind: 'reference', label: 'Group', to: 'clientGroup', required: true, help: 'An active one: each member gets a loan' },
    principal: amountOfAll,
    ...usualTermFields,
  },
}
