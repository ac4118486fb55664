import type { Permission } from '@outpost/contract/permissions'
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
  /** SQL of a text; or an amount of the company, which is said with its currency, and a text behind it. */
  detail: string | { amount: string; more?: string }
}
