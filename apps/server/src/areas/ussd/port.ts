import type { Formats } from '@outpost/rules/formats'
import { sql } from '@outpost/platform/db/sql'
import { createRecord } from '../../kernel/resource/records.ts'
import { notify } from '../../kernel/realtime/notify.ts'
import { session } from '../../kernel/session/services.ts'
import type { Ctx } from '../../kernel/types.ts'
import { moneyOf } from './words.ts'
import type { LoanLine, PaymentLine, Port } from './machine.ts'
import { isIdNumberOf, isPinOf, checkSecret, setPin, type Secured } from './pin.ts'
import { requestNews } from './request.news.ts'
import { ussdRequest } from './request.resource.ts'

export interface KnownClient extends Secured {
  tenantId: string
  firstName: string
  lastName: string
  assignedUserId: string | null
  ussdDevice: string | null
}

/** The client whose number it is; closed ones are nobody. */
export const clientOf = (ctx: Ctx, msisdn: string): Promise<KnownClient | undefined> =>
  ctx.sql.maybe<KnownClient>(sql`
    select "id", "tenantId", "firstName", "lastName", "assignedUserId", "idNumber", "ussdPinHash", "ussdDevice", "ussdSecuredAt" from client
    where "companyId" = ${ctx.company.id}::uuid and "trimmedPhonenumber" = ${msisdn} and "deletedAt" is null and "status" <> 'Closed' order by "dateCreated" desc limit 1`)

/** Loans of a client that run, the oldest first: what is owed, and what is due now or next. */
export const loansOf = (ctx: Ctx, clientId: string): Promise<LoanLine[]> =>
  ctx.sql.query<LoanLine & Record<string, unknown>>(sql`
    select l."id", 'L-' || lpad(l."number"::text, greatest(6, length(l."number"::text)), '0') as number, o.owed::text as owed,
      coalesce((select sum(i.open) from (${openRows}) i where i."dueOn" <= greatest(ctx.today(), n."dueOn")), 0)::text as due, to_char(n."dueOn", 'YYYY-MM-DD') as "dueOn"
    from loan l cross join lateral (select l."principalOwed" + l."interestOwed" + l."feesOwed" + l."penaltiesOwed" as owed) o
      left join lateral (select min(i."dueOn") as "dueOn" from (${openRows}) i) n on true
    where l."companyId" = ${ctx.company.id}::uuid and l."clientId" = ${clientId}::uuid and l."deletedAt" is null and l."status" = 'Active' order by l."number"`)

const openRows = sql`
  select r."dueOn", r."principal" + r."interest" + r."fee" + r."insurance" + r."penalty" - r."principalPaid" - r."interestPaid" - r."feePaid" - r."insurancePaid" - r."penaltyPaid" as open
  from loan_instalment r where r."companyId" = l."companyId" and r."loanId" = l."id"
    and r."principal" + r."interest" + r."fee" + r."insurance" + r."penalty" > r."principalPaid" + r."interestPaid" + r."feePaid" + r."insurancePaid" + r."penaltyPaid"`

export const paymentsOf = (ctx: Ctx, loanId: string): Promise<PaymentLine[]> =>
  ctx.sql.query<PaymentLine & Record<string, unknown>>(sql`
    select to_char("paidOn", 'YYYY-MM-DD') as "on", "amount"::text from payment
    where "companyId" = ${ctx.company.id}::uuid and "loanId" = ${loanId}::uuid and "status" = 'Posted' and "deletedAt" is null order by "paidOn" desc, "number" desc limit 5`)

export interface Caller {
  msisdn: string
  network: string
  sessionId: string
  payTo: string | null
  formats: Formats
}

/** The world as a session of a real phone has it. Nothing here calls outside. */
export function portOf(ctx: Ctx, known: KnownClient | undefined, { msisdn, network, sessionId, payTo, formats }: Caller): Port {
  const { company } = ctx
  const one = known as KnownClient
  return {
    company: company.name,
    currency: company.currency,
    formats,
    payTo,
    client: known
      ? {
          firstName: known.firstName,
          hasPin: known.ussdPinHash !== null,
          hasIdNumber: (known.idNumber ?? '') !== '',
          isOtherNetwork: known.ussdDevice !== null && known.ussdDevice !== network,
        }
      : null,
    checkPin: (pin) => checkSecret(ctx, one, () => isPinOf(one, pin)),
    checkIdNumber: (typed) => checkSecret(ctx, one, () => Promise.resolve(isIdNumberOf(one, typed))),
    hash: (pin) => session().passwords.hash(pin),
    isSame: (hash, pin) => session().passwords.verify(hash, pin),
    setPin: (hash) => setPin(ctx, one, { hash, network }),
    loans: () => (known ? loansOf(ctx, known.id) : Promise.resolve([])),
    payments: (loanId) => paymentsOf(ctx, loanId),
    request: async (kind, amount) => {
      const { Id } = await createRecord(
        ctx,
        ussdRequest,
        {},
        {
          kind,
          amount,
          msisdn,
          sessionId,
          clientId: known?.id ?? null,
          tenantId: known?.tenantId ?? company.id,
          assignedUserId: known?.assignedUserId ?? null,
          status: 'Open',
        },
      )
      if (!known?.assignedUserId) return
      const who = `${known.firstName} ${known.lastName}`
      const message =
        kind === 'Loan'
          ? `${who} asks for a loan of ${moneyOf(amount ?? '0', { currency: company.currency, formats })} by USSD`
          : `${who} asks to be called back`
      await notify(ctx, {
        userId: known.assignedUserId,
        itemType: 'Message',
        itemId: Id,
        kind: requestNews,
        message,
        link: `/clients/ussd/requests/${Id}/view`,
      })
    },
  }
}
