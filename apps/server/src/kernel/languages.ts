import { languageCodes } from '@outpost/contract/looks'

const nameOf = new Intl.DisplayNames('en', { type: 'language' })
const optionOf = (value: string) => ({ value, label: nameOf.of(value) ?? value })
const [first, ...others] = languageCodes

/** The languages of the console as a choice, by their English names; English is the first. */
export const languageOptions = [optionOf(first), ...others.map(optionOf)] as const
