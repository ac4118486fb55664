import type { RelatedEntries } from '../../kernel/keeps/related-entries.ts'
import { disbursement } from './payouts/disbursement.resource.ts'
import { loan } from './loan.resource.ts'
import { payment } from './payments/payment.resource.ts'
import { promise } from './collecting/promise.resource.ts'
import { securitySale } from './securities/sale.resource.ts'

const ofClient = { on: 'client', where: 't."clientId" in (select id from ids)', at: 't."dateCreated"', who: 't."createdByUserId"' } as const
const numbered = (word: string, prefix: string) => `'${word} ${prefix}-' || lpad(t."number"::text, 6, '0')`

/** What was lent to a client and paid, in the client's history. */
export const lendingOfClient: RelatedEntries[] = [
  {
    ...ofClient,
    resource: loan,
    anyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'],
    what: `${numbered('Loan', 'L')} || ' opened'`,
    detail: { amount: 't."principal"', more: 't."productName"' },
  },
  {
    ...ofClient,
    resource: disbursement,
    anyOf: ['LOAN/DISBURSEMENTS'],
    where: `${ofClient.where} and t."confirmedAt" is not null`,
    at: 't."confirmedAt"',
    who: 'null::uuid',
    what: `${numbered('Payout', 'D')} || case when t."kind" = 'refund' then ' refunded' else ' confirmed' end`,
    detail: { amount: 't."amount"' },
  },
  {
    ...ofClient,
    resource: payment,
    anyOf: ['CLIENTS'],
    what: `${numbered('Payment', 'R')} || case when t."status" = 'Reversed' then ', reversed since' else '' end`,
    detail: { amount: 't."amount"' },
  },
  {
    ...ofClient,
    resource: securitySale,
    anyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'],
    what: `${numbered('Sale', 'S')} || ' of ' || t."description"`,
    detail: { amount: 't."price"', more: 't."status"' },
  },
  {
    ...ofClient,
    resource: promise,
    anyOf: ['CLIENTS', 'LOAN/DISBURSEMENTS'],
    what: `'Promised to pay by ' || to_char(t."dueOn", 'YYYY-MM-DD')`,
    detail: { amount: 't."amount"', more: 't."status"' },
  },
]
