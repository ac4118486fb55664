import type { Option } from '@outpost/contract/fields'
import { sql } from '@outpost/platform/db/sql'
import { currencyDisplays, dateFormats, firstDays, numberFormats, readFormats, type Formats } from '@outpost/rules/formats'
import { faultOfColour } from '@outpost/rules/theme/brand'
import { isIdentifier } from '@outpost/rules/validation'
import { session } from '../session/services.ts'
import { choiceSetting, type TextSetting } from './define.ts'
import { effectiveOf } from './effective.ts'

const [formats, look] = [{ section: 'formats', level: 'company' } as const, { section: 'look', level: 'company' } as const]
const named = <Value extends string>(
  [first, ...others]: readonly [Value, ...Value[]],
  labels: Record<Value, string>,
): readonly [Option, ...Option[]] => {
  const option = (value: Value): Option => ({ value, label: labels[value] })
  return [option(first), ...others.map(option)]
}

/** How days, numbers and amounts are written. */
export const formatSettings = {
  date: choiceSetting({
    ...formats,
    name: 'dateFormat',
    label: 'Days',
    help: 'How a day is written in lists, forms and records, and how it is typed. The year first may be typed always.',
    options: named(dateFormats, {
      'D MMM YYYY': '22 Nov 2026',
      'DD/MM/YYYY': '22/11/2026',
      'MM/DD/YYYY': '11/22/2026',
      'DD.MM.YYYY': '22.11.2026',
      'YYYY-MM-DD': '2026-11-22',
    }),
  }),
  number: choiceSetting({
    ...formats,
    name: 'numberFormat',
    label: 'Numbers',
    help: 'What sets off thousands and decimals in numbers and amounts that are shown.',
    options: named(numberFormats, {
      language: 'As the language has it',
      '1,234.56': '1,234.56',
      '1.234,56': '1.234,56',
      '1 234,56': '1 234,56',
      '1 234.56': '1 234.56',
      "1'234.56": "1'234.56",
    }),
  }),
  firstDay: choiceSetting({
    ...formats,
    name: 'firstDayOfWeek',
    label: 'A week begins on',
    help: 'The first column of calendars, and where “This week” begins in lists. Targets and charts by week keep Monday.',
    options: named(firstDays, { monday: 'Monday', sunday: 'Sunday', saturday: 'Saturday' }),
  }),
  currency: choiceSetting({
    ...formats,
    name: 'currencyDisplay',
    label: 'Amounts',
    help: 'Whether amounts carry the sign of their currency or its code, which no two currencies share.',
    options: named(currencyDisplays, { symbol: 'The sign, such as R', code: 'The code, such as ZAR' }),
  }),
} as const

/** The company’s colour and logo. */
export const lookSettings = {
  colour: {
    ...look,
    kind: 'colour',
    name: 'primaryColour',
    label: 'Colour',
    help: 'Of buttons, links and the head of the console, and of pages for people outside. The dark theme takes the same colour, lightened until it can be read.',
    refuse: faultOfColour,
    standard: '',
  },
  logo: {
    ...look,
    kind: 'picture',
    name: 'logo',
    label: 'Logo',
    help: 'In the head of the console, at the sign-in on devices where somebody of the company was signed in, on pages for people outside and on PDFs. PNG or JPEG, up to 200 kB.',
    refuse: (value) => (isIdentifier(value) ? undefined : 'is uploaded, not written'),
    standard: '',
  },
} as const satisfies Record<string, TextSetting>

export interface CompanyLook {
  /** #rrggbb */
  colour?: string
  /** Address of the logo. */
  logo?: string
}

/** Where a logo is shown. Whoever knows its id may see it: a logo is no secret, and the sign-in page has no session. */
const logoUrl = (id: string): string => `/api/brand/logo/${id}`

/** How a company looks to its people and to people outside. Usually costs no query. */
export async function lookOf(companyId: string): Promise<CompanyLook> {
  const chosen = await session().settings.of(companyId)
  const value = (setting: TextSetting) => effectiveOf(chosen, setting, [companyId]).value
  const [colour, logo] = [value(lookSettings.colour), value(lookSettings.logo)]
  return { ...(colour === '' ? {} : { colour }), ...(logo === '' ? {} : { logo: logoUrl(logo) }) }
}

/** The logo of a company itself, for papers. */
export async function companyLogo(companyId: string): Promise<LogoBytes | undefined> {
  const { value } = effectiveOf(await session().settings.of(companyId), lookSettings.logo, [companyId])
  return value === '' ? undefined : logoById(value)
}

/** How a company writes days, numbers and amounts. Usually costs no query. */
export async function formatsOf(companyId: string): Promise<Formats> {
  const chosen = await session().settings.of(companyId)
  const value = (setting: TextSetting) => effectiveOf(chosen, setting, [companyId]).value
  const { date, number, firstDay, currency } = formatSettings
  return readFormats({ date: value(date), number: value(number), firstDay: value(firstDay), currency: value(currency) })
}

export interface LogoBytes {
  mimeType: string
  bytes: Buffer
}

/** The bytes of a logo by its id, of whichever company; undefined when there is none. */
export const logoById = (id: string): Promise<LogoBytes | undefined> =>
  session().store.sql.maybe<LogoBytes>(sql`select "mimeType", "bytes" from company_logo where "id" = ${id}::uuid`)
