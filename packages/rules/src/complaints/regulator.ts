/** After so many days a client may take an unsettled complaint elsewhere, unless the company has another time; that clock never stops. Six weeks: South Africa, FAIS Act s27. */
export const regulatorDays = 42
/** After so many days the client of an open complaint is owed a letter about its progress, unless the company has another time. */
export const statusLetterDays = 21

/** Whom a client may turn to, as letters say it, by country. Of other countries we know no body by its law: a letter names the regulator alone. */
const bodies = new Map([['ZA', 'the ombud or the regulator']])
export const complaintBodyOf = (country: string): string => bodies.get(country) ?? 'the regulator'

const numbers = ['', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve']

/** A number of days in words: six weeks, 40 days. */
export function spanOf(days: number): string {
  if (days % 7 !== 0 || days === 0) return days === 1 ? 'one day' : `${days} days`
  const weeks = days / 7
  return weeks === 1 ? 'one week' : `${numbers[weeks] ?? weeks} weeks`
}
