import type { Permission } from '@outpost/contract/permissions'
import { decimalsOf } from '@outpost/rules/currency'
import type { CompanyRef } from '../types/ctx.ts'
import type { AnyResource } from '../types/resource.ts'

/** Records of one area as entries in the history of a record of another: that of a client tells of its loans. All texts are SQL over alias t of the resource's table. */
export interface RelatedEntries {
  /** The `one` of the records whose history they are in. */
  on: string
  /** Or a table whose rows are no records of their own: cut by company alone, and by reach in the database. */
  resource: AnyResource | { table: string }
  /** Shown to holders of one of these, as far as they see the records. */
  anyOf: readonly Permission[]
  /** Which of them belong to the records in the table ids(id). */
  where: string
  at: string
  /** The person who made it; `null::uuid` is the program. */
  who: string
  what: string
  detail: string | ((company: Pick<CompanyRef, 'currency'>) => string)
}

/** An amount of the company with its currency, as SQL: KES 1,200.00. */
export const amountIn =
  (column: string) =>
  ({ currency }: Pick<CompanyRef, 'currency'>): string => {
    const decimals = decimalsOf(currency)
    return `'${currency.replaceAll(/[^A-Z]/g, '')} ' || trim(to_char(${column}, 'FM999G999G999G999G990${decimals === 0 ? '' : `D${'0'.repeat(decimals)}`}'))`
  }
