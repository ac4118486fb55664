import type { Page } from 'playwright'
import { expect } from 'vitest'
import { calm, findViolations, type PageOptions, type TestPage } from './browser.ts'
import { useSite } from './site.ts'
import { leadServer, makeLeads, viewLayout } from './views.ts'

export type Open = (path: string, options?: Partial<PageOptions> & { leads?: ReturnType<typeof makeLeads> }) => Promise<TestPage>

/** Opens a path of the console before a server with leads, 300 by default; for the file that calls this at its top. */
export function useLeads(): Open {
  const site = useSite()
  return async (path, { answers, leads = makeLeads(300), ...options } = {}) => {
    const test = await site.open({ layout: viewLayout(), ...options, answers: leadServer(leads, answers) })
    await test.page.goto(path)
    await test.page.locator('#main h1').first().waitFor()
    return test
  }
}

export const rows = (page: Page) => page.locator('.record-table .ant-table-row')
export const search = (page: Page) => new URL(page.url()).searchParams
export const lead = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
export const status = (page: Page, words: RegExp | string) => page.getByText(words).first().waitFor()

export const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

/** Waits for the popover to settle, then asks axe. */
export async function violations(page: Page, rules?: string[]) {
  await calm(page)
  return findViolations(page, rules)
}
