import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { findViolations, overflows, refuse, rulesIn } from './support/browser.ts'
import type { PageOptions, TestPage } from './support/browser.ts'
import { useSite } from './support/site.ts'
import { bodyOf, leadServer, makeLeads, viewFrame } from './support/views.ts'

const site = useSite()

async function open(path: string, { answers, leads = makeLeads(300), ...options }: Partial<PageOptions> & { leads?: ReturnType<typeof makeLeads> } = {}): Promise<TestPage> {
  const test = await site.open({ frame: viewFrame(), ...options, answers: leadServer(leads, answers) })
  test.page.setDefaultTimeout(8_000)
  await test.page.goto(path)
  await test.page.locator('#main h1').first().waitFor()
  return test
}

const rows = (page: Page) => page.locator('.record-table .ant-table-row')
const search = (page: Page) => new URL(page.url()).searchParams
const lead = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`
const status = (page: Page, words: RegExp | string) => page.getByText(words).first().waitFor()

/** A loaded machine takes its time; what is asked must come true within eight seconds. */
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 8_000, interval: 50 })

/** Waits for the popover to stand still, then asks axe. */
async function violations(page: Page, rules?: string[]) {
  await page.waitForTimeout(350)
  return findViolations(page, rules)
}

describe('a list', () => {
  it('scrolls 10,000 rows, fetching only the pages on the screen, and the place stands in the address', async () => {
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
    await page.evaluate(() => { document.querySelector<HTMLElement>('.ant-table-tbody-virtual-holder')!.scrollTop = 47 * 7_050 })
    await page.locator('.cell-title', { hasText: ' 7052' }).waitFor()
    await soon(() => search(page).get('page')).toBe('71')
    const pages = new Set(requests.map((request) => new URL(request.url())).filter((url) => url.pathname === '/api/leads').map((url) => Number(url.searchParams.get('page'))))
    expect(pages.has(71)).toBe(true)
    expect(pages.has(40)).toBe(false)
    expect(pages.size).toBeLessThan(25)
    await page.reload()
    await page.locator('.cell-title', { hasText: / 70\d\d$/ }).first().waitFor()
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
    await soon(() => requests.some((request) => request.url().includes(`startDate=${today}`) && request.url().includes(`endDate=${today}`))).toBe(true)
  })

  it('arranges columns by keyboard, keeps them, and says modified', async () => {
    const { page } = await open('/sales/leads')
    await rows(page).first().waitFor()
    const titles = () => page.locator('.record-table thead th').allInnerTexts()
    await page.getByRole('button', { name: 'Columns and density' }).click()
    await page.getByRole('checkbox', { name: 'Phone' }).uncheck()
    await page.getByRole('button', { name: 'Move Status' }).focus()
    await page.keyboard.press('Space')
    await page.waitForTimeout(100)
    for (const _ of [1, 2]) {
      await page.keyboard.press('ArrowUp')
      await page.waitForTimeout(250)
    }
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
    await page.getByRole('cell', { name: /Fatuma .* 5$/ }).waitFor()
    expect(sent.map((ids) => ids.length)[0]).toBe(500)
    expect(Math.max(...sent.map((ids) => ids.length))).toBe(500)
    await page.getByRole('button', { name: 'Undo' }).click()
    await soon(() => calls.filter((call) => call === 'POST /api/leads/restore').length).toBe(3)
  })

  it('acts on one row, with its form, and takes the server\'s word for it', async () => {
    let body: unknown
    const { page } = await open('/sales/leads', { answers: { 'POST /api/leads/assignlead': (route) => { body = bodyOf(route) } } })
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
    const answers = { 'GET /api/leads': async (route: Parameters<typeof refuse>[0]) => isBroken ? refuse(route, 500, 'UNKNOWN', 'Unkown Error.') : { leads: [] } }
    const { page } = await open('/sales/leads', { answers })
    await page.getByText('req-7').waitFor({ timeout: 15_000 })
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
    expect(await overflows(page)).toBe(false)
  })

  it('asks for the export of what is on the screen', async () => {
    let body: Record<string, unknown> = {}
    const answers = { 'POST /api/reports/run': (route: Parameters<typeof bodyOf>[0]) => { body = bodyOf(route); return { runId: 'r' } } }
    const { page } = await open('/sales/leads?search=juma', { answers })
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    await status(page, 'Preparing the file')
    expect(body).toMatchObject({ report: 'exportList', format: 'csv', parameters: { resource: 'lead', columns: 'fullName,phonenumber,status,assignedUserId,installmentAmount,consent,dateCreated' } })
    expect(JSON.parse((body.parameters as { query: string }).query)).toMatchObject({ search: 'JUMA', sortField: 'dateCreated' })
  })

  it('shows a tree', async () => {
    const { page } = await open('/admin/tenants/list')
    await page.getByText('Westlands Team').waitFor()
    await page.getByRole('button', { name: 'Close all' }).click()
    await page.getByText('Westlands Team').waitFor({ state: 'detached' })
  })
})

describe('a form', () => {
  const fill = async (page: Page) => {
    await page.getByLabel('First name').fill('Amina')
    await page.getByLabel('Last name').fill('Otieno')
    await page.getByLabel('Phone').fill('0799999999')
  }

  it('checks, goes to the first wrong field, and shows a field only when its condition holds', async () => {
    const { page } = await open('/sales/leads/create')
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, 'First name is required')
    await soon(() => page.evaluate(() => document.activeElement?.id)).toContain('firstName')
    await page.getByLabel('Phone').fill('12')
    await page.getByLabel('E-mail').focus()
    await status(page, /Phone is not a phone number/)
    expect(await page.getByLabel('Employer').count()).toBe(0)
    await page.getByRole('checkbox', { name: 'Consent given' }).check()
    await page.getByLabel('Employer').waitFor()
  })

  it('saves with Ctrl+S and leaves for the list', async () => {
    let body: Record<string, unknown> = {}
    const { page } = await open('/sales/leads/create', { answers: { 'POST /api/leads': (route) => { body = bodyOf(route); return { lead: { ...body, Id: 'n1' } } } } })
    await fill(page)
    await page.keyboard.press('Control+s')
    await page.waitForURL('**/sales/leads')
    expect(body).toMatchObject({ firstName: 'Amina', lastName: 'Otieno', phonenumber: '0799999999' })
    expect(body).not.toHaveProperty('employer')
    expect(body).not.toHaveProperty('dateCreated')
  })

  it('puts the server\'s field errors on the fields', async () => {
    const answers = { 'POST /api/leads': async (route: Parameters<typeof refuse>[0]) => void await route.fulfill({ status: 422, json: { success: false, code: 'INVALID', status: 422, message: 'Some fields are not valid.', fields: [{ field: 'emailAddress', message: 'is taken' }] } }) }
    const { page } = await open('/sales/leads/create', { answers })
    await fill(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, 'E-mail is taken')
    expect(await page.evaluate(() => document.activeElement?.id)).toContain('emailAddress')
  })

  it('warns of a duplicate while typing', async () => {
    const { page } = await open('/sales/leads/create')
    await page.getByLabel('Phone').fill('0710000003')
    await status(page, 'A lead with this phone or e-mail exists already.')
  })

  it('does not lose what was entered', async () => {
    const { page } = await open('/sales/leads/create')
    await page.getByLabel('First name').fill('Amina')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('dialog').getByText('First name').waitFor()
    await page.getByRole('button', { name: 'Stay here' }).click()
    expect(await page.getByLabel('First name').inputValue()).toBe('Amina')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Leave' }).click()
    await page.waitForURL('**/sales/leads')
  })

  it('shows mine and theirs when somebody else saved meanwhile', async () => {
    const bodies: Record<string, unknown>[] = []
    const theirs = { ...makeLeads(6)[5], firstName: 'Theirs', employer: 'Acme', version: 7 }
    const answers = {
      [`PUT /api/leads/${lead(5)}`]: async (route: Parameters<typeof bodyOf>[0]) => {
        bodies.push(bodyOf(route))
        if (bodies.length > 1) return { lead: theirs }
        await route.fulfill({ status: 409, json: { success: false, code: 'CONFLICT', status: 409, message: 'Somebody else changed this record meanwhile.', details: { current: theirs } } })
        return undefined
      },
    }
    const { page } = await open(`/sales/leads/edit/${lead(5)}`, { answers })
    await page.getByLabel('First name').fill('Mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('radio', { name: 'Theirs Theirs' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.getByRole('radio', { name: 'Mine Mine' }).check()
    await page.getByRole('button', { name: 'Save this choice' }).click()
    await page.waitForURL('**/sales/leads')
    expect(bodies).toEqual([{ firstName: 'Mine', version: 1 }, { firstName: 'Mine', version: 7 }])
  })

  it('edits permissions as a tree', async () => {
    let body: Record<string, unknown> = {}
    const { page } = await open('/admin/roles/add', { answers: { 'POST /api/roles': (route) => { body = bodyOf(route); return { role: { Id: '1' } } } } })
    await page.getByLabel('Name', { exact: true }).fill('Auditor')
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('users')
    await page.getByRole('button', { name: 'All of ADMIN/USERS' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/sales/leads')
    expect(body.permissions).toEqual(['ADMIN/USERS', 'ADMIN/USERS/CREATE', 'ADMIN/USERS/DELETE', 'ADMIN/USERS/EDIT', 'ADMIN/USERS/IMPERSONATE', 'SALES', 'SALES/LEADS'])
  })
})

describe('a report', () => {
  /** A socket that answers as the server does. */
  const withSocket = (page: Page, reply: (message: { event: string, data: { reportId: string } }, send: (event: string, data: object) => void) => void) =>
    page.routeWebSocket('**/api/socket', (socket) => {
      socket.onMessage((text) => reply(JSON.parse(String(text)) as never, (event, data) => socket.send(JSON.stringify({ event, data }))))
    })

  it('is asked for over the channel, shows its progress and opens a second after it is done', async () => {
    const { page, context } = await open('/sales/leads')
    let asked: unknown
    await withSocket(page, (message, send) => {
      if (message.event !== 'runReportV2') return
      asked = message.data
      send('reportProgress', { runId: 'r9', report: 'salesAgentReport', rows: 40, total: 100, percent: 40 })
      setTimeout(() => send('reportComplete', { runId: 'r9', success: true, filePath: '/api/reports/files/once', reportName: 'Sales Agent', heading: '', body: '' }), 800)
    })
    await context.route('**/api/reports/files/once', (route) => route.fulfill({ body: 'xlsx', contentType: 'text/plain' }))
    await page.goto('/reports/standard/salesAgentReport')
    await page.getByText('Sales Agent 2026-11-20.xlsx').waitFor()
    await page.waitForTimeout(300)
    const tab = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Generate XLSX' }).click()
    await page.getByText('40 of 100 rows').waitFor()
    await page.getByText('Report generated successfully').waitFor()
    expect((await tab).url()).toContain('/api/reports/files/once')
    expect(asked).toEqual({ reportId: 'salesAgentReport', parameters: { startDate: '2026-11-01', endDate: '2026-11-30' }, exportFormat: 'xlsx' })
  })
})

describe('every kind of view', () => {
  const paths = [
    '/sales/leads', '/sales/leads/create', `/sales/leads/edit/${lead(3)}`, `/sales/leads/${lead(3)}/view`, '/sales/leadsdashboard',
    '/reports/standard/salesAgentReport', '/admin/tenants/list', '/admin/roles/add', '/sales/calculators/cs-affordability',
  ]
  for (const scheme of ['light', 'dark'] as const) {
    it(`has no accessibility violation, ${scheme}, wide and at 320 px, and reflows`, async () => {
      for (const width of [1280, 320]) {
        const { page } = await open('/sales/leads', { scheme, width, height: 740 })
        for (const path of paths) {
          await page.goto(path)
          await page.locator('#main h1').first().waitFor()
          await page.waitForTimeout(400)
          expect({ path, width, found: await violations(page, rulesIn(scheme)), isTooWide: await overflows(page) }).toEqual({ path, width, found: [], isTooWide: false })
        }
      }
    })

    it(`has none with its popovers and dialogs open, ${scheme}`, async () => {
      const { page } = await open('/sales/leads', { scheme })
      await rows(page).first().waitFor()
      const check = async (name: string) => {
        // Open menus and pickers stand at the end of the body, outside all landmarks: a best practice, no criterion of WCAG.
        const found = (await violations(page, rulesIn(scheme))).filter(({ id }) => id !== 'region')
        expect({ name, found }).toEqual({ name, found: [] })
        await page.keyboard.press('Escape')
        await page.locator('.view-header h1').click()
      }
      await page.getByRole('button', { name: 'Filter', exact: true }).click()
      await page.getByRole('combobox', { name: 'Value' }).waitFor()
      await check('filter')
      await page.getByRole('button', { name: 'Columns and density' }).click()
      await page.getByRole('checkbox', { name: 'Phone' }).waitFor()
      await check('columns')
      await page.getByRole('button', { name: /^Period/ }).click()
      await page.getByRole('button', { name: 'Last 7 days' }).waitFor()
      await check('period')
      await page.getByRole('button', { name: /^Actions for/ }).first().click()
      await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
      await check('row menu')
      await rows(page).first().getByRole('checkbox').check()
      await page.getByRole('region', { name: 'Selected records' }).getByRole('button', { name: 'Assign' }).click()
      await page.getByRole('dialog').getByRole('combobox').waitFor()
      await check('bulk form')
      await page.goto(`/sales/leads?peek=${lead(1)}`)
      await page.getByRole('heading', { name: / 1$/ }).waitFor()
      await check('peek')
    })
  }
})
