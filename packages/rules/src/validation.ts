/** Validation of single values (specification 5), used by both sides, so that a form and the server agree. */
export const isFirstName = (value: string) => /^[\p{L}\p{M}' -]{1,20}$/u.test(value) && /\p{L}/u.test(value)
/** A surname: like a first name, with room for double-barrelled ones. */
export const isPersonName = (value: string) => /^[\p{L}\p{M}'’ʼ. -]{1,60}$/u.test(value) && /\p{L}/u.test(value)
export const isAlphanumeric = (value: string) => /^[A-Za-z0-9]+$/.test(value)
/** At least 3 characters, starting and ending with a letter or digit. */
export const isAlphanumericWithSpaces = (value: string) => /^[A-Za-z0-9][A-Za-z0-9 ]+[A-Za-z0-9]$/.test(value)
/** Letters with an optional single space. */
export const isAlpha = (value: string) => /^[A-Za-z]+( [A-Za-z]+)?$/.test(value)
/** 13 or more digits in South Africa and by default; other countries' numbers are shorter (their usual lengths). */
export function isIdNumber(value: string, country?: string): boolean {
  const { least, most } = idNumberLength(country)
  return /^\d+$/.test(value) && value.length >= least && value.length <= most
}
const shortIdNumbers: ReadonlyMap<string, number> = new Map(Object.entries({ KE: 7, ZM: 9, TZ: 12 }))
/** The number of digits of an identity number in a country, also as text for the person who enters it. */
export function idNumberLength(country = ''): { least: number; most: number; words: string } {
  const least = shortIdNumbers.get(country) ?? 13
  return { least, most: 20, words: `${least} to 20 digits` }
}
/** A leading 0 followed by 9 digits, the local form in Kenya, Tanzania, Uganda, Zambia and South Africa. */
export const isLocalPhone = (value: string) => /^0\d{9}$/.test(value)
export const isIdentifier = (value: string) => /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(value)
/** The all-zero identifier means none and is never stored. */
export const isNoIdentifier = (value: string) => /^[0-]+$/.test(value) && isIdentifier(value)
export const isEmail = (value: string) =>
  value.length <= 254 && /^[^\s@<>()"',;:\\]+@[^\s@.<>()"',;:\\]+(\.[^\s@.<>()"',;:\\]+)+$/.test(value)
/** Zero and 999 mean "no fix" in stored positions. */
export function isPosition(latitude: number, longitude: number): boolean {
  const isMissing = (value: number) => !Number.isFinite(value) || value === 0 || value === 999
  return !isMissing(latitude) && !isMissing(longitude) && Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
}
