import { prepared } from '@outpost/platform/db/prepared'
import { join, sql } from '@outpost/platform/db/sql'
import type { Ctx } from '../../../kernel/types.ts'
import { bankMethods } from '../../reconciliation/index.ts'

/** Money that came in, as its door tells of it. */
export interface NewPayment {
  /** A provider says so: where the money lies by now is not its business, only the amount must be the same. */
  isFact?: boolean
  Id?: string | undefined
  loanId?: string | null | undefined
  amount: number | string
  method: string
  paidOn: string
  provider?: string
  providerReference?: string | null | undefined
  payerName?: string | null | undefined
  payerPhone?: string | null | undefined
  billReference?: string | null | undefined
  note?: string | null | undefined
}

/** A payment as it is looked for and booked. */
export interface Cleaned {
  given: NewPayment
  provider: string
  providerReference: string | null
  input: Omit<NewPayment, 'isFact' | 'provider' | 'providerReference'>
}

/** What a payment says that no other may say at the same moment. */
export function sayingsOf(one: Cleaned): string[] {
  const { input, provider, providerReference } = one
  // Money of a bank is the same money under several names.
  const names = isOfBank(one) ? new Set([provider, 'bank']) : [provider]
  return [
    ...(input.Id ? [`id ${input.Id.toLowerCase()}`] : []),
    ...(providerReference ? [...names].map((name) => `${name} ${providerReference.toUpperCase()}`) : []),
  ]
}

const isOfBank = ({ provider, input: { method } }: Cleaned) => provider !== 'mpesa' && bankMethods.includes(method)

/**
 * Under which providers the same money may be kept: the own one first. What goes through a bank is captured by hand, read from the bank's statement, or told of by
 * a bank that signs; banks that sign number their payments each by themselves.
 */
function namesOf(one: Cleaned, signing: readonly string[]): string[] {
  if (!isOfBank(one)) return [one.provider]
  const others = ['bank', 'manual'].includes(one.provider) ? signing : []
  return [...new Set([one.provider, 'bank', 'manual', ...others])]
}

/** Names of providers that sign, where somebody may have told of the same money. */
async function signingNames(ctx: Ctx, round: readonly Cleaned[]): Promise<string[]> {
  if (!round.some((one) => one.providerReference && isOfBank(one) && ['bank', 'manual'].includes(one.provider))) return []
  const rows = await ctx.sql.query<{ name: string }>(
    prepared(
      sql`select distinct "name" from provider_connection where "companyId" = ${ctx.company.id}::uuid and "name" is not null order by 1`,
      'write',
    ),
  )
  return rows.map(({ name }) => name)
}

/** Those who say the same at once wait for each other; locks are taken in one order. */
export async function lockTwins(ctx: Ctx, payments: readonly Cleaned[]): Promise<void> {
  const keys = [...new Set(payments.flatMap(sayingsOf))].map((key) => `payment ${ctx.company.id} ${key}`).toSorted()
  if (keys.length === 0) return
  await ctx.sql.exec(
    prepared(
      sql`select pg_advisory_xact_lock(hashtextextended(k, 0)) from (select k from unnest(${keys}::text[]) with ordinality u(k, n) order by n) k`,
      'write',
    ),
  )
}

export interface Twin {
  id: string
  loanId: string | null
  amount: string
  provider: string
  method: string
  reference: string | null
}

/** What is there already of these payments: by its Id first, else by its reference, under any of its names. */
export async function findTwins(ctx: Ctx, round: readonly Cleaned[]): Promise<Map<Cleaned, Twin>> {
  const ids = round.flatMap(({ input }) => input.Id ?? [])
  const signing = await signingNames(ctx, round)
  const said = round.flatMap((one) => {
    const reference = one.providerReference?.toUpperCase()
    return reference === undefined ? [] : namesOf(one, signing).map((provider) => ({ one, provider, reference }))
  })
  if (ids.length === 0 && said.length === 0) return new Map()
  const byReference = [...Map.groupBy(said, ({ provider }) => provider)].map(
    ([provider, own]) => sql`select "id" from search.payment_twin(${provider}, ${own.map(({ reference }) => reference)}::text[])`,
  )
  const found = join([sql`select unnest(${ids}::uuid[])`, ...byReference], ' union all ')
  const rows = await ctx.sql.query<Twin>(
    prepared(
      sql`
    select "id", "loanId", "amount"::text, "provider", "method", case when "status" <> 'Reversed' then upper("providerReference") end as reference from payment
    where "companyId" = ${ctx.company.id}::uuid and "id" = any(array(${found}))`,
      'write',
    ),
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  const bySaying = new Map(rows.flatMap((row) => (row.reference === null ? [] : [[`${row.provider} ${row.reference}`, row] as const])))
  const sayings = Map.groupBy(said, ({ one }) => one)
  return new Map(
    round.flatMap((one) => {
      const { Id } = one.input
      const same = (sayings.get(one) ?? []).flatMap(({ provider, reference }) => bySaying.get(`${provider} ${reference}`) ?? [])
      const twin =
        (Id && byId.get(Id.toLowerCase())) || same.find((row) => row.provider === one.provider || bankMethods.includes(row.method))
      return twin ? [[one, twin] as const] : []
    }),
  )
}
