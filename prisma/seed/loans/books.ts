import { moneyText, zero, type Decimal } from '@outpost/rules/money'
import { chartOfAccounts, type Purpose } from '../../../apps/server/src/areas/ledger/chart.ts'
import { demoId } from '../random.ts'

interface Booking {
  tenantId: string
  loanId: string
  key: string
  kind: string
  on: string
  text: string
  paymentId?: string
  postings: readonly (readonly [Purpose, Decimal])[]
}

/** A ledger that loans book into. */
export type Book = ReturnType<typeof createBook>

/** The ledger as it grows; gives the id of each entry. */
export function createBook({ companyId, key, userId }: { companyId: string; key: string; userId: string }) {
  const entries: object[] = []
  const lines: object[] = []
  const accountId = (purpose: Purpose) =>
    demoId(
      `account ${key}`,
      chartOfAccounts.findIndex((one) => one.purpose === purpose),
    )
  const book = ({ tenantId, loanId, kind, on, text, paymentId, postings, key: own }: Booking): string => {
    const id = demoId(`entry ${key}`, entries.length)
    entries.push({
      companyId,
      id,
      tenantId,
      key: own,
      kind,
      bookedOn: on,
      valueOn: on,
      text,
      loanId,
      paymentId: paymentId ?? null,
      createdByUserId: userId,
      dateCreated: `${on}T09:00:00Z`,
    })
    for (const [purpose, amount] of postings)
      if (!amount.isZero())
        lines.push({
          companyId,
          id: demoId(`line ${key}`, lines.length),
          tenantId,
          entryId: id,
          accountId: accountId(purpose),
          bookedOn: on,
          loanId,
          debit: moneyText(amount.gt(0) ? amount : zero),
          credit: moneyText(amount.lt(0) ? amount.negated() : zero),
          dateCreated: `${on}T09:00:00Z`,
        })
    return id
  }
  return { entries, lines, book }
}
