import { sql } from '@outpost/platform/db/sql'
import { feesDue, type LoanTerms } from '@outpost/rules/lending/terms'
import { moneyText } from '@outpost/rules/money'
import { termWords } from '@outpost/rules/products/term-words'
import { z } from 'zod'
import { getRecord } from '../../../kernel/resource/records.ts'
import type { Answer, Ctx, PanelDefinition } from '../../../kernel/types.ts'
import { loan } from '../loan.resource.ts'

const feeRow = z.strictObject({
  Id: z.string(),
  name: z.string(),
  kind: z.string(),
  amount: z.number(),
  due: z.string(),
  each: z.string(),
})
export const feesAnswer = z.strictObject({ fees: z.array(feeRow) })

/** The fees that a loan was agreed at: what each comes to, and when. */
export async function feesOfLoan(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, loan, id)
  const { terms, principal } = await ctx.sql.one<{ terms: LoanTerms; principal: string }>(
    sql`select "terms", "principal"::text from loan where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
  )
  const fees = terms.fees.map((fee, place) => ({
    Id: `${place + 1}`,
    name: fee.name,
    kind: fee.kind,
    amount: Number(fee.amount),
    due: fee.due,
    each: moneyText(feesDue({ ...terms, fees: [fee] }, principal, fee.due)),
  }))
  return { data: { fees } }
}

export const feesPanel: PanelDefinition = {
  key: 'fees',
  title: 'Fees agreed',
  route: 'loans.fees',
  value: 'fees',
  fields: {
    name: { kind: 'text', label: 'Fee' },
    kind: { kind: 'choice', label: 'Counted', options: termWords.feeKind },
    amount: { kind: 'number', label: 'Amount or percent' },
    due: { kind: 'choice', label: 'Due', options: termWords.feeDue },
    each: { kind: 'money', label: 'Comes to, each time' },
  },
  empty: { title: 'No fees were agreed' },
}
