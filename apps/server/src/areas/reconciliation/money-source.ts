import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'

/** Methods whose money is booked to the bank account (moneyAccount): the bank's statement shows it. */
export const bankMethods: readonly string[] = ['transfer', 'cheque', 'card']

/** Whether a payment (`p`) went through a bank, in SQL. */
export const isBankPayment: Statement = sql`p."method" = any(${[...bankMethods]}::text[])`

/** Days that a bank takes to credit what was captured: a cheque clears, a card is settled. All else is there on its day. */
const settles = { cheque: 7, card: 4 } as const

/** Days after which a payout is on its statement: mobile money about midnight is there the next day, a transfer of a Friday on Monday. */
const leaves = { mobileMoney: 1, other: 3 } as const

/**
 * Whose statement shows a payment (`p`), in SQL: the provider that told of it or whose statement it was read from; of what was captured by hand, the network that
 * mobile money came by, the bank for what goes through a bank. Null for cash, and for money that never moved (top-ups, proceeds of securities).
 */
export const sourceOfPayment: Statement = sql`
  case when p."provider" in ('topUp', 'securitySale') then null when p."provider" <> 'manual' then p."provider"
    when p."method" = 'mobileMoney' then 'mpesa' when ${isBankPayment} then 'bank' end`

/** Whose a statement is, in SQL. */
export const sourceOfStatement = (alias: Statement): Statement => sql`coalesce(${alias}."provider", ${alias}."source")`

/** For how many days after it was captured a payment (`p`) may come to its statement, in SQL. */
export const settlingDays: Statement = sql`case p."method" when 'cheque' then ${settles.cheque}::int when 'card' then ${settles.card}::int else 0 end`

/** Whose statement shows money that goes out, or what a security brought: by its channel (`cash` is on none), of mobile money by its network. Rows from before networks were named count as M-Pesa's. */
export const sourceOfChannel = (channel: Statement, network: Statement = sql`null::text`): Statement =>
  sql`case ${channel} when 'mobileMoney' then coalesce(${network}, 'mpesa') when 'bank' then 'bank' end`

/** For how many days after it was paid out a disbursement (`d`) may come to its statement, in SQL. */
export const leavingDays: Statement = sql`case d."channel" when 'mobileMoney' then ${leaves.mobileMoney}::int else ${leaves.other}::int end`
