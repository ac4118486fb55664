import { fail } from '@outpost/contract/errors'
import { splitEvenly } from '@outpost/rules/lending/split'
import { Decimal, moneyText, zero } from '@outpost/rules/money'
import { defineResource } from '../../../kernel/resource/define.ts'
import type { Ctx } from '../../../kernel/types.ts'

/** What a member takes of a joint loan, as a line of its dialog: client and principal of the loan that it becomes. */
export const jointShare = defineResource({
  model: 'loan',
  one: 'jointShare',
  many: 'jointShares',
  label: 'Share',
  labelMany: 'Shares',
  title: 'principal',
  fields: {
    clientId: { kind: 'reference', label: 'Member', to: 'client', required: true },
    principal: { kind: 'money', label: 'Amount', required: true, currency: 'company', min: 0.01 },
  },
  list: { columns: ['clientId', 'principal'], sort: ['clientId', 'ASC'], size: 400 },
})

/** An amount of money as a body holds it. */
export type Amount = string | number
export interface Share {
  clientId: string
  principal: Amount
}

/** What each member takes, in the order of the members: alike to the cent, or as the shares say, which name each member once and add up to the principal exactly. */
export function sharesOf(
  { company }: Ctx,
  { principal, shares, members }: { principal: Amount; shares: readonly Share[]; members: readonly string[] },
): string[] {
  if (shares.length === 0) {
    const even = splitEvenly(principal, members.length, company.currency)
    if (even.some((share) => Number(share) <= 0)) refuse('principal', `is too little for ${members.length} members`)
    return even
  }
  const taken = new Map(shares.map((share) => [share.clientId, share.principal]))
  if (taken.size < shares.length) refuse('shares', 'name a member twice')
  const strangers = shares.filter(({ clientId }) => !members.includes(clientId)).length
  if (strangers > 0) refuse('shares', `name ${strangers} who are not in the group`)
  if (taken.size < members.length) refuse('shares', `leave out ${members.length - taken.size} of ${members.length} members`)
  const total = shares.reduce((sum, share) => sum.plus(share.principal), zero)
  if (!total.eq(principal)) refuse('shares', `add up to ${moneyText(total)}, not to ${moneyText(new Decimal(principal))}`)
  return members.map((id) => String(taken.get(id)))
}

const refuse = (field: string, message: string): never => fail('INVALID', { fields: [{ field, message }] })
