import type { Browser } from 'playwright'
import { afterAll, beforeAll, inject } from 'vitest'
import { launchLasting } from '../../console/support/browser.ts'
import { makeMoreRecords, makeRecords, removeRecords } from './screen-records.ts'

/** The demo company with a record for every screen, and a browser; for the file that calls this at its top. */
export function useFullDemo(): { readonly url: string; readonly browser: Browser } {
  const url = inject('outpostUrl')
  let browser: Browser
  beforeAll(async () => {
    browser = await launchLasting()
    await makeRecords(url)
    await makeMoreRecords(url)
  })
  afterAll(async () => {
    await removeRecords(url)
    await browser.close()
  })
  return {
    url,
    get browser() {
      return browser
    },
  }
}
