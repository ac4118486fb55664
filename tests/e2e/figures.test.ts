import { mapAsync } from 'es-toolkit/array/mapAsync'
import { range } from 'es-toolkit/math/range'
import type { Page } from 'playwright'
import { describe, expect, inject, it } from 'vitest'
import type { TileFigure } from '@outpost/contract/tiles'
import { goTo } from '../console/support/browser.ts'
import { callAs, type Call } from './support/calls.ts'
import { dataOf, leadMaker } from './support/leads.ts'
import { settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter } = usePeople()
const roles = ['admin', 'officer', 'credit', 'leader', 'branch', 'regional', 'zonal', 'sales', 'product', 'md']
const lists: Record<string, string> = {
  '/sales/leads': '/api/leads',
  '/sales/activities': '/api/activities',
  '/sales/activities/activity-plan': '/api/activities/activity-plan',
  '/admin/users/list': '/api/users',
  '/clients/list': '/api/clients',
  '/sales/applications': '/api/applications',
  '/loans/promises': '/api/promises',
  '/loans/stray-payouts': '/api/stray-payouts',
  '/clients/payments/': '/api/payments',
  '/loans/differences': '/api/reconciliation/differences',
  '/tasks': '/api/tasks',
}
/** Where a number opens a map in place of a list; the map's test counts what it draws. */
const maps = ['/sales/agents/map']

/** The call that the list's screen makes for an address. */
function callOf(open: string): string | undefined {
  const { pathname, searchParams } = new URL(open, url)
  const path = lists[pathname]
  if (!path) return undefined
  const query = new URLSearchParams({ size: '1' })
  for (const [from, to] of [
    ['dateType', 'dateType'],
    ['from', 'startDate'],
    ['to', 'endDate'],
    ['filter', 'filter'],
  ] as const) {
    const value = searchParams.get(from)
    // The router puts texts that would be read as JSON between quotes.
    if (value !== null) query.set(to, value.startsWith('"') ? (JSON.parse(value) as string) : value)
  }
  return `${path}?${query.toString()}`
}

describe('every number of the dashboards has as many rows', () => {
  it.each(roles)('for the role of %s', async (role) => {
    const call = await callAs(url, `${role}@sunrise.test`)
    const readTiles = async () =>
      Object.entries((await dataOf<{ tiles: Record<string, TileFigure> }>(call('GET', '/api/home/figures'))).tiles)
    const uncounted = (await readTiles()).filter(([, { open }]) => !callOf(open) && !maps.includes(new URL(open, url).pathname))
    expect(uncounted, 'a number that opens rows this test does not count').toEqual([])
    const read = async () =>
      (await readTiles()).map(([name, { open, value }]) => ({ name, href: open, value })).filter(({ href }) => callOf(href))
    const counted = await expectRows(call, read)
    expect(counted.length, `tiles of ${role}`).toBeGreaterThan(role === 'credit' || role === 'product' ? -1 : 2)
  })

  it.each([
    ['admin', '/'],
    ['admin', '/sales/dashboard'],
    ['admin', '/sales/leadsdashboard'],
    ['md', '/sales/dashboard'],
    ['branch', '/sales/dashboard'],
    ['leader', '/sales/dashboard'],
    ['officer', '/sales/dashboard'],
  ])('which a click of %s on %s shows', async (role, path) => {
    const person = await enter(`${role}@sunrise.test`, path)
    const { page } = person
    await settle(person)
    await page.locator('.widget-number a').first().waitFor()
    // The list behind every link is counted by its call; one link of each tile is followed as a person would.
    const call = await callAs(url, `${role}@sunrise.test`)
    const marks = await expectRows(call, async (isAgain) => {
      if (isAgain) {
        await page.reload()
        await settle(person)
        await page.locator('.widget-number a').first().waitFor()
      }
      return marksOf(page)
    })
    // The administrator's screens are followed whole; the other roles' links are counted above and followed by samples.
    const first = [...new Map(marks.toReversed().map((mark) => [mark.name, mark])).values()].slice(0, role === 'admin' ? 6 : 2)
    expect(first.length).toBeGreaterThan(role === 'admin' ? 3 : 1)
    for (const { href, value, name } of first) {
      await goTo(page, href)
      // As many as the number said, or as the server counts by now.
      const shown = async () => {
        const rows = await shownRows(page)
        return rows !== value && rows === (await countOf(call, href)) ? value : rows
      }
      await expect.poll(shown, { message: `${name} ${href}`, timeout: agreesIn }).toBe(value)
    }
    expect(person.faults).toEqual([])
  })
})

describe('every number of My Work has as many rows', () => {
  it.each([1440, 390])('which a click shows, also of more leads than it shows (%i px)', async (width) => {
    const email = 'officer@sunrise.test'
    const call = await callAs(url, email)
    const makeLead = leadMaker(() => call, 712_640_000 + width)
    // One after the other: the newest comes first.
    const made = await mapAsync(range(22), () => makeLead({ firstName: 'Captured' }), { concurrency: 1 })
    try {
      const person = await enter(email, '/agents/landingpage', { width, height: 900 })
      const { page } = person
      await settle(person)
      await page.getByRole('link', { name: /^Captured today: \d/ }).waitFor()
      const links = await page.locator('.mw a[href*="filter="]').evaluateAll((all) =>
        all.map((link) => ({
          href: link.getAttribute('href') ?? '',
          name: link.getAttribute('aria-label') ?? '',
          text: link.textContent,
        })),
      )
      const numbers = links.map(({ href, name, text }) => ({ href, name, value: number(/([\d,]+)\)?$/.exec(text)?.[1] ?? '') }))
      const totals = await mapAsync(numbers, ({ href }) => countOf(call, href))
      expect(numbers.map((one, index) => ({ ...one, value: totals[index] }))).toEqual(numbers)
      const names = numbers.map(({ name }) => name.replace(/,? \d.*/, ''))
      expect(new Set(names)).toEqual(
        new Set(['Done today:', 'Waiting:', 'Captured today:', 'Show all: Callbacks and consents', 'Show all: New leads']),
      )
      const fresh = page.locator('section', { has: page.getByRole('heading', { name: /^New leads/ }) })
      expect(await fresh.getByRole('article').count()).toBe(20)
      const [all] = await fresh.getByRole('link', { name: /^Show all: New leads/ }).all()
      const shown = number((await all?.innerText()) ?? '')
      expect(shown).toBeGreaterThanOrEqual(22)
      await fresh
        .getByRole('link', { name: /^Show all: New leads/ })
        .last()
        .click()
      await expect.poll(() => shownRows(page)).toBe(shown)
      // Whose leads they are is said by name.
      await page
        .getByText(/^Change the filter: Captured by \(person\) is [A-Z]\w+ [A-Z]\w+ or Assigned to is [A-Z]\w+ [A-Z]\w+$/)
        .first()
        .waitFor({ state: 'attached' })
      expect(person.faults).toEqual([])
    } finally {
      await dataOf((await callAs(url, 'admin@sunrise.test'))('POST', '/api/leads/delete', { ids: made }))
    }
  })

  it('has what is late below, where its number leads', async () => {
    const call = await callAs(url, 'officer@sunrise.test')
    const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
    const {
      activity: { Id },
    } = await dataOf<{ activity: { Id: string } }>(
      call('POST', '/api/activities', { name: 'Missed', startDate: at(-50), endDate: at(-49) }),
    )
    const person = await enter('officer@sunrise.test', '/agents/landingpage', { width: 390, height: 700 })
    const { page } = person
    await settle(person)
    const late = page.getByRole('button', { name: /^Overdue: \d/ })
    await late.click()
    const heading = page.getByRole('heading', { name: /^Overdue/ })
    await expect.poll(() => heading.evaluate((element) => element === document.activeElement)).toBe(true)
    const value = async () => number(await late.innerText())
    const shown = page.locator('section', { has: heading }).getByRole('article')
    // What ends at this minute is late from now on: the number counts when it is the same before and after.
    const numbers = async () => [await value(), await shown.count(), await value()]
    await expect.poll(async () => new Set(await numbers()).size).toBe(1)
    expect(await value()).toBeGreaterThan(0)
    await dataOf((await callAs(url, 'admin@sunrise.test'))('POST', '/api/activities/delete', { ids: [Id] }))
  })

  it('and the unread news are a page of their own, which the address says', async () => {
    const call = await callAs(url, 'officer@sunrise.test')
    const { count } = (await call('GET', '/api/notification/unreadnotifications')).body.data as unknown as { count: number }
    expect(count).toBeGreaterThan(0)
    const person = await enter('officer@sunrise.test', '/agents/landingpage')
    const { page } = person
    await page
      .getByRole('main')
      .getByRole('link', { name: `Notifications, ${count} unread` })
      .click()
    await page.waitForURL(/\/notifications\?state=unread$/)
    await expect.poll(() => page.locator('.o-news-list li').count()).toBe(Math.min(count, 25))
    await page.getByRole('radiogroup', { name: 'Which notifications' }).getByText('Read', { exact: true }).click()
    await page.waitForURL(/\?state=read$/)
    await page.reload()
    await expect.poll(() => page.getByRole('radio', { name: 'Read', exact: true }).isChecked()).toBe(true)
  })
})

interface Counted {
  meta: { total: number }
}
interface NumberLink {
  href: string
  value: number
  name: string
}
const number = (text: string) => Number(text.replaceAll(',', ''))

const countOf = async (call: Call, href: string): Promise<number> =>
  ((await call('GET', callOf(href)!)).body as unknown as Counted).meta.total

/** Milliseconds; the server remembers a total for 30 s. */
const agreesIn = 60_000

/**
 * Each number is that of the rows behind its link. The clock moves rows in and out of some (late, since yesterday), also between the two
 * readings: numbers that differ are read again, and must come to agree.
 */
async function expectRows(call: Call, read: (isAgain: boolean) => Promise<NumberLink[]>): Promise<NumberLink[]> {
  let numbers: NumberLink[] | undefined
  const wrong = async () => {
    numbers = await read(numbers !== undefined)
    const rows = await Promise.all(numbers.map(async (one) => ({ ...one, rows: await countOf(call, one.href) })))
    return rows.filter((one) => one.rows !== one.value)
  }
  await expect.poll(wrong, { timeout: agreesIn }).toEqual([])
  return numbers ?? []
}

/** Each number that leads to a list: large figures, and the values beside the links of drawings and tables. */
async function marksOf(page: Page): Promise<NumberLink[]> {
  const found = await page.locator('.widget a').evaluateAll((links) =>
    links.map((link) => {
      const isFigure = link.parentElement?.classList.contains('widget-number')
      const beside =
        link.closest('li')?.querySelector('.chart-value')?.firstChild?.textContent ??
        link.closest('tr')?.querySelector('td[data-number=true]')?.textContent
      const isSum = link.closest('.chart-key') !== null
      return {
        href: link.getAttribute('href') ?? '',
        text: (isFigure || isSum ? link.textContent : beside) ?? '',
        name: link.closest('.widget')?.querySelector('h2')?.textContent ?? '',
      }
    }),
  )
  const wanted = found.filter(
    ({ href, text }) => href.includes('?') && new URL(href, url).pathname in lists && /^[\d,]+$/.test(text.trim()),
  )
  return wanted.map(({ href, text, name }) => ({ href, value: number(text.trim()), name }))
}

const shownRows = async (page: Page): Promise<number> =>
  number(
    /([\d,]+) records?/.exec(
      await page
        .locator('.view-count')
        .innerText({ timeout: 1_000 })
        .catch(() => ''),
    )?.[1] ?? '-1',
  )
