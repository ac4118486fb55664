import { sql, trusted } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'

/** Name of a person as SQL text, of the table with firstName and lastName that has the alias. */
export const nameText = (alias: string): string => `concat_ws(' ', ${alias}."firstName", nullif(${alias}."lastName", ''))`

/** The same as a part of a statement. */
export const nameOf = (alias: string): Statement => trusted(nameText(alias))

/** Name of the user of a company, both given as SQL; null where there is none. */
export const userName = (companyId: Statement, userId: Statement): Statement =>
  sql`(select ${nameOf('u')} from app_user u where u."companyId" = ${companyId} and u."id" = ${userId})`
