import { describe, expect, it } from 'vitest'
import { carry, refuse, tooWide } from './support/browser.ts'
import { lead, rows, search, soon, status, useLeads, violations } from './support/leads.ts'
import { bodyOf, leadList, makeLeads } from './support/views.ts'

const open = useLeads()

describe('a list', () => {
  it('scrolls 10,000 rows, fetching only the pages on the screen, and the place is in the address', async () => {
    const { page, requests } = await open('/sales/leads', { leads: makeLeads(10_000) })
    await rows(page).first().waitFor()
    expect(await page.locator('.view-count').innerText()).toBe('10,000 records')
    const nodes = await page.evaluate(async () => {
      const holder = document.querySelector<HTMLElement>('.ant-table-tbody-virtual-holder')!
      for (let step = 0; step < 40; step += 1) {
        await new Promise(requestAnimationFrame)
        holder.scrollTop += 100
      }
      return document.querySelectorAll('*').length
    })
    // Frames a second are the bench's; a table that draws all rows shows here by what it holds.
    expect(nodes).toBeLessThan(1500)
    // antd's list puts the scroll bar back to what it is still drawing (rc-virtual-list, syncScrollTop); a person drags on.
    const drag = () =>
      page.evaluate(() => {
        document.querySelector<HTMLElement>('.ant-table-tbody-virtual-holder')!.scrollTop = 38 * 7_050
      })
    await soon(() => drag().then(() => page.locator('.cell-title').allInnerTexts())).toContainEqual(expect.stringMatching(/ 7052$/))
    await soon(() => search(page).get('page')).toBe('71')
    const pages = new Set(
      requests
        .map((request) => new URL(request.url()))
        .filter((url) => url.pathname === '/api/leads')
        .map((url) => Number(url.searchParams.get('page'))),
    )
    expect(pages.has(71)).toBe(true)
    expect(pages.has(40)).toBe(false)
    expect(pages.size).toBeLessThan(25)
    await page.reload()
    await page
      .locator('.cell-title', { hasText: / 70\d\d$/ })
      .first()
      .waitFor()
  })

  it('asks once for its view, its saved views and its first rows, as its address says', async () => {
    const { page, requests } = await open('/sales/leads?search=emali&sort=-installmentAmount')
    await rows(page).first().waitFor()
    await soon(() => page.locator('.view-count').innerText()).toBe('60 records')
    const asked = requests
      .map((request) => new URL(request.url()))
      .filter(({ pathname }) => /^\/api\/(leads|views|console\/screens\/.+)$/.test(pathname))
    expect(asked.map(({ pathname }) => pathname).toSorted()).toEqual(['/api/console/screens/leads', '/api/leads', '/api/views'])
    const {
      search: words,
      sortField,
      sortOrder,
    } = Object.fromEntries(asked.find(({ pathname }) => pathname === '/api/leads')!.searchParams)
    expect({ words, sortField, sortOrder }).toEqual({ words: 'EMALI', sortField: 'installmentAmount', sortOrder: 'DESC' })
  })

  it('sorts by mouse and by keyboard, and Back undoes it', async () => {
    const { page } = await open('/sales/leads')
    await rows(page).first().waitFor()
    await page.getByRole('columnheader', { name: 'Instalment' }).click()
    await soon(() => search(page).get('sort')).toBe('installmentAmount')
    await soon(() => rows(page).first().innerText()).toMatch(/KES\s0\.50/)
    await page.getByRole('columnheader', { name: 'Instalment' }).focus()
    await page.keyboard.press('Enter')
    await soon(() => search(page).get('sort')).toBe('-installmentAmount')
    await page.goBack()
    await soon(() => search(page).get('sort')).toBe('installmentAmount')
  })

  it('filters by chips and search, keeps both in the address and comes back from there', async () => {
    const { page, requests } = await open('/sales/leads')
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('combobox', { name: 'Value' }).click()
    await page.getByTitle('Qualified', { exact: true }).click()
    await page.getByTitle('Junk', { exact: true }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByRole('button', { name: 'Change the filter: Status is any of Qualified, Junk' }).waitFor()
    await soon(() => page.locator('.view-count').innerText()).toBe('100 records')
    await page.getByRole('textbox', { name: 'Search Leads' }).fill('emali')
    await soon(() => search(page).get('search')).toBe('emali')
    const asked = () => new URL(requests.findLast((request) => request.url().includes('/api/leads?'))!.url()).searchParams
    await soon(() => asked().get('search')).toBe('EMALI')
    expect(JSON.parse(asked().get('filter') ?? '')).toEqual([{ field: 'status', op: 'in', value: ['Qualified', 'Junk'] }])
    await soon(() => page.locator('.view-count').innerText()).toBe('20 records')
    await page.reload()
    await page.getByRole('button', { name: /Status is any of Qualified, Junk/ }).waitFor()
    await soon(() => page.locator('.view-count').innerText()).toBe('20 records')
    expect(await page.getByRole('textbox', { name: 'Search Leads' }).inputValue()).toBe('emali')
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await soon(() => page.locator('.view-count').innerText()).toBe('300 records')
    expect([...search(page).keys()]).toEqual([])
  })

  it('chooses a period by one click', async () => {
    const { page, requests } = await open('/sales/leads')
    await page.getByRole('button', { name: /^Period: Captured/ }).click()
    await page.getByRole('button', { name: 'Today' }).click()
    await page.getByRole('button', { name: 'Period: Captured: Today' }).waitFor()
    const today = search(page).get('from')
    expect(today).toMatch(/^\d{4}-\d\d-\d\d$/)
    await soon(() =>
      requests.some((request) => request.url().includes(`startDate=${today}`) && request.url().includes(`endDate=${today}`)),
    ).toBe(true)
  })

  it('arranges columns by keyboard, keeps them, and says modified', async () => {
    const { page } = await open('/sales/leads')
    await rows(page).first().waitFor()
    const titles = () => page.locator('.record-table thead th').allInnerTexts()
    await page.getByRole('button', { name: 'Columns and density' }).click()
    await page.getByRole('checkbox', { name: 'Phone' }).uncheck()
    await page.getByRole('button', { name: 'Move Status' }).focus()
    await carry(page, 'Space')
    for (const _ of [1, 2]) await carry(page, 'ArrowUp')
    await page.keyboard.press('Space')
    await soon(async () => (await titles()).filter(Boolean).slice(0, 2)).toEqual(['Status', 'Name'])
    expect(await titles()).not.toContain('Phone')
    await status(page, 'modified')
    await page.reload()
    await rows(page).first().waitFor()
    expect((await titles()).filter(Boolean).slice(0, 2)).toEqual(['Status', 'Name'])
  })

  it('saves a view and opens with the default one', async () => {
    const views: Record<string, unknown>[] = []
    const answers = {
      'GET /api/views': () => ({ views }),
      'POST /api/views': (route: Parameters<typeof bodyOf>[0]) => {
        const view = { ...bodyOf(route), Id: 'v1', isMine: true }
        views.push(view)
        return { view }
      },
    }
    const { page, calls } = await open('/sales/leads?search=juma', { answers })
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitem', { name: 'Save as…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Jumas')
    await page.getByRole('checkbox', { name: 'Open the list with this view' }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Jumas' }).waitFor()
    expect(views[0]).toMatchObject({ screen: '/sales/leads', name: 'Jumas', scope: 'user', isDefault: true, state: { search: 'juma' } })
    await soon(() => search(page).get('view')).toBe('v1')
    await page.goto('/sales/leads')
    await soon(() => page.getByRole('textbox', { name: 'Search Leads' }).inputValue()).toBe('juma')
    expect(await page.getByRole('link', { name: 'Jumas' }).getAttribute('aria-current')).toBe('page')
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await soon(() => page.getByRole('textbox', { name: 'Search Leads' }).inputValue()).toBe('')
    expect(calls).toContain('POST /api/views')
  })

  it('says that a view of the address is not there for me, and copies a link that shows others the same rows', async () => {
    const views = [
      {
        Id: 'mine',
        screen: '/sales/leads',
        name: 'Emali',
        scope: 'user',
        isDefault: false,
        isMine: true,
        state: { search: 'emali', terms: [{ field: 'status', op: 'eq', value: 'New' }] },
      },
      { Id: 'ours', screen: '/sales/leads', name: 'Everybody', scope: 'company', isDefault: true, isMine: false, state: {} },
    ]
    const { page } = await open('/sales/leads?view=not-mine', { answers: { 'GET /api/views': () => ({ views, mayShare: false }) } })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByText('The view of this address is not shared with you, or it was deleted.').waitFor()
    await rows(page).first().waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('button', { name: 'Go on with the whole list' }).click()
    await soon(() => search(page).get('view')).toBe('all')
    await soon(() => page.getByText('The view of this address').count()).toBe(0)
    await page.getByRole('link', { name: 'Emali', exact: true }).click()
    await soon(() => page.getByRole('textbox', { name: 'Search Leads' }).inputValue()).toBe('emali')
    const copied = async () => {
      await page.getByRole('button', { name: 'View options' }).click()
      await page.getByRole('menuitem', { name: 'Copy link' }).click()
      await page.getByText('Link copied').first().waitFor()
      return new URL(await page.evaluate(() => navigator.clipboard.readText())).searchParams
    }
    const link = await copied()
    expect([link.get('view'), link.get('search'), JSON.parse(link.get('filter') ?? '')]).toEqual([
      'all',
      'emali',
      [{ field: 'status', op: 'eq', value: 'New' }],
    ])
    await page.getByRole('link', { name: 'Everybody' }).click()
    await soon(async () => Object.fromEntries(await copied())).toEqual({ view: 'ours' })
  })

  it('shares a view with colleagues by name, by keyboard, and says what is refused beside the field', async () => {
    const views: Record<string, unknown>[] = []
    const answers = {
      'GET /api/views': () => ({ views, mayShare: false }),
      'POST /api/views': (route: Parameters<typeof bodyOf>[0]) => {
        const sent = bodyOf(route) as { userIds: string[] }
        if (sent.userIds.length > 1)
          return refuse(route, 422, 'INVALID', 'Check the marked fields.', {
            fields: [{ field: 'userIds', message: 'is not an active user in your reach' }],
          })
        const view = { ...sent, Id: 'v1', isMine: true, sharedWith: [{ Id: sent.userIds[0], label: 'Amina Otieno' }] }
        views.push(view)
        return { view }
      },
      'PUT /api/views/*': (route: Parameters<typeof bodyOf>[0]) => {
        views[0] = { ...views[0], ...bodyOf(route), sharedWith: [] }
        return { view: views[0] }
      },
    }
    const { page, calls } = await open('/sales/leads?search=juma', { answers })
    await page.getByRole('button', { name: 'View options' }).press('Enter')
    await page.getByRole('menuitem', { name: 'Share with…' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Jumas')
    const colleagues = dialog.getByRole('combobox', { name: 'Colleagues' })
    const chosen = dialog.locator('.ant-select-selection-item')
    for (const count of [1, 2]) {
      await colleagues.press('ArrowDown')
      await page.locator('.ant-select-item-option-active').waitFor()
      await colleagues.press('Enter')
      await soon(() => chosen.count()).toBe(count)
    }
    await colleagues.press('Escape')
    await soon(() => colleagues.getAttribute('aria-expanded')).toBe('false')
    expect(await violations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Share' }).press('Enter')
    await dialog.getByText('Colleagues is not an active user in your reach').waitFor()
    expect(await violations(page)).toEqual([])
    await colleagues.press('Backspace')
    await soon(() => chosen.count()).toBe(1)
    await dialog.getByRole('button', { name: 'Share' }).press('Enter')
    await page.getByText('Shared with 1 colleague').first().waitFor()
    expect(views[0]).toMatchObject({
      name: 'Jumas',
      scope: 'user',
      isDefault: false,
      state: { search: 'juma' },
      userIds: [expect.any(String)],
    })
    await soon(() => search(page).get('view')).toBe('v1')
    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitem', { name: 'Share with…' }).click()
    await soon(() => chosen.allTextContents()).toEqual(['Amina Otieno'])
    await colleagues.press('Backspace')
    await soon(() => chosen.count()).toBe(0)
    await dialog.getByRole('button', { name: 'Share' }).press('Enter')
    await page.getByText('Shared with nobody any more').first().waitFor()
    expect(views[0]).toMatchObject({ scope: 'user', userIds: [] })
    expect(calls.filter((call) => call.startsWith('POST /api/views'))).toHaveLength(2)
  })

  it('shows who shares a view, lets one copy or drop it, and opens an address younger than what is kept', async () => {
    const lent = {
      Id: 'lent',
      screen: '/sales/leads',
      name: 'Emali',
      scope: 'user',
      isDefault: false,
      isMine: false,
      sharedBy: 'Baraka Manager',
      sharedWith: [],
      state: { search: 'emali' },
    }
    const views: Record<string, unknown>[] = []
    const answers = {
      'GET /api/views': () => ({ views: [...views], mayShare: false }),
      'POST /api/views': (route: Parameters<typeof bodyOf>[0]) => {
        const view = { ...bodyOf(route), Id: 'copy', isMine: true }
        views.push(view)
        return { view }
      },
      'DELETE /api/views/*': () => {
        views.splice(views.indexOf(lent), 1)
        return { ids: ['lent'] }
      },
    }
    const { page, calls } = await open('/sales/leads', { answers })
    await rows(page).first().waitFor()
    views.push(lent)
    await page.evaluate(() => {
      history.pushState(null, '', '/sales/leads?view=lent')
      dispatchEvent(new PopStateEvent('popstate'))
    })
    const tab = page.getByRole('link', { name: 'Emali shared by Baraka Manager' })
    await tab.waitFor()
    await soon(() => page.getByRole('textbox', { name: 'Search Leads' }).inputValue()).toBe('emali')
    expect(await page.getByText('The view of this address is not shared').count()).toBe(0)
    expect(await violations(page)).toEqual([])
    const options = page.getByRole('button', { name: 'View options' })
    await options.click()
    expect((await page.getByRole('menuitem').allTextContents()).toSorted()).toEqual([
      'Copy as my own…',
      'Copy link',
      'Remove from my views',
    ])
    await page.getByRole('menuitem', { name: 'Copy as my own…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await page.getByRole('link', { name: 'Emali', exact: true }).waitFor()
    expect(views[1]).toMatchObject({ name: 'Emali', scope: 'user', state: { search: 'emali' } })
    await tab.click()
    await options.click()
    await page.getByRole('menuitem', { name: 'Remove from my views' }).click()
    await soon(() => tab.count()).toBe(0)
    await soon(() => search(page).get('view')).toBe('all')
    expect(calls).toContain('DELETE /api/views/lent/share')
  })

  it('says without a connection which of its bulk actions need one, before anything is typed', async () => {
    const { page, setOffline } = await open('/sales/leads')
    await rows(page).first().getByRole('checkbox').check()
    const bar = page.getByRole('region', { name: 'Selected records' })
    await setOffline(true)
    await bar.getByRole('note').getByText('Assign, Delete: for many records at once this needs a connection').waitFor()
    expect(await bar.getByRole('button', { name: 'Assign' }).isDisabled()).toBe(true)
    await setOffline(false)
    await bar.getByRole('note').waitFor({ state: 'detached' })
    await bar.getByRole('button', { name: 'Assign' }).click()
    await page.getByRole('dialog').waitFor()
  })

  it('does a thing to all rows that match, in chunks, and names those that were refused', async () => {
    const sent: string[][] = []
    const answers = {
      'POST /api/leads/delete': async (route: Parameters<typeof bodyOf>[0]) => {
        const { ids } = bodyOf(route) as { ids: string[] }
        sent.push(ids)
        return ids.includes(lead(5)) ? refuse(route, 409, 'STILL_IN_USE', 'Other records still refer to this one.') : {}
      },
      'POST /api/leads/restore': () => ({}),
    }
    const { page, calls } = await open('/sales/leads', { leads: makeLeads(1200), answers })
    await rows(page).first().getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Select all 1,200 matching' }).click()
    await status(page, '1,200 records selected')
    await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1199 done, 1 refused.').waitFor()
    // It is offered for six seconds.
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByRole('cell', { name: /Fatuma .* 5$/ }).waitFor()
    expect(sent.map((ids) => ids.length)[0]).toBe(500)
    expect(Math.max(...sent.map((ids) => ids.length))).toBe(500)
    await soon(() => calls.filter((call) => call === 'POST /api/leads/restore').length).toBe(3)
  })

  it("acts on one row, with its form, and takes the server's word for it", async () => {
    let body: unknown
    const { page } = await open('/sales/leads', {
      answers: {
        'POST /api/leads/assignlead': (route) => {
          body = bodyOf(route)
        },
      },
    })
    await page.getByRole('button', { name: /^Actions for Achieng .* 0$/ }).click()
    await page.getByRole('menuitem', { name: 'Assign' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await status(page, 'Agent is required')
    await page.getByRole('combobox', { name: 'Agent' }).click()
    await page.getByTitle('Brian Kamau').last().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Assign' }).click()
    await soon(() => body).toEqual({ userId: 'u2', ids: [lead(0)] })
  })

  it('peeks at a record beside the list, walks with j and k, and opens from a link', async () => {
    const { page } = await open('/sales/leads')
    await rows(page).nth(2).locator('.ant-table-cell').nth(4).click()
    await soon(() => search(page).get('peek')).toBe(lead(2))
    await page.getByRole('heading', { name: /Chepkoech .* 2$/ }).waitFor()
    await page.keyboard.press('j')
    await soon(() => search(page).get('peek')).toBe(lead(3))
    await page.keyboard.press('k')
    await page.getByRole('heading', { name: /Chepkoech .* 2$/ }).waitFor()
    await page.goto(`/sales/leads?peek=${lead(250)}`)
    await page.getByRole('heading', { name: / 250$/ }).waitFor()
    await page.getByRole('dialog').getByRole('link', { name: 'Edit' }).waitFor()
  })

  it('is walked by keyboard alone', async () => {
    const { page } = await open('/sales/leads')
    await rows(page).first().waitFor()
    await page.locator('.record-table').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('x')
    await status(page, '1 record selected')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**/sales/leads/edit/${lead(1)}`)
  })

  it('says what is wrong, with the request and a way on', async () => {
    let isBroken = true
    const answers = {
      'GET /api/leads': async (route: Parameters<typeof refuse>[0]) =>
        isBroken ? refuse(route, 500, 'UNKNOWN', 'Unkown Error.') : { leads: [] },
    }
    const { page } = await open('/sales/leads', { answers })
    await page.getByText('req-7').waitFor()
    isBroken = false
    await page.getByRole('button', { name: 'Retry' }).click()
    await page.getByText('No leads here yet').waitFor()
    await page.getByRole('link', { name: 'New lead' }).waitFor()
  })

  it('says when it may not be seen, and when nothing matches', async () => {
    const forbidden = await open('/sales/leads', { answers: { 'GET /api/leads': (route) => refuse(route, 403, 'FORBIDDEN') } })
    await forbidden.page.getByText('You may not see this').waitFor()
    const { page } = await open('/sales/leads?search=nobody')
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await rows(page).first().waitFor()
  })

  it('shows cards on a phone, more of them at the end, without a sideways scroll', async () => {
    const { page } = await open('/sales/leads', { width: 360, height: 740 })
    await page.locator('.record-card').first().waitFor()
    const scrolledCount = async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      return page.locator('.record-card:not(.record-card-gap)').count()
    }
    await soon(scrolledCount).toBe(300)
    expect(await tooWide(page)).toEqual([])
  })

  it('of cards lays them side by side, sorts and chooses them, and does not shift', async () => {
    const { page } = await open('/sales/leads', {
      answers: { 'GET /api/console/screens/*': () => ({ view: { ...leadList, presentation: 'cards' } }) },
    })
    await page.locator('.record-card').first().waitFor()
    const tops = await page
      .locator('.record-card')
      .evaluateAll((cards) => cards.slice(0, 3).map((card) => card.getBoundingClientRect().top))
    expect(new Set(tops).size).toBe(1)
    const first = await page.locator('.record-card').first().innerText()
    await page.getByRole('button', { name: /^Sort/ }).click()
    await page.getByRole('combobox', { name: 'Sort by (1)' }).click()
    await page.getByTitle('Instalment', { exact: true }).click()
    await soon(() => page.locator('.record-card').first().innerText()).not.toBe(first)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog', { name: 'Sort' }).waitFor({ state: 'hidden' })
    await page
      .getByRole('checkbox', { name: /^Select / })
      .first()
      .check()
    await status(page, '1 record selected')
    expect(await violations(page)).toEqual([])
    expect(await tooWide(page)).toEqual([])
  })

  it('asks for the export of what is on the screen', async () => {
    let body: Record<string, unknown> = {}
    const answers = {
      'POST /api/reports/run': (route: Parameters<typeof bodyOf>[0]) => {
        body = bodyOf(route)
        return { runId: 'r' }
      },
    }
    const { page } = await open('/sales/leads?search=juma', { answers })
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    await status(page, 'Preparing the file')
    expect(body).toMatchObject({
      report: 'exportList',
      format: 'csv',
      parameters: { resource: 'lead', columns: 'fullName,phonenumber,status,assignedUserId,installmentAmount,consent,dateCreated' },
    })
    expect(JSON.parse((body.parameters as { query: string }).query)).toMatchObject({ search: 'JUMA', sortField: 'dateCreated' })
  })

  it('shows a tree', async () => {
    const { page } = await open('/admin/tenants/list')
    await page.getByText('Westlands Team').waitFor()
    await page.getByRole('button', { name: 'Close all' }).click()
    await page.getByText('Westlands Team').waitFor({ state: 'detached' })
  })
})
