import type { Page } from 'playwright'
import type { ListView } from '@outpost/contract/views'
import { describe, expect, it } from 'vitest'
import { calm, findViolations, tooWide } from './support/browser.ts'
import type { PageOptions, TestPage } from './support/browser.ts'
import { dragCard, pickUp } from './support/drag.ts'
import { laidList, laidServer } from './support/layouts.ts'
import { ways } from '../support/size.ts'
import { useSite } from './support/site.ts'
import { makeLeads, viewLayout } from './support/views.ts'

const site = useSite()

async function open(
  path = '/sales/leads?layout=kanban',
  { count = 300, list = laidList, ...options }: Partial<PageOptions> & { count?: number; list?: ListView } = {},
): Promise<TestPage> {
  const test = await site.open({
    layout: viewLayout(),
    width: 1800,
    height: 900,
    ...options,
    answers: laidServer(makeLeads(count), options.answers, list),
  })
  await test.page.goto(path)
  await test.page.locator('.board-card').first().waitFor()
  return test
}

const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)
const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true })
const count = (page: Page, name: string) => column(page, name).locator('.board-count').innerText()
const card = (page: Page, name: string, of: string) => column(page, of).getByRole('listitem', { name: new RegExp(`^${name},`) })
const movesOf = ({ calls }: TestPage) => calls.filter((call) => call.startsWith('PUT'))

describe('a board', () => {
  it('shows a column for each value with count and sum of the server, and draws only the cards in view', async () => {
    const { page } = await open(undefined, { count: 5000 })
    await soon(() => count(page, 'New')).toBe('834')
    await soon(() => count(page, 'Junk')).toBe('833')
    expect(await column(page, 'New').locator('.board-sum').innerText()).toMatch(/^KES\s?[\d,]+\.\d\d$/)
    expect(await page.locator('.board-card').count()).toBeLessThan(130)
    await column(page, 'New')
      .locator('.board-scroll')
      .evaluate((box) => {
        box.scrollTop = 104 * 45
      })
    await card(page, 'Emali Imani-Wanjiru 264', 'New').waitFor()
    expect(await page.locator('.board-card').count()).toBeLessThan(130)
  })

  it('says no sum where there is none, and keeps its line', async () => {
    const { page } = await open(undefined, { count: 3 })
    await soon(() => column(page, 'New').locator('.board-sum').innerText()).toMatch(/^KES/)
    expect(await column(page, 'Junk').locator('.board-sum').innerText()).toBe('')
    const heightOf = async (name: string) => (await column(page, name).locator('.board-sum').boundingBox())?.height
    expect(await heightOf('Junk')).toBe(await heightOf('New'))
  })

  it('has the filters and the search of the table; a filter on its own field leaves columns out', async () => {
    const { page } = await open('/sales/leads?layout=kanban&search=FATUMA')
    await soon(() => page.getByRole('region').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual([
      'New',
      'Contacted',
      'Qualified',
      'Submitted',
      'Converted',
      'Junk',
    ])
    const terms = encodeURIComponent(JSON.stringify([{ field: 'status', op: 'in', value: ['New', 'Junk'] }]))
    await page.goto(`/sales/leads?layout=kanban&filter=${terms}`)
    await page.locator('.board-card').first().waitFor()
    expect(await page.getByRole('region').getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['New', 'Junk'])
  })
})

describe('moving a card', () => {
  it('by pointer: at once, counted, and back by undo', async () => {
    const test = await open()
    const { page } = test
    await dragCard(page, card(page, 'Achieng Achieng-Wanjiru 0', 'New'), column(page, 'Contacted'))
    await card(page, 'Achieng Achieng-Wanjiru 0', 'Contacted').waitFor()
    await soon(() => count(page, 'Contacted')).toBe('51')
    await soon(() => count(page, 'New')).toBe('49')
    await page.getByRole('button', { name: 'Undo' }).click()
    await card(page, 'Achieng Achieng-Wanjiru 0', 'New').waitFor()
    await soon(() => count(page, 'New')).toBe('50')
    expect(movesOf(test)).toHaveLength(2)
  })

  it('by keys: Space, arrow, Space; the card keeps the focus', async () => {
    const { page } = await open()
    await card(page, 'Achieng Achieng-Wanjiru 0', 'New').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    await page.getByText('Gathoni Chepkoech-Wanjiru 6 over New, where it is').waitFor({ state: 'attached' })
    // dnd-kit listens to keys from a timer on; keys that come before it are lost, and a browser serves keys first.
    await page.evaluate(() => new Promise((done) => setTimeout(done, 20)))
    await page.keyboard.press('ArrowRight')
    await page.getByText('Gathoni Chepkoech-Wanjiru 6 over Contacted').waitFor({ state: 'attached' })
    await page.keyboard.press('Space')
    await card(page, 'Gathoni Chepkoech-Wanjiru 6', 'Contacted').and(page.locator(':focus')).waitFor()
  })

  it('by its menu; a column that asks for a reason gets one', async () => {
    const test = await open()
    const { page, requests } = test
    await card(page, 'Achieng Achieng-Wanjiru 0', 'New').focus()
    await page.keyboard.press('m')
    await page.getByRole('menuitem', { name: 'Move to Junk' }).click()
    const dialog = page.getByRole('dialog', { name: 'Move to Junk' })
    await dialog.getByRole('button', { name: 'Move to Junk' }).click()
    await dialog
      .getByText(/Reason/)
      .last()
      .waitFor()
    expect(movesOf(test)).toEqual([])
    await dialog.getByLabel('Reason').fill('Wrong number')
    await dialog.getByRole('button', { name: 'Move to Junk' }).click()
    await card(page, 'Achieng Achieng-Wanjiru 0', 'Junk').waitFor()
    await expect
      .poll(() => requests.find((request) => request.method() === 'PUT')?.postDataJSON() as unknown)
      .toEqual({ status: 'Junk', reason: 'Wrong number' })
  })

  it('goes back when the server refuses, says why, and offers what is allowed', async () => {
    const { page } = await open()
    await dragCard(page, card(page, 'Achieng Achieng-Wanjiru 0', 'New'), column(page, 'Converted'))
    const note = page.getByRole('alert').filter({ hasText: 'A lead that is New cannot become Converted.' }).first()
    await note.waitFor()
    await card(page, 'Achieng Achieng-Wanjiru 0', 'New').waitFor()
    await soon(() => count(page, 'Converted')).toBe('50')
    expect(await page.locator('.board-allowed button').allInnerTexts()).toEqual(['Move to Contacted', 'Move to Junk'])
    await page.getByRole('button', { name: 'Move to Contacted' }).click()
    await card(page, 'Achieng Achieng-Wanjiru 0', 'Contacted').waitFor()
    await soon(() => page.locator('.board-allowed').count()).toBe(0)
  })

  it('is not offered where the caller may not', async () => {
    const readOnly = {
      ...laidList,
      layouts: laidList.layouts?.map((layout) => (layout.kind === 'kanban' ? { ...layout, move: undefined } : layout)),
    }
    const test = await open(undefined, { list: readOnly })
    expect(await pickUp(test.page, card(test.page, 'Achieng Achieng-Wanjiru 0', 'New'))).toBe(false)
    await card(test.page, 'Achieng Achieng-Wanjiru 0', 'New').focus()
    await test.page.keyboard.press('m')
    await test.page.getByRole('menuitem', { name: 'Ask for consent' }).waitFor()
    expect(await test.page.getByRole('menuitem', { name: /Move to/ }).count()).toBe(0)
    expect(movesOf(test)).toEqual([])
  })
})

describe('a card', () => {
  it('is walked to by arrows, looked at by Enter, selected by x', async () => {
    const { page } = await open()
    await card(page, 'Achieng Achieng-Wanjiru 0', 'New').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await page.getByText('1 record selected').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('heading', { name: 'Hassan Juma 7' }).waitFor()
  })
})

describe('for everyone', () => {
  for (const { scheme, width } of ways) {
    it(`has no faults for axe and does not scroll sideways (${scheme}, ${width} px)`, async () => {
      const { page } = await open(undefined, { scheme, width })
      await calm(page)
      expect(await findViolations(page)).toEqual([])
      expect(await tooWide(page)).toEqual([])
    })
  }
})
