import { choiceOf } from '../../../kernel/settings/read.ts'
import type { Ctx } from '../../../kernel/types.ts'
import type { Account } from '../accounts.ts'
import { mailLanguage } from '../auth.settings.ts'
import { english } from './english.letters.ts'
import { french } from './french.letters.ts'
import type { Letters } from './letters.ts'

const written: ReadonlyMap<string, Letters> = new Map([
  ['en', english],
  ['fr', french],
])

/** In the language that the person chose for the console, else in that of the company's mails, else in English. */
export async function lettersFor(ctx: Ctx, { language }: Pick<Account, 'language'>): Promise<Letters> {
  return written.get(language ?? '') ?? written.get(await choiceOf(ctx, mailLanguage)) ?? english
}
