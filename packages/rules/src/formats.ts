/** How a company wants days, numbers and amounts written. The first of each is what holds while nobody has chosen. */
export const dateFormats = ['D MMM YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY', 'DD.MM.YYYY', 'YYYY-MM-DD'] as const
export const numberFormats = ['language', '1,234.56', '1.234,56', '1 234,56', '1 234.56', "1'234.56"] as const
export const firstDays = ['monday', 'sunday', 'saturday'] as const
export const currencyDisplays = ['symbol', 'code'] as const

export interface Formats {
  /** A pattern of Day.js. */
  date: (typeof dateFormats)[number]
  /** An example, which is its own name; "language": as the language of the console has it. */
  number: (typeof numberFormats)[number]
  firstDay: (typeof firstDays)[number]
  /** Amounts with the sign of their currency (R) or its code (ZAR). */
  currency: (typeof currencyDisplays)[number]
}

/** The first day of the week as JavaScript counts: 0 is Sunday. */
export const weekStartOf = ({ firstDay }: Pick<Formats, 'firstDay'>): 0 | 1 | 6 =>
  ({ sunday: 0, monday: 1, saturday: 6 } as const)[firstDay]

/** What sets off thousands and decimals; undefined: as the language has it. A space is the one that does not break. */
export function separatorsOf({ number }: Pick<Formats, 'number'>): { group: string; decimal: string } | undefined {
  if (number === 'language') return undefined
  return { group: number.charAt(1).replace(' ', '\u00a0'), decimal: number.charAt(5) }
}

const oneOf = <Value extends string>(values: readonly [Value, ...Value[]], given: string | undefined): Value =>
  values.find((value) => value === given) ?? values[0]

/** Formats as they came over the wire; what is unknown or missing is as nobody had chosen. */
export const readFormats = (given: { readonly [Key in keyof Formats]?: string | undefined } = {}): Formats => ({
  date: oneOf(dateFormats, given.date),
  number: oneOf(numberFormats, given.number),
  firstDay: oneOf(firstDays, given.firstDay),
  currency: oneOf(currencyDisplays, given.currency),
})
