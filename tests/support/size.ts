/** Whether this run takes the long forms of the tests: `npm run test:nightly`, or TEST_SIZE=nightly. */
export const isNightly = process.env.TEST_SIZE === 'nightly'

export interface Way {
  scheme: 'light' | 'dark'
  width: number
}

/** How a screen is looked at: once light and wide, once dark and narrow; at night the other way round too. */
export const waysAt = (wide: number, narrow: number): readonly Way[] => {
  const daily: readonly Way[] = [
    { scheme: 'light', width: wide },
    { scheme: 'dark', width: narrow },
  ]
  return isNightly ? [...daily, { scheme: 'dark', width: wide }, { scheme: 'light', width: narrow }] : daily
}
export const ways = waysAt(1440, 390)
