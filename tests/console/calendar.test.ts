import type { Page } from 'playwright'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { takeShifts, watchShifts } from '../e2e/support/shifts.ts'
import { calm, findViolations, goTo, tooWide } from './support/browser.ts'
import type { PageOptions, TestPage } from './support/browser.ts'
import { calendarLayout, calendarServer, makeActivities, makeCrowd, today } from './support/calendar.ts'
import { isNightly, ways } from '../support/size.ts'
import { useSite } from './support/site.ts'

// The browser takes its time zone from here: the agents' own.
vi.stubEnv('TZ', 'Africa/Nairobi')
afterAll(() => vi.unstubAllEnvs())

const site = useSite()

const week = `/sales/activities/calendar?date=${today}`

async function open(
  path = week,
  {
    may = {},
    activities = makeActivities(),
    ...options
  }: Partial<PageOptions> & { may?: Record<string, unknown>; activities?: ReturnType<typeof makeActivities> } = {},
): Promise<TestPage & { activities: ReturnType<typeof makeActivities> }> {
  const test = await site.open({ layout: calendarLayout(), width: 1440, height: 900, ...options, answers: calendarServer(activities, may) })
  await test.page.goto(path)
  await test.page.locator('.cal-event').first().waitFor()
  return { ...test, activities }
}

const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)
const search = (page: Page) => new URL(page.url()).searchParams
const event = (page: Page, name: string) => page.locator('.cal-event').filter({ hasText: name })
const putsOf = ({ requests }: TestPage) =>
  requests.filter((request) => request.method() === 'PUT').map((request) => request.postDataJSON() as Record<string, string>)
const hours = (from: string, to: string) => (new Date(to).getTime() - new Date(from).getTime()) / 3_600_000

/** Drags from one place to another, some steps on the way. */
async function drag(page: Page, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.mouse.move(from.x, from.y)
  await page.mouse.down()
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 5 })
  await page.mouse.move(to.x, to.y, { steps: 5 })
  await page.mouse.up()
}

describe('the calendar', () => {
  it('shows the week of the address with every activity and its colour, and a mark where one repeats', async () => {
    const { page } = await open()
    await page.getByText('16 – 22 Nov 2026').waitFor()
    expect(await page.locator('.cal-event').count()).toBe(10)
    await expect.poll(() => event(page, 'Collect papers 2').getAttribute('class')).toContain('cal-good')
    expect(await page.getByLabel('repeats').count()).toBe(1)
  })

  it('is led by keys: m, w, d, a, arrows, t; Back returns', async () => {
    const { page } = await open()
    await page.keyboard.press('m')
    await page.getByText('November 2026', { exact: true }).waitFor()
    expect(search(page).get('view')).toBe('month')
    await page.keyboard.press('ArrowRight')
    await page.getByText('December 2026', { exact: true }).waitFor()
    await page.goBack()
    await page.getByText('November 2026', { exact: true }).waitFor()
    await page.keyboard.press('d')
    await page.getByText('Thursday 19 November 2026', { exact: true }).waitFor()
    await page.keyboard.press('a')
    await event(page, 'Call Barasa 6').waitFor()
    await page.keyboard.press('w')
    await page.keyboard.press('t')
    await soon(() => search(page).get('date')).toBeNull()
  })

  it('filters by status, type and agent, and keeps the choice in the address', async () => {
    const { page } = await open()
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByTitle('Amina Otieno').last().click()
    await soon(() => page.locator('.cal-event').count()).toBe(5)
    expect(search(page).get('agent')).toBe('u1')
    await page.goto(`${week}&status=Missed`)
    await page.locator('.cal-event').first().waitFor()
    expect(await page.locator('.cal-event').allInnerTexts()).toEqual([
      expect.stringContaining('Visit market 3'),
      expect.stringContaining('Collect papers 7'),
    ])
  })

  it('lays other dates over it when asked', async () => {
    const { page, calls } = await open()
    expect(calls.filter((call) => call.includes('calendar-layers'))).toEqual([])
    await page.getByRole('combobox', { name: 'Also show' }).click()
    await page.getByTitle('Consent given').last().click()
    await page.getByTitle('Route plans').last().click()
    await event(page, 'Consent given: Wanjiru Kamau').waitFor()
    await event(page, 'Route plans: Westlands round').waitFor()
    expect(search(page).get('layers')).toBe('leadConsent,routePlans')
  })
})

describe('an activity', () => {
  it('is dragged to another day, announced, and brought back by undo', async () => {
    const test = await open()
    const box = (await event(test.page, 'Visit Achieng 0').boundingBox())!
    const start = { x: box.x + box.width / 2, y: box.y + 24 }
    await drag(test.page, start, { x: start.x + box.width + 8, y: start.y })
    await test.page.getByText('Visit Achieng 0: moved').waitFor()
    expect(putsOf(test)).toEqual([{ startDate: '2026-11-17T06:00:00.000Z', endDate: '2026-11-17T07:00:00.000Z' }])
    await test.page.getByRole('button', { name: 'Undo' }).click()
    await soon(() => putsOf(test).length).toBe(2)
    expect(putsOf(test)[1]).toEqual({ startDate: '2026-11-16T06:00:00.000Z', endDate: '2026-11-16T07:00:00.000Z' })
  })

  it('has its way back only on the page it was moved on', async () => {
    const { page } = await open()
    const box = (await event(page, 'Visit Achieng 0').boundingBox())!
    const start = { x: box.x + box.width / 2, y: box.y + 24 }
    await drag(page, start, { x: start.x + box.width + 8, y: start.y })
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await page.getByRole('link', { name: 'Dashboard' }).click()
    await page.waitForURL((now) => now.pathname === '/')
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached', timeout: 3_000 })
  })

  it('is made longer by its edge', async () => {
    const test = await open()
    const box = (await event(test.page, 'Visit Achieng 0').boundingBox())!
    await test.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
    await drag(
      test.page,
      { x: box.x + box.width / 2, y: box.y + box.height - 2 },
      { x: box.x + box.width / 2, y: box.y + box.height * 1.5 },
    )
    await test.page.getByText('Visit Achieng 0: moved').waitFor()
    const [put] = putsOf(test)
    expect([put?.startDate, hours(put?.startDate ?? '', put?.endDate ?? '')]).toEqual(['2026-11-16T06:00:00.000Z', 1.5])
  })

  it('goes back when the server refuses, and says why', async () => {
    const test = await open()
    const box = (await event(test.page, 'Visit market 8').boundingBox())!
    const start = { x: box.x + box.width / 2, y: box.y + 24 }
    await drag(test.page, start, { x: start.x - box.width - 8, y: start.y })
    await test.page.getByText('The market is closed then.').waitFor()
    await soon(async () => Math.round((await event(test.page, 'Visit market 8').boundingBox())!.x)).toBe(Math.round(box.x))
  })

  it('that is done stays where it is, as does everything for who may not edit', async () => {
    const test = await open(week, { may: { mayEdit: false, mayCreate: false } })
    const box = (await event(test.page, 'Visit Achieng 0').boundingBox())!
    await drag(test.page, { x: box.x + 40, y: box.y + 24 }, { x: box.x + 40 + box.width, y: box.y + 24 })
    await test.page.keyboard.press('Escape')
    expect(putsOf(test)).toEqual([])
    expect(await test.page.getByRole('button', { name: 'New' }).count()).toBe(0)
  })

  it('is opened and moved by keys alone', async () => {
    const test = await open()
    const { page } = test
    await event(page, 'Call Chebet 4').focus()
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog').filter({ has: page.getByRole('heading', { name: 'Call Chebet 4' }) })
    await drawer.getByText('One of a series').waitFor()
    await drawer.getByRole('button', { name: 'Move to another time' }).click()
    const dialog = page.locator('.ant-modal').filter({ hasText: 'Move' })
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await soon(() => putsOf(test)).toEqual([{ startDate: '2026-11-18T06:00:00.000Z', endDate: '2026-11-18T07:00:00.000Z' }])
  })

  it('is made where the pointer marks a time, or by c', async () => {
    const test = await open()
    const { page } = test
    const box = (await event(page, 'Visit Achieng 0').boundingBox())!
    await drag(page, { x: box.x + 40, y: box.y + box.height * 2.1 }, { x: box.x + 40, y: box.y + box.height * 2.9 })
    const dialog = page.locator('.ant-modal').filter({ hasText: 'New activity' })
    await dialog.getByLabel('Name').fill('Meet the chief')
    await dialog.getByRole('button', { name: 'New activity', exact: true }).click()
    await event(page, 'Meet the chief').waitFor()
    const body = test.requests
      .find((request) => request.method() === 'POST' && request.url().endsWith('/api/activities'))
      ?.postDataJSON() as Record<string, string>
    expect([body.name, body.startDate, hours(body.startDate ?? '', body.endDate ?? '')]).toEqual([
      'Meet the chief',
      '2026-11-16T08:00:00.000Z',
      1,
    ])
    await page.keyboard.press('c')
    await page.locator('.ant-modal').filter({ hasText: 'New activity' }).getByLabel('Name').waitFor()
  })
})

describe('many agents', () => {
  it('begins with one’s own activities; everyone’s are counted an hour, and a count opens what it counts', async () => {
    const { page } = await open(week, { activities: makeCrowd(), may: { hasOwnWork: true } })
    expect(await page.locator('.cal-event').allInnerTexts()).toEqual([expect.stringContaining('Own meeting')])
    await page.getByRole('radiogroup', { name: 'Whose activities' }).getByText('Everyone').click()
    const stack = page.locator('.cal-stack').first()
    await stack.waitFor()
    expect(search(page).get('agent')).toBe('all')
    expect((await stack.innerText()).replaceAll(/\s+/g, ' ')).toMatch(/^30 activities 15 Pending 15 Completed$/)
    expect(await page.locator('.cal-event').count()).toBe(3)
    expect((await event(page, 'Own meeting').boundingBox())!.x).toBeLessThan((await stack.boundingBox())!.x)
    await stack.click()
    await soon(() => page.locator('.cal-event').count()).toBe(31)
    expect([search(page).get('view'), search(page).get('date'), search(page).get('hour')]).toEqual(['agenda', today, '9'])
    await page.getByRole('button', { name: /^Show the whole day/ }).click()
    await soon(() => page.locator('.cal-event').count()).toBe(61)
  })

  it('are side by side by choice, oneself first', async () => {
    const { page } = await open(week, { activities: makeCrowd(), may: { hasOwnWork: true } })
    await page.keyboard.press('g')
    await page.locator('.cal-column').first().waitFor()
    expect(await page.locator('.cal-column h2').allInnerTexts()).toEqual(expect.arrayContaining([expect.stringContaining('Agent 07')]))
    expect(await page.locator('.cal-column').count()).toBe(31)
    expect(await page.locator('.cal-column h2').first().innerText()).toContain('Grace Wanjiku')
    await page.getByRole('button', { name: /^Own meeting/ }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Own meeting' }).waitFor()
  })

  it('a month shows four of a day and how many more, which opens the agenda of that day', async () => {
    const { page } = await open(`${week}&view=month`, { activities: makeCrowd() })
    expect(await page.locator('.cal-event').count()).toBe(4)
    expect(await page.locator('.cal-event').first().innerText()).toContain('Own meeting')
    await page.getByRole('button', { name: /57/ }).click()
    await soon(() => search(page).get('view')).toBe('agenda')
    expect(search(page).get('date')).toBe(today)
    await soon(() => page.locator('.cal-event').count()).toBe(61)
  })

  it('an agenda begins with its day, not with the Monday before', async () => {
    const { page } = await open(`${week}&view=agenda`)
    await page.getByText('19 – 25 Nov 2026').waitFor()
    await soon(() => page.locator('.cal-event').count()).toBe(4)
  })

  it.each(ways)('nothing is cut, and everything is large enough for a finger, $scheme at $width px', async (way) => {
    const { page } = await open(week, { activities: makeCrowd(), ...way })
    for (const view of ['week', 'day', 'agents', 'month', 'agenda']) {
      await goTo(page, `${week}&view=${view}&agent=all`)
      await page
        .locator(view === 'agents' ? '.cal-columns' : `.cal-grid[data-view=${view}]`)
        .first()
        .waitFor()
      await page.locator('.cal-event').first().waitFor()
      await calm(page)
      const found = await page.evaluate(() => {
        const all = (selector: string) =>
          [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => one.getClientRects().length > 0)
        const targets = all('.cal a, .cal button, .cal [role=button], .cal [role=link], .cal .cal-event').map((one) => ({
          box: one.getBoundingClientRect(),
          text: `${one.className} ${one.innerText}`,
        }))
        return {
          cut: all('.cal-title, .cal-stack-count')
            .filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0)
            .map((one) => one.innerText),
          small: targets
            .filter(({ box }) => box.width < 24 || box.height < 24)
            .map(({ box, text }) => `${text} ${box.width}x${box.height}`),
        }
      })
      expect({ view, ...found }).toEqual({ view, cut: [], small: [] })
      expect(await findViolations(page)).toEqual([])
    }
  })
})

describe('for everyone', () => {
  const daily = [
    ['light', 1440, 'month'],
    ['dark', 360, 'month'],
  ] as const
  const nightly = [
    ['dark', 1440, 'week'],
    ['light', 1440, 'agenda'],
    ['light', 1440, 'day'],
    ['light', 390, 'agenda'],
  ] as const
  for (const [scheme, width, view] of isNightly ? [...daily, ...nightly] : daily) {
    it(`has no faults for axe and does not scroll sideways (${view}, ${scheme}, ${width} px)`, async () => {
      const { page } = await open(`${week}&view=${view}&layers=leadConsent,routePlans`, { scheme, width })
      await calm(page)
      expect(await findViolations(page)).toEqual([])
      expect(await tooWide(page)).toEqual([])
    })
  }

  it('fits the narrowest window whatever it holds, and moves nothing by itself', async () => {
    const long = makeCrowd().map((one) => ({
      ...one,
      name: `${'Donaudampfschifffahrtsgesellschaft'.repeat(4)} ${one.name}`,
      typeDesc: 'Unternehmensbesichtigungsvereinbarung',
      location: 'x'.repeat(120),
      agentName: 'Wanjiru'.repeat(20),
    }))
    const words = ['Month', 'Agenda', 'Agents', 'Everyone'].map((label) => ({ label, value: `${label} in words that are far too long` }))
    const { page, context } = await site.open({
      layout: { ...calendarLayout(), language: words },
      width: 320,
      height: 800,
      answers: calendarServer(long),
    })
    await watchShifts(context)
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 })
      for (const view of ['month', 'week', 'day', 'agenda', 'agents']) {
        await page.goto(`${week}&view=${view}&agent=all`)
        await page.locator('.cal-event').filter({ visible: true }).first().waitFor()
        expect({ width, view, tooWide: await tooWide(page), shift: await takeShifts(page) }).toEqual({
          width,
          view,
          tooWide: [],
          shift: null,
        })
      }
    }
  })

  it('opens as an agenda on a phone, with times and days a screen reader finds', async () => {
    const { page } = await open(week, { width: 390 })
    expect(await page.locator('.cal-grid').getAttribute('data-view')).toBe('agenda')
    await page.getByText('Thursday', { exact: true }).waitFor()
    expect(await event(page, 'Call Barasa 6').innerText()).toMatch(/\d\d:00/)
    await page.setViewportSize({ width: 320, height: 800 })
    await calm(page)
    expect(await tooWide(page)).toEqual([])
  })
})
