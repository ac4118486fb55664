import { languageCodes } from '@outpost/contract/looks'

interface LanguageOption {
  value: (typeof languageCodes)[number]
  label: string
}
const nameOf = new Intl.DisplayNames('en', { type: 'language' })
const optionOf = (value: LanguageOption['value']): LanguageOption => ({ value, label: nameOf.of(value) ?? value })
const [first, ...others] = languageCodes

/** The languages of the console as a choice, by their English names; English is the first. */
export const languageOptions: readonly [LanguageOption, ...LanguageOption[]] = [optionOf(first), ...others.map(optionOf)]
