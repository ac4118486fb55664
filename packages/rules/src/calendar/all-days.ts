/** The first of all days (YYYY-MM-DD): no record has one before it. */
export const firstDayOfAll = '1980-01-01'
/** The last of all days, as seen from a day (both YYYY-MM-DD): the end of the next year. */
export const lastDayOfAll = (today: string): string => `${Number(today.slice(0, 4)) + 1}-12-31`
