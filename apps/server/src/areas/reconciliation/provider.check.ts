import { sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import type { Ctx } from '../../kernel/types.ts'

/** Payouts and refunds that a provider confirmed with another amount than was sent. */
export const providerCheck = ({ company }: Ctx): Statement => sql`
  select 'disbursement:' || d."id" || ':providerAmount' as key, 'Other amount' as kind, 'The provider paid another amount out' as what, d."tenantId", d."loanId", null::uuid as "paymentId", d."id" as "disbursementId",
    d."providerReference" as reference, to_char(d."paidOn", 'YYYY-MM-DD') as day, to_char(d."paidOn", 'YYYY-MM-DD') as "dayBooked", d."providerAmount" as stated, d."amount" as booked
  from disbursement d where d."companyId" = ${company.id}::uuid and d."deletedAt" is null and d."status" = 'Confirmed' and d."providerAmount" <> d."amount"`
