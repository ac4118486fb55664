import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { buildConsole } from './build.ts'
import { launchBrowser, openPage, type PageOptions, type TestPage } from './browser.ts'
import { serveConsole } from './serve.ts'

export interface Site {
  /** Where the console is served; known once the tests run. */
  readonly url: string
  /** Opens a page that is closed after its test, which fails when the page had a fault. */
  open(options: Omit<PageOptions, 'url'>): Promise<TestPage>
}

/** The built console in a browser, for all tests of the file that calls this at its top. */
export function useSite(): Site {
  let browser: Browser
  let served: Awaited<ReturnType<typeof serveConsole>>
  const opened: TestPage[] = []
  beforeAll(async () => {
    served = await serveConsole(await buildConsole())
    browser = await launchBrowser()
  })
  afterAll(async () => {
    await browser.close()
    await served.close()
  })
  afterEach(async () => {
    const pages = opened.splice(0)
    for (const { context } of pages) await context.close()
    expect(pages.flatMap(({ faults }) => faults)).toEqual([])
  })
  return {
    get url() {
      return served.url
    },
    open: async (options) => {
      const test = await openPage(browser, { url: served.url, ...options })
      opened.push(test)
      return test
    },
  }
}
