import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { moneyText, zero, type Decimal } from '@outpost/rules/money'
import { z } from 'zod'
import { resourceNamed } from '../../../kernel/resource/define.ts'
import { writeRecords } from '../../../kernel/resource/pipeline.ts'
import { getRecord } from '../../../kernel/resource/records.ts'
import type { Answer, Ctx, PanelDefinition } from '../../../kernel/types.ts'
import type { Moved } from '../../../kernel/workflow/types.ts'
import { today } from '../../ledger/index.ts'
import { planOf, summaryOf, wantedOf } from './change.plan.ts'
import { accrue } from '../settling/loan.accrue.ts'
import { findLoan, lockLoan } from '../settling/loan.book.ts'
import { loan } from '../loan.resource.ts'
import { replaceSchedule } from '../loan.schedule.ts'
import { settle } from '../settling/loan.settle.ts'

const changes = () => resourceNamed('loanChange') ?? fail('NOT_FOUND')

/** Carries a restructure out as of today: its rows take the place of those to come, and all that was paid is allocated to them anew. */
export async function carryOut(ctx: Ctx, { id, record, before: asked }: Moved): Promise<void> {
  const account = (await lockLoan(ctx, String(record['loanId']))) ?? fail('NOT_FOUND')
  const plan = await planOf(ctx, account, wantedOf(asked))
  await replaceSchedule(ctx, { loanId: account.id, pastId: id, kept: plan.kept, rows: plan.after })
  const summary = summaryOf(plan)
  await writeRecords(ctx, loan, [
    {
      kind: 'update',
      id: account.id,
      input: {
        terms: plan.terms,
        instalment: moneyText(plan.after.at(1)?.total ?? plan.after[0]?.total ?? 0),
        instalments: plan.kept.length + plan.after.length,
        maturesOn: summary.lastAfter,
      },
    },
  ])
  await settle(ctx, account.id)
  await accrue(ctx, { loanId: account.id })
  await writeRecords(ctx, changes(), [{ kind: 'update', id, input: { ...summary, carriedOutOn: today(ctx), status: 'Approved' } }])
}

const side = {
  number: z.int().nullable(),
  dueOn: z.iso.date().nullable(),
  total: z.number().nullable(),
  principalLeft: z.number().nullable(),
}
export const compareAnswer = z.strictObject({
  rows: z.array(
    z.strictObject({
      Id: identifierSchema.or(z.string()),
      number: side.number,
      dueBefore: side.dueOn,
      totalBefore: side.total,
      balanceBefore: side.principalLeft,
      dueAfter: side.dueOn,
      totalAfter: side.total,
      balanceAfter: side.principalLeft,
    }),
  ),
})

interface Half {
  dueOn: string
  total: number
  balance: number
}

/** The rows that a restructure replaces beside those that take their place: as it would be today, or as it was carried out. */
export async function compareChange(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const record = await getRecord(ctx, changes(), id)
  const { before, after } = record['carriedOutOn'] ? await carriedOut(ctx, record) : await planned(ctx, record)
  const rows = Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    Id: String(index + 1),
    number: index + 1,
    ...halfOf('Before', before[index]),
    ...halfOf('After', after[index]),
  }))
  return { data: { rows } }
}

const halfOf = (name: 'Before' | 'After', row: Half | undefined) => ({
  [`due${name}`]: row?.dueOn ?? null,
  [`total${name}`]: row?.total ?? null,
  [`balance${name}`]: row?.balance ?? null,
})

/** Nothing where the loan has ended meanwhile. */
async function planned(ctx: Ctx, record: Record<string, unknown>): Promise<{ before: Half[]; after: Half[] }> {
  const account = await findLoan(ctx, String(record['loanId']))
  if (account?.status !== 'Active' || record['status'] !== 'Requested') return { before: [], after: [] }
  const { before, after } = await planOf(ctx, account, wantedOf(record))
  const half = (row: (typeof before)[number]): Half => ({
    dueOn: row.dueOn,
    total: Number(moneyText([row.principal, row.interest, row.fee, row.insurance].reduce<Decimal>((sum, part) => sum.plus(part), zero))),
    balance: Number(row.balance),
  })
  return { before: before.map(half), after: after.map(half) }
}

/** From the books: what was replaced, and what was in force right after it. */
async function carriedOut(ctx: Ctx, { Id, loanId, carriedOutOn }: Record<string, unknown>): Promise<{ before: Half[]; after: Half[] }> {
  const [change, account, on] = [String(Id), String(loanId), String(carriedOutOn)]
  const columns = sql`to_char(i."dueOn", 'YYYY-MM-DD') as "dueOn", (i."principal" + i."interest" + i."fee" + i."insurance")::float8 as total, i."balance"::float8 as balance`
  const of = sql`i."companyId" = ${ctx.company.id}::uuid and i."loanId" = ${account}::uuid and i."dueOn" > ${on}::date`
  const before = await ctx.sql.query<Half>(
    sql`select ${columns} from loan_instalment_past i where ${of} and i."changeId" = ${change}::uuid order by i."number"`,
  )
  const next = await ctx.sql.maybe<{ id: string }>(sql`
    select n."changeId" as id from loan_instalment_past n where n."companyId" = ${ctx.company.id}::uuid and n."loanId" = ${account}::uuid
      and n."replacedAt" > (select max(p."replacedAt") from loan_instalment_past p where p."companyId" = n."companyId" and p."loanId" = n."loanId" and p."changeId" = ${change}::uuid)
    order by n."replacedAt" limit 1`)
  const after = next
    ? await ctx.sql.query<Half>(
        sql`select ${columns} from loan_instalment_past i where ${of} and i."changeId" = ${next.id}::uuid order by i."number"`,
      )
    : await ctx.sql.query<Half>(sql`select ${columns} from loan_instalment i where ${of} order by i."number"`)
  return { before, after }
}

const money = (label: string) => ({ kind: 'money', label }) as const
export const comparePanel: PanelDefinition = {
  key: 'compare',
  title: 'Before and after',
  route: 'loanChanges.compare',
  value: 'rows',
  fields: {
    number: { kind: 'number', label: 'No.' },
    dueBefore: { kind: 'date', label: 'Due before' },
    totalBefore: money('Instalment before'),
    balanceBefore: money('Principal left before'),
    dueAfter: { kind: 'date', label: 'Due after' },
    totalAfter: money('Instalment after'),
    balanceAfter: money('Principal left after'),
  },
  empty: { title: 'Nothing to compare', body: 'It was not carried out.' },
}
