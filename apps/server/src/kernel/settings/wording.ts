import { wordingOf, type Wording } from '@outpost/rules/wording'
import type { CompanyRef } from '../types.ts'
import { formatsOf } from './look.ts'

/** How a company writes days, numbers and amounts on papers, in mails and in messages. Usually costs no query. */
export async function wordingFor({ id, currency, timeZone }: Pick<CompanyRef, 'id' | 'currency' | 'timeZone'>): Promise<Wording> {
  return wordingOf({ currency, timeZone, formats: await formatsOf(id) })
}
