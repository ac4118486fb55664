import { onDevicePage } from './support/device-page.ts'
import type { Bench } from './support/figure.ts'
import { longLog } from './support/long-log.ts'

/** A phone that has been without a network for very long. */
export const bench: Bench = {
  name: 'long-log',
  leads: 0,
  run: (house) => onDevicePage(house, (page) => longLog(house, page, 'officer@sunrise.test')),
}
