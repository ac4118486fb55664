import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { calm, findViolations } from './support/browser.ts'
import type { Answers, TestPage } from './support/browser.ts'
import { useSite } from './support/site.ts'
import { bodyOf, leadServer, makeLeads, viewLayout } from './support/views.ts'

const site = useSite()

async function open(
  path: string,
  { answers, leads = makeLeads(300), width }: { answers?: Answers; leads?: ReturnType<typeof makeLeads>; width?: number } = {},
): Promise<TestPage> {
  const test = await site.open({ layout: viewLayout(), width, answers: leadServer(leads, answers) })
  await test.page.goto(path)
  await rows(test.page).first().waitFor()
  return test
}

const rows = (page: Page) => page.locator('.record-table .ant-table-row')
const search = (page: Page) => new URL(page.url()).searchParams
/** A loaded machine takes its time; what is asked must come true within eight seconds. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)

async function violations(page: Page) {
  await calm(page)
  return findViolations(page)
}

describe('the table', () => {
  it('makes columns as narrow as their words before it scrolls, and cuts no heading', async () => {
    const { page } = await open('/sales/leads', { width: 1440 })
    const cut = (selector: string) =>
      page.locator(selector).evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.textContent))
    const sides = () =>
      page
        .locator('.record-table th')
        .evaluateAll((all) => ({ start: all[0]?.getBoundingClientRect().left, end: all.at(-1)?.getBoundingClientRect().right }))
    for (const width of [1440, 1100, 800]) {
      await page.setViewportSize({ width, height: 900 })
      const box = (await page.locator('.record-table').boundingBox())!
      await soon(async () => Math.abs((await sides()).end! - box.x - box.width)).toBeLessThan(3)
      expect(await cut('.ant-table-column-title, .record-table th:not(.ant-table-column-has-sorters, [class*="-fix-"])')).toEqual([])
      expect(await cut('.record-table .ant-table-row .ant-table-cell:has(a[href^="tel:"])')).toEqual([])
    }
  })

  it('draws rows of 38 px, keeps its first column in sight, and has its sideways bar below the last row', async () => {
    const { page } = await open('/sales/leads', { width: 900 })
    const heights = () => rows(page).evaluateAll((all) => [...new Set(all.map((row) => Math.round(row.getBoundingClientRect().height)))])
    expect(await heights()).toEqual([38])
    for (const [name, height] of [
      ['Compact', 32],
      ['Roomy', 48],
      ['Medium', 38],
    ] as const) {
      await page.getByRole('button', { name: 'Columns and density' }).click()
      await page.getByText(name, { exact: true }).click()
      await soon(heights).toEqual([height])
      await page.keyboard.press('Escape')
    }
    const title = page.locator('.cell-title').first()
    const before = await title.boundingBox()
    await page.locator('.ant-table-tbody-virtual-holder').hover()
    await page.mouse.wheel(400, 0)
    await soon(() =>
      page
        .getByRole('columnheader', { name: 'Phone' })
        .boundingBox()
        .then((box) => Math.round(box?.x ?? 0)),
    ).toBeLessThan(Math.round(before?.x ?? 0))
    expect((await title.boundingBox())?.x).toBeCloseTo(before?.x ?? 0, 0)
    const [bar, holder] = [
      await page.locator('.ant-table-tbody-virtual-scrollbar-horizontal').boundingBox(),
      await page.locator('.ant-table-tbody-virtual-holder').boundingBox(),
    ]
    expect(bar?.y).toBeGreaterThanOrEqual((holder?.y ?? 0) + (holder?.height ?? 0))
    expect(await violations(page)).toEqual([])
  })

  it('asks again once after a change of many rows, however often the server announces it', async () => {
    const told: ((id: number) => void)[] = []
    const answers: Answers = {
      'POST /api/auth/ticket': () => ({ ticket: 'x' }),
      'POST /api/leads/assignlead': () => {
        for (let i = 0; i < 22; i += 1) told[0]?.(i)
        return {}
      },
    }
    const test = await site.open({ layout: viewLayout(), answers: leadServer(makeLeads(40), answers) })
    const { page, requests } = test
    await page.clock.install()
    await page.routeWebSocket(/api\/socket/, (socket) => {
      told.push((id) =>
        socket.send(JSON.stringify({ event: 'records.changed', data: { resource: 'lead', ids: [`${id}`], op: 'updated' } })),
      )
    })
    await page.goto('/sales/leads')
    await rows(page).first().waitFor()
    await soon(() => told.length).toBe(1)
    const lists = () => requests.filter((request) => new URL(request.url()).pathname === '/api/leads').length
    const before = lists()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Assign' }).click()
    await page.getByText(/^40 records: .*, .* and 35 more$/).waitFor()
    await page.getByRole('dialog').getByRole('combobox').click()
    await page.getByTitle('Amina Otieno').click()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await soon(lists).toBe(before + 1)
    // What waited for more news would ask by now.
    await page.clock.fastForward(5_000)
    await calm(page)
    expect(lists()).toBe(before + 1)
  })

  it('sorts by several columns: with Shift, with the keyboard, in the form, and from an address', async () => {
    const { page, requests } = await open('/sales/leads')
    const header = (name: string) => page.getByRole('columnheader', { name })
    await header('Status').click()
    await header('Instalment').click({ modifiers: ['Shift'] })
    await soon(() => search(page).get('sort')).toBe('status,installmentAmount')
    const asked = () => new URL(requests.findLast((request) => request.url().includes('/api/leads?'))!.url()).searchParams
    await soon(() => [asked().get('sortField'), asked().get('sortOrder')]).toEqual(['status,installmentAmount', 'ASC,ASC'])
    await header('Instalment').press('Shift+Enter')
    await soon(() => search(page).get('sort')).toBe('status,-installmentAmount')
    expect(await header('Instalment').evaluate((cell) => cell === document.activeElement)).toBe(true)
    expect([await header('Status').getAttribute('aria-sort'), await header('Instalment').getAttribute('aria-sort')]).toEqual([
      'ascending',
      'descending',
    ])
    expect(await page.locator('.sort-rank').allTextContents()).toEqual([', sorted as number 1', ', sorted as number 2'])
    await page.getByRole('button', { name: 'Sort: Status ↑, Instalment ↓' }).click()
    await page.getByRole('button', { name: 'Then by another column' }).click()
    await soon(() => search(page).get('sort')).toBe('status,-installmentAmount,fullName')
    await soon(() => asked().get('sortField')).toBe('status,installmentAmount,fullName')
    await page.locator('.list-body[aria-busy=false][data-former=false]').waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Do not sort by Status' }).click()
    await soon(() => search(page).get('sort')).toBe('-installmentAmount,fullName')
    await page.reload()
    await rows(page).first().waitFor()
    expect([await header('Instalment').getAttribute('aria-sort'), await header('Name').getAttribute('aria-sort')]).toEqual([
      'descending',
      'ascending',
    ])
    await header('Name').click()
    await soon(() => search(page).get('sort')).toBe('-fullName')
    expect(await page.locator('.sort-rank').count()).toBe(0)
  })

  it('changes a cell in its place: by keyboard and by mouse, at once, with the version, and puts it back', async () => {
    const leads = makeLeads(40)
    const sent: Record<string, unknown>[] = []
    let isOpen = (): void => undefined
    const answers = {
      'PUT /api/leads/*': async (route: Parameters<typeof bodyOf>[0]) => {
        const body = bodyOf(route)
        sent.push(body)
        await new Promise<void>((resolve) => {
          isOpen = resolve
        })
        const found = leads.find((one) => route.request().url().endsWith(one.Id))
        return { lead: Object.assign(found ?? {}, body, { version: 2 }) }
      },
    }
    const { page } = await open('/sales/leads', { leads, answers })
    const cell = (row: number, column: number) => rows(page).nth(row).getByRole('gridcell').nth(column)
    await rows(page).first().waitFor()
    const before = await cell(1, 2).boundingBox()
    await page.locator('.record-table').focus()
    for (const key of ['ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight', 'F2']) await page.keyboard.press(key)
    const input = page.getByRole('textbox', { name: 'Phone, Barasa Hassan 1' })
    await input.waitFor()
    expect(await cell(1, 2).boundingBox()).toEqual(before)
    expect(await violations(page)).toEqual([])
    await input.fill('12')
    await page.keyboard.press('Enter')
    await page.getByRole('tooltip', { name: /is not a phone number/ }).waitFor()
    await page.keyboard.press('Escape')
    await cell(1, 2).getByText('+254 710 000 001').waitFor()
    expect(sent).toEqual([])
    await page.keyboard.press('Enter')
    await input.fill('0722000000')
    await page.keyboard.press('Tab')
    // At once, before the server has answered; the focus is in the next cell that may be changed.
    await cell(1, 2).getByText('+254 722 000 000').waitFor()
    await page.getByRole('combobox', { name: 'Status, Barasa Hassan 1' }).waitFor()
    await soon(() => sent).toEqual([{ phonenumber: '0722000000', version: 1 }])
    isOpen()
    await page.keyboard.press('Escape')
    await cell(2, 3).dblclick()
    await page.getByTitle('Junk', { exact: true }).click()
    await soon(() => sent.at(-1)).toEqual({ status: 'Junk', version: 1 })
    isOpen()
    await cell(2, 3).getByText('Junk').waitFor()
    expect(search(page).get('peek')).toBe(null)
  })

  it('brings a refused cell back with the reason, and shows whose change is whose', async () => {
    const leads = makeLeads(40)
    const current = { ...leads[0], phonenumber: '0733111111', version: 7 }
    const sent: Record<string, unknown>[] = []
    const answers = {
      'PUT /api/leads/*': async (route: Parameters<typeof bodyOf>[0]) => {
        const body = bodyOf(route)
        sent.push(body)
        if (body.version === 7) return { lead: Object.assign(leads[0] ?? {}, body, { version: 8 }) }
        const [status, json] =
          body.phonenumber === '0700000009'
            ? [422, { code: 'INVALID', fields: [{ field: 'phonenumber', message: 'is taken' }] }]
            : [409, { code: 'CONFLICT', details: { current } }]
        return void (await route.fulfill({ status, json: { success: false, status, message: 'No.', ...json } }))
      },
    }
    const { page } = await open('/sales/leads', { leads, answers })
    const input = page.getByRole('textbox', { name: /^Phone, Achieng/ })
    await rows(page).first().getByRole('gridcell').nth(2).dblclick()
    await input.fill('0700000009')
    await page.keyboard.press('Enter')
    await page.getByRole('tooltip', { name: 'Phone is taken' }).waitFor()
    expect(await input.inputValue()).toBe('0700000009')
    await input.fill('0733222222')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Somebody else changed this record meanwhile' })
    await dialog.getByText('+254 733 111 111').waitFor()
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save this choice' }).click()
    await soon(() => sent.at(-1)).toEqual({ phonenumber: '0733222222', version: 7 })
    await rows(page).first().getByText('+254 733 222 222').waitFor()
  })
})
