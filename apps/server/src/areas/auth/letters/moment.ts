/** A day with its weekday and the time, as a language has them. */
export const fullMoment = (language: string) => (moment: Date, timeZone: string) =>
  new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23', timeZone }).format(moment)
