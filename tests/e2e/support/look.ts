import { expect } from 'vitest'
import { calm, findViolations, tooWide } from '../../console/support/browser.ts'
import type { Person } from '../../support/browser.ts'

/** Waits until the page has no placeholder left and does not move any more: what arrives may load more. */
export async function settle({ page }: Pick<Person, 'page'>): Promise<void> {
  const isThere = () =>
    page.waitForFunction(
      () =>
        document.fonts.status === 'loaded' &&
        document.querySelector('main h1') !== null &&
        !document.querySelector(
          '[role="status"][aria-label="Loading"], .ant-skeleton, .ant-spin-spinning, .ant-btn-loading, [aria-busy="true"]',
        ),
    )
  await isThere()
  await calm(page)
  await isThere()
}

export interface Look {
  what: string
  title: string
  heading: string
  violations: unknown[]
  tooWide: string[]
  faults: string[]
}

const wcag = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/**
 * What must be right on every screen: title, heading, WCAG 2.2 AA (and axe's best practices), no sideways scroll, no fault since the last
 * look. `rules`: these of axe alone, none when empty.
 */
export async function look(person: Person, what: string, rules?: string[], within?: string): Promise<Look> {
  const { page, faults } = person
  return {
    what,
    title: await page.title(),
    heading: (await page.locator('h1').allInnerTexts()).join('|'),
    violations: rules?.length === 0 ? [] : await findViolations(page, rules, within),
    tooWide: await tooWide(page),
    faults: faults.splice(0),
  }
}

/**
 * Fails with the name of what is open on a screen and everything that is wrong with it. WCAG alone: lists that drop
 * down are at the end of the page, outside its landmarks, which is only against a best practice. `within`: a dialog
 * over everything else, whose elements axe would hold against those below it, which nobody reaches meanwhile.
 */
export async function expectSound(person: Person, what: string, within?: string): Promise<void> {
  const { title, heading, ...found } = await look(person, what, wcag, within)
  expect(found).toEqual({ what, violations: [], tooWide: [], faults: [] })
  expect({ what, hasTitle: /^\S.* · \S/.test(title), hasHeading: heading !== '' && !heading.includes('|') }).toEqual({
    what,
    hasTitle: true,
    hasHeading: true,
  })
}
