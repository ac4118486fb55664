const known = new Map<string, number>()

/** Decimals of a currency by ISO 4217: KES 2, UGX 0. A code that is none counts as one of two. */
export function decimalsOf(currency: string): number {
  if (!/^[A-Z]{3}$/.test(currency)) return 2
  let decimals = known.get(currency)
  if (decimals === undefined)
    known.set(
      currency,
      (decimals = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2),
    )
  return decimals
}

/** The currency of an amount: the one that its record names in the field `key`, else the company's. */
export function currencyOf(key: string | undefined, record: Readonly<Record<string, unknown>> | undefined, company: string): string {
  const code = key === undefined || key === 'company' ? undefined : record?.[key]
  return typeof code === 'string' && code.trim() !== '' ? code.trim().toUpperCase() : company
}

/** True when the amount needs no more decimals than these: zeros at its end, as stored amounts have them, count for nothing. */
export function fitsDecimals(amount: unknown, decimals: number): boolean {
  return new RegExp(decimals === 0 ? '^-?\\d+(\\.0+)?$' : `^-?\\d+(\\.\\d{1,${decimals}}0*)?$`).test(String(amount))
}

/** What is wrong with an amount of a currency, in words after the field's label; undefined when nothing is. */
export function amountFault(amount: unknown, currency: string): string | undefined {
  const decimals = decimalsOf(currency)
  if (fitsDecimals(amount, decimals)) return undefined
  return decimals === 0 ? `may hold no decimals in ${currency}` : `may hold ${decimals} decimals at most in ${currency}`
}

/** An amount as a whole number of the currency's smallest unit: sums of these are exact. */
export const minorUnits = (amount: number, currency: string): number => Math.round(amount * 10 ** decimalsOf(currency))
