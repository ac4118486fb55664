import { languageCodes } from '@outpost/contract/looks'
import { choiceOf } from '../../../kernel/settings/read.ts'
import type { Ctx } from '../../../kernel/types.ts'
import type { Account } from '../accounts.ts'
import { mailLanguage } from '../auth.settings.ts'
import { english } from './english.letters.ts'
import { french } from './french.letters.ts'
import type { Letters } from './letters.ts'
import { portuguese } from './portuguese.letters.ts'
import { swahili } from './swahili.letters.ts'

/** In each language of the console. */
export const written: Record<(typeof languageCodes)[number], Letters> = { en: english, fr: french, pt: portuguese, sw: swahili }

const codeOf = (text: string | null) => languageCodes.find((code) => code === text)

/** In the language that the person chose for the console, else in that of the company's mails. */
export async function lettersFor(ctx: Ctx, { language }: Pick<Account, 'language'>): Promise<Letters> {
  return written[codeOf(language) ?? codeOf(await choiceOf(ctx, mailLanguage)) ?? 'en']
}
