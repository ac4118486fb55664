import type { Option } from '@outpost/contract/fields'

const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
/** Codes that are no country: unions, private use, unknown. */
const noCountries = new Set(['EU', 'EZ', 'UN', 'QO', 'XA', 'XB', 'ZZ'])

function named(type: 'region' | 'currency', codes: readonly string[]): Option[] {
  const names = new Intl.DisplayNames('en', { type, fallback: 'none' })
  const options = codes.flatMap((value) => {
    const name = names.of(value)
    return name ? [{ value, label: `${name} (${value})` }] : []
  })
  return options.toSorted((a, b) => a.label.localeCompare(b.label))
}

/** Countries by name; the value is ISO 3166 alpha-2. Codes that have become another one are left out. */
export const countries: readonly Option[] = named(
  'region',
  letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => !noCountries.has(code) && Intl.getCanonicalLocales(`und-${code}`)[0] === `und-${code}`),
)

/** Currencies by name; the value is ISO 4217. */
export const currencies: readonly Option[] = named('currency', Intl.supportedValuesOf('currency'))

/** Time zones as IANA names them. */
export const timeZones: readonly Option[] = Intl.supportedValuesOf('timeZone').map((value) => ({
  value,
  label: value.replaceAll('_', ' '),
}))
