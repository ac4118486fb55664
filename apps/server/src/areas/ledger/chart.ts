import { prepared } from '@outpost/platform/db/prepared'
import { sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../kernel/types.ts'

/** The accounts that the program books on, as a company begins with them: it may rename and renumber them. */
const accounts = {
  cash: { code: '1000', name: 'Cash', kind: 'asset' },
  bank: { code: '1010', name: 'Bank', kind: 'asset' },
  provider: { code: '1020', name: 'Mobile money', kind: 'asset' },
  portfolio: { code: '1100', name: 'Loan portfolio', kind: 'asset' },
  interestReceivable: { code: '1200', name: 'Interest receivable', kind: 'asset' },
  feeReceivable: { code: '1210', name: 'Fees receivable', kind: 'asset' },
  insuranceReceivable: { code: '1220', name: 'Insurance receivable', kind: 'asset' },
  penaltyReceivable: { code: '1230', name: 'Penalties receivable', kind: 'asset' },
  suspense: { code: '2000', name: 'Suspense', kind: 'liability' },
  overpayments: { code: '2100', name: 'Overpayments', kind: 'liability' },
  topUps: { code: '2150', name: 'Top-ups on their way to the loan they pay off', kind: 'liability' },
  securitySales: { code: '2160', name: 'Proceeds of securities on their way to the loan', kind: 'liability' },
  insurancePayable: { code: '2200', name: 'Insurance premiums payable', kind: 'liability' },
  interestIncome: { code: '4000', name: 'Interest income', kind: 'income' },
  feeIncome: { code: '4100', name: 'Fee income', kind: 'income' },
  penaltyIncome: { code: '4200', name: 'Penalty income', kind: 'income' },
  recoveries: { code: '4300', name: 'Recoveries of written-off loans', kind: 'income' },
  writeOffs: { code: '5000', name: 'Loans written off', kind: 'expense' },
  lostPayouts: { code: '5100', name: 'Payouts that left twice and were given up', kind: 'expense' },
  // Over all branches it is zero: what one branch gave to another is here until they settle it.
  interBranch: { code: '1900', name: 'Clearing between branches', kind: 'asset' },
} as const
export type Purpose = keyof typeof accounts
export const chartOfAccounts = Object.entries(accounts).map(([purpose, account]) => ({ purpose: purpose as Purpose, ...account }))

/** The company's accounts by what they are for; those that are missing are made. A code that the company gave to another account gets a suffix. */
export async function chartOf(ctx: Ctx): Promise<ReadonlyMap<Purpose, string>> {
  const found = await readChart(ctx)
  const missing = chartOfAccounts.filter(({ purpose }) => !found.has(purpose))
  if (missing.length === 0) return found
  await ctx.sql.exec(sql`
    insert into ledger_account ("companyId", "id", "code", "name", "kind", "purpose")
    select ${ctx.company.id}::uuid, uuidv7(),
      case when exists (select from ledger_account o where o."companyId" = ${ctx.company.id}::uuid and o."code" = g."code") then g."code" || '-' || g."purpose" else g."code" end,
      g."name", g."kind", g."purpose"
    from jsonb_to_recordset(${JSON.stringify(missing)}::jsonb) as g("code" text, "name" text, "kind" text, "purpose" text)
    on conflict do nothing`)
  return readChart(ctx)
}

async function readChart(ctx: Ctx): Promise<Map<Purpose, string>> {
  const rows = await ctx.sql.query<{ id: string; purpose: Purpose }>(
    prepared(
      sql`select "id", "purpose" from ledger_account where "companyId" = ${ctx.company.id}::uuid and "purpose" is not null`,
      'write',
    ),
  )
  return new Map(rows.map(({ id, purpose }) => [purpose, id]))
}
