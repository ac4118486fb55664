import { randomUUIDv7 } from 'node:crypto'
import { fail } from '@outpost/contract/errors'
import { identifierSchema } from '@outpost/contract/input'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { companyDay } from '../../kernel/days.ts'
import { writeRecords } from '../../kernel/resource/pipeline.ts'
import { createRecord, getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx, PanelDefinition } from '../../kernel/types.ts'
import { networkFor, recordPayments, signedMoney } from '../loans/index.ts'
import { loanNamed, pairs, statementCheck } from '../reconciliation/index.ts'
import { checkedLines, readCsv } from './read-csv.ts'
import { isMt940, readMt940 } from './read-mt940.ts'
import { directions, verdicts } from './statement-line.resource.ts'
import { moneyStatement } from './statement.resource.ts'

export const readInput = z.strictObject({
  source: z.enum(['mpesa', 'bank', 'provider', 'network']),
  /** Of a provider that signs: its connection. */
  providerId: identifierSchema.nullish(),
  /** Of mobile money that is not connected: its network, as payments captured by hand name it. */
  network: z.string().max(30).nullish(),
  csv: z.string().min(1, 'is required').max(900_000),
  note: z.string().trim().max(300).nullish(),
})

/** Reads a statement, a CSV or an MT940, into a draft: nothing is booked, each line says what booking would do. */
export async function readIn(ctx: Ctx, { csv, note, ...from }: z.infer<typeof readInput>): Promise<Answer> {
  const { source, provider } = await sourceOf(ctx, from)
  const { currency } = ctx.company
  const raw = isMt940(csv) ? readMt940(csv, currency) : readCsv(csv)
  const lines = checkedLines(raw.lines, { currency, today: companyDay(ctx) })
  const days = lines.map(({ bookedOn }) => bookedOn).toSorted()
  const { Id } = await createRecord(
    ctx,
    moneyStatement,
    {},
    {
      source,
      provider,
      showsOut: raw.showsOut,
      note: note ?? null,
      status: 'Draft',
      firstOn: days[0],
      lastOn: days.at(-1),
      createdByUserId: ctx.user.id,
      tenantId: ctx.tenant.id,
    },
  )
  await ctx.sql.exec(sql`
    insert into money_statement_line ("companyId", "id", "tenantId", "statementId", "position", "bookedOn", "direction", "amount", "reference", "payer", "details", "verdict")
    select ${ctx.company.id}::uuid, r.id::uuid, ${ctx.tenant.id}::uuid, ${Id}::uuid, r.position, r."bookedOn"::date, r.direction, r.amount::numeric, r.reference, nullif(r.payer, ''), nullif(r.details, ''), 'Suspense'
    from json_to_recordset(${JSON.stringify(lines.map((line, position) => ({ ...line, position, id: randomUUIDv7() })))}::json) as r(id text, position int, "bookedOn" text, direction text, amount text, reference text, payer text, details text)`)
  await matchLines(ctx, Id)
  return {
    data: { moneyStatement: await getRecord(ctx, moneyStatement, Id) },
    message: `${lines.length} lines read; nothing is booked yet`,
  }
}

type From = Pick<z.infer<typeof readInput>, 'source' | 'providerId' | 'network'>

/** Whose statement it is, as it is stored. M-Pesa's is M-Pesa's, by whichever name. */
async function sourceOf(ctx: Ctx, { source, providerId, network }: From): Promise<{ source: string; provider: string | null }> {
  if (source === 'provider') return { source, provider: await providerOf(ctx, providerId ?? null) }
  if (source !== 'network') return { source, provider: null }
  if (!network?.trim()) fail('INVALID', { fields: [{ field: 'network', message: 'is required' }] })
  const name = await networkFor(ctx, network, 'network')
  return name === 'mpesa' ? { source: name, provider: null } : { source: 'provider', provider: name }
}

async function providerOf(ctx: Ctx, id: string | null): Promise<string> {
  const found = await ctx.sql.maybe<{ name: string }>(sql`
    select "name" from provider_connection where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid and "provider" = ${signedMoney} and "name" is not null`)
  return found?.name ?? fail('INVALID', { fields: [{ field: 'providerId', message: id === null ? 'is required' : 'does not exist' }] })
}

/**
 * Says of each line what booking does, by what is known now: money booked before, then the company's rules, then the loan that it names. Money that went out is
 * never booked from a statement: a line is a known payout or refund, or it left and nobody booked it.
 */
async function matchLines(ctx: Ctx, id: string): Promise<void> {
  // Pairs leave out what is ignored, and a rule may be gone since.
  await ctx.sql.exec(
    sql`update money_statement_line set "verdict" = 'Suspense' where "companyId" = ${ctx.company.id}::uuid and "statementId" = ${id}::uuid and "verdict" = 'Ignored'`,
  )
  await ctx.sql.exec(sql`
    with ${pairs(ctx, id)}, line as (
      select x."id", x."amount", x."direction", m."id" as known, m.payment, m.disbursement, m."amount" as booked, t."isSilent", r."does", r."holds", l."id" as "loanId"
      from money_statement_line x left join pairs t on t.line = x."id" left join money m on m."id" = t.money
      left join lateral (select r."does", r."holds" from statement_rule r where r."companyId" = x."companyId" and r."deletedAt" is null
        and strpos(upper(case r."column" when 'payer' then x."payer" when 'reference' then x."reference" else x."details" end), upper(r."holds")) > 0 order by r."position", r."id" limit 1) r on true
      left join lateral (select l."id" from loan l where l."companyId" = x."companyId" and l."deletedAt" is null and l."disbursedOn" <= x."bookedOn" and l."number"::text = ${loanNamed}) l on true
      where x."companyId" = ${ctx.company.id}::uuid and x."statementId" = ${id}::uuid)
    update money_statement_line x set "paymentId" = line.payment, "disbursementId" = line.disbursement,
      "loanId" = case when line.known is null and line."does" is null and line."direction" = 'in' then line."loanId" end,
      "verdict" = case when line.known is not null then case when line.booked = line."amount" then 'Known' else 'Differs' end
        when line."does" = 'ignore' then 'Ignored' when line."direction" = 'out' then 'Out' when line."does" = 'suspense' then 'Suspense' when line."loanId" is not null then 'Loan' else 'Suspense' end,
      "why" = case when line.known is not null and line.booked <> line."amount" then 'Booked as ' || line.booked when line."isSilent" then 'Captured without a reference: same amount and day'
        when line.known is null and line."does" is not null then 'Rule: ' || line."holds" end
    from line where x."companyId" = ${ctx.company.id}::uuid and x."id" = line."id"`)
}

interface Line extends Record<string, unknown> {
  id: string
  bookedOn: string
  amount: string
  reference: string
  payer: string | null
  details: string | null
  loanId: string | null
}

/** Books the lines for loans and for suspense, all or none, after judging them anew. Who books at the same moment waits and is refused. */
export async function bookStatement(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  const record = await getRecord(ctx, moneyStatement, id)
  const { status } = await ctx.sql.one<{ status: string }>(
    sql`select "status" from money_statement where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid for update`,
  )
  if (status !== 'Draft') fail('ILLEGAL_TRANSITION', { message: `The statement is ${status} already.` })
  const provider = String(record['provider'] ?? record['source'])
  await matchLines(ctx, id)
  const lines = await ctx.sql.query<Line>(sql`
    select "id", to_char("bookedOn", 'YYYY-MM-DD') as "bookedOn", "amount"::text, "reference", "payer", "details", "loanId" from money_statement_line
    where "companyId" = ${ctx.company.id}::uuid and "statementId" = ${id}::uuid and "verdict" in ('Loan', 'Suspense') order by "loanId", "position"`)
  await bookAll(ctx, lines, provider)
  await ctx.sql.exec(
    sql`update money_statement_line set "paymentId" = "id" where "companyId" = ${ctx.company.id}::uuid and "id" = any(${lines.map((line) => line.id)}::uuid[])`,
  )
  await writeRecords(ctx, moneyStatement, [
    { kind: 'update', id, input: { status: 'Booked' }, move: { field: 'status', name: 'book', asked: {} } },
  ])
  return {
    data: { moneyStatement: await getRecord(ctx, moneyStatement, id) },
    message: lines.length === 1 ? 'Booked: 1 payment' : `Booked: ${lines.length} payments`,
  }
}

/** How money of a provider comes in: of one that signs as it said of its latest payment, else as its messages do that say nothing. */
async function methodOf(ctx: Ctx, provider: string): Promise<string> {
  if (provider === 'bank') return 'transfer'
  const latest = await ctx.sql.maybe<{ method: string }>(
    sql`select "method" from payment where "companyId" = ${ctx.company.id}::uuid and "provider" = ${provider} order by "number" desc limit 1`,
  )
  return latest?.method ?? 'mobileMoney'
}

/** A payment has the id of its line. */
async function bookAll(ctx: Ctx, lines: readonly Line[], provider: string): Promise<void> {
  const method = await methodOf(ctx, provider)
  const made = await recordPayments(
    ctx,
    lines.map(({ id, bookedOn, amount, reference, payer, details, loanId }) => ({
      Id: id,
      isFact: true,
      loanId,
      amount,
      method,
      provider,
      providerReference: reference,
      paidOn: bookedOn,
      payerName: payer,
      billReference: details?.slice(0, 60) ?? null,
    })),
  )
  for (const [place, { failure }] of made.entries()) {
    const reference = lines[place]?.reference
    if (failure) fail('CONFLICT', { message: `${reference} cannot be booked: ${failure.message}`, details: { reference } })
  }
}

export const linesAnswer = z.strictObject({
  lines: z.array(
    z.strictObject({
      Id: identifierSchema,
      bookedOn: z.iso.date(),
      direction: z.string(),
      amount: z.number(),
      reference: z.string(),
      payer: z.string().nullable(),
      details: z.string().nullable(),
      verdict: z.string(),
      why: z.string().nullable(),
      loanNumber: z.string().nullable(),
    }),
  ),
})

/** The lines of a statement with what booking does or did. */
export async function linesOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, moneyStatement, id)
  const lines = await ctx.sql.query(sql`
    select x."id" as "Id", to_char(x."bookedOn", 'YYYY-MM-DD') as "bookedOn", x."direction", x."amount"::float8 as amount, x."reference", x."payer", x."details", x."verdict", x."why",
      (select 'L-' || lpad(l."number"::text, greatest(6, length(l."number"::text)), '0') from loan l where l."companyId" = x."companyId" and l."id" = x."loanId") as "loanNumber"
    from money_statement_line x where x."companyId" = ${ctx.company.id}::uuid and x."statementId" = ${id}::uuid order by x."position"`)
  return { data: { lines } }
}

export const differencesAnswer = z.strictObject({
  differences: z.array(
    z.strictObject({
      Id: identifierSchema,
      day: z.iso.date(),
      reference: z.string(),
      what: z.string(),
      stated: z.number().nullable(),
      booked: z.number().nullable(),
    }),
  ),
})

/** The statement against the books, as the nightly check finds it: each difference of these days once, by what counts most. */
export async function differencesOf(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, moneyStatement, id)
  const differences = await ctx.sql.query(sql`
    select d.* from (
      select distinct on (f."lineId", f."paymentId", f."disbursementId") coalesce(f."lineId", f."paymentId", f."disbursementId") as "Id", coalesce(f.day, f."dayBooked") as day, coalesce(x."reference", f.reference, '') as reference,
        case when f."disbursementId" is not null or x."direction" = 'out' then f.what when f.kind = 'Missing here' then 'Not booked' when f.kind = 'Missing there' then 'Not on the statement' else f.kind end as what,
        f.stated::float8 as stated, f.booked::float8 as booked
      from (${statementCheck(ctx, id)}) f left join money_statement_line x on x."companyId" = ${ctx.company.id}::uuid and x."id" = f."lineId"
      where f."statementId" = ${id}::uuid order by f."lineId", f."paymentId", f."disbursementId", f.kind) d order by 2, 3, 1 limit 1000`)
  return { data: { differences } }
}

const money = (label: string) => ({ kind: 'money', label, currency: 'company' }) as const
export const linesPanel: PanelDefinition = {
  key: 'lines',
  title: 'Lines of the statement',
  route: 'statements.lines',
  value: 'lines',
  fields: {
    bookedOn: { kind: 'date', label: 'Day' },
    direction: { kind: 'choice', label: 'Direction', options: directions },
    amount: money('Amount'),
    reference: { kind: 'text', label: 'Reference' },
    payer: { kind: 'text', label: 'Payer' },
    details: { kind: 'text', label: 'Details' },
    verdict: { kind: 'choice', label: 'What is done', options: verdicts },
    loanNumber: { kind: 'text', label: 'Loan' },
    why: { kind: 'text', label: 'Why' },
  },
  empty: { title: 'No lines' },
}
export const differencesPanel: PanelDefinition = {
  key: 'differences',
  title: 'Differences',
  route: 'statements.differences',
  value: 'differences',
  fields: {
    day: { kind: 'date', label: 'Day' },
    reference: { kind: 'text', label: 'Reference' },
    what: { kind: 'text', label: 'Difference' },
    stated: money('On the statement'),
    booked: money('Booked'),
  },
  empty: { title: 'Statement and books agree', body: 'Each line is booked with its amount, and nothing else is booked in these days.' },
}
