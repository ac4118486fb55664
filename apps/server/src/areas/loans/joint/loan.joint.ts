import { fail } from '@outpost/contract/errors'
import { loanTermsOf, rangeProblems } from '@outpost/rules/products/product-terms'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { recordSchema } from '../../../kernel/resource/answers.ts'
import { getRecord, type WireRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import { withStream } from '../../../kernel/sync/stream.ts'
import type { ActionDefinition, Answer, Ctx } from '../../../kernel/types.ts'
import { clientGroup } from '../../clients/index.ts'
import { creditTypeOf } from '../loan.caps.ts'
import { readVersion, versionOnOffer } from '../../products/index.ts'
import { createLoan, mayDecideOn, type NewLoan } from '../loan.create.ts'
import { newLoanInput, usualTermFields, usualTerms } from '../loan.handlers.ts'
import { loan } from '../loan.resource.ts'
import { jointShare, sharesOf } from './joint.shares.ts'

const { principal, method, annualRate, instalments, unit, creditType } = newLoanInput.shape
export const jointInput = z.strictObject({
  groupId: idSchema,
  principal,
  /** A product of the company, at its version on offer, or the one of those that is named; or usual terms, by the fields below. */
  productId: idSchema.nullish(),
  productVersionId: idSchema.nullish(),
  /** What each member takes; none: alike. */
  shares: z
    .array(z.strictObject({ clientId: idSchema, principal }))
    .max(400)
    .nullish(),
  method,
  annualRate,
  instalments,
  unit,
  creditType,
})
export const jointAnswer = () => z.strictObject({ loans: z.array(recordSchema(loan, 'detail')) })
type JointInput = Omit<z.infer<typeof jointInput>, 'groupId'>

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
    const shares = sharesOf(inner, { principal: input.principal, shares: input.shares ?? [], members })
    const agreed = input.productId ? await ofProduct(inner, input.productId, input) : usual(inner, input)
    const loans: WireRecord[] = []
    for (const [place, clientId] of members.entries()) {
      const principal = shares[place] ?? '0'
      const filed = { clientId, principal, tenantId: String(group['tenantId']), groupId: id, prefix: '' } as const
      loans.push(await createLoan(inner, { ...filed, ...agreed(principal) }))
    }
    return { data: { loans }, message: `${loans.length} loans of ${String(group['name'])} opened` }
  })
}

/** What the loans have in common, but for what goes by the share of each. */
type Agreed = (share: string) => Pick<NewLoan, 'terms' | 'creditType' | 'productVersionId' | 'productName'>

function usual(ctx: Ctx, input: JointInput): Agreed {
  if (input.productVersionId) fail('INVALID', { fields: [{ field: 'productId', message: 'is required with its version' }] })
  const common = { creditType: creditTypeOf(input.creditType ?? 'unsecured'), terms: usualTerms(ctx, input) }
  return () => common
}

/** The terms of a product on offer: its fees, penalty, insurance, grace and rounding. Each share lies within its ranges. */
async function ofProduct(ctx: Ctx, productId: string, input: JointInput): Promise<Agreed> {
  const own = (['method', 'annualRate', 'unit', 'creditType'] as const).filter((field) => input[field] != null)
  if (own.length > 0) fail('INVALID', { fields: own.map((field) => ({ field, message: 'is that of the product' })) })
  const offered = await versionOnOffer(ctx, productId)
  if (offered.length === 0) fail('INVALID', { fields: [{ field: 'productId', message: 'is not on offer here today' }] })
  const versionId = input.productVersionId ?? offered[0] ?? ''
  if (!offered.includes(versionId)) fail('INVALID', { fields: [{ field: 'productVersionId', message: 'is not on offer here today' }] })
  const { version, terms } = await readVersion(ctx, versionId)
  const product = {
    productVersionId: versionId,
    productName: String(version['productIdLabel'] ?? version['name']),
    creditType: terms.creditType,
  }
  const of = input.shares?.length ? 'shares' : 'principal'
  return (amount) => {
    const choice = { currency: ctx.company.currency, amount, instalments: input.instalments ?? 0 }
    const problems = rangeProblems(terms, choice).map(({ field, message }) =>
      field === 'amount' ? { field: of, message: `of ${amount}: a member’s part ${message}` } : { field, message },
    )
    if (problems.length > 0) fail('INVALID', { fields: problems })
    return { ...product, terms: loanTermsOf(terms, choice) }
  }
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

const ofNoProduct = { visibleIf: { eq: ['productId', null] } } as const
const { instalments: count, ...ownTerms } = usualTermFields
const jointFields = {
  principal: { kind: 'money', label: 'Amount for all members', required: true, help: 'Shared by the members to the cent' },
  shares: { kind: 'lines', label: 'Amount of each member', of: jointShare, by: 'groupId', max: 400, help: 'Left empty: all take the same' },
  productId: { kind: 'reference', label: 'Product', to: 'product', help: 'At its version on offer. Left empty: the terms below' },
  ...Object.fromEntries(Object.entries(ownTerms).map(([key, field]) => [key, { ...field, ...ofNoProduct }])),
  instalments: count,
} satisfies ActionDefinition['form']

/** Its button on the page of a group. */
export const lendThisGroupAction: ActionDefinition = {
  route: 'loans.lendGroup',
  label: 'Open a joint loan',
  scope: 'row',
  idField: 'groupId',
  visibleIf: { eq: ['status', 'Active'] },
  form: jointFields,
}

/** Its button, beside that for the loan of one client. */
export const openJointLoanAction: ActionDefinition = {
  route: 'loans.lendGroup',
  label: 'Open a joint loan',
  scope: 'page',
  form: {
    groupId: { kind: 'reference', label: 'Group', to: 'clientGroup', required: true, help: 'An active one: each member gets a loan' },
    ...jointFields,
  },
}
