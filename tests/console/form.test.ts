import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { refuse } from './support/browser.ts'
import { lead, soon, status, violations, useLeads } from './support/leads.ts'
import { bodyOf, makeLeads } from './support/views.ts'

const open = useLeads()

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
    const { page } = await open('/sales/leads/create', {
      answers: {
        'POST /api/leads': (route) => {
          body = bodyOf(route)
          return { lead: { ...body, Id: 'n1' } }
        },
      },
    })
    await fill(page)
    await page.keyboard.press('Control+s')
    await page.waitForURL('**/sales/leads')
    expect(body).toMatchObject({ firstName: 'Amina', lastName: 'Otieno', phonenumber: '0799999999' })
    expect(body).not.toHaveProperty('employer')
    expect(body).not.toHaveProperty('dateCreated')
  })

  const taken = (route: Parameters<typeof refuse>[0]) =>
    refuse(route, 422, 'INVALID', 'Some fields are not valid.', { fields: [{ field: 'emailAddress', message: 'is taken' }] })

  it("puts the server's field errors on the fields", async () => {
    const { page } = await open('/sales/leads/create', { answers: { 'POST /api/leads': taken } })
    await fill(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, 'E-mail is taken')
    expect(await page.evaluate(() => document.activeElement?.id)).toContain('emailAddress')
  })

  it('leaves who went on in another field there when the refusal comes late', async () => {
    const asked = Promise.withResolvers<void>()
    const mayAnswer = Promise.withResolvers<void>()
    const answers = {
      'POST /api/leads': async (route: Parameters<typeof refuse>[0]) => {
        asked.resolve()
        await mayAnswer.promise
        return taken(route)
      },
    }
    const { page } = await open('/sales/leads/create', { answers })
    await fill(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await asked.promise
    await page.getByLabel('First name').press('End')
    await page.keyboard.type(' W')
    mayAnswer.resolve()
    await status(page, 'E-mail is taken')
    await page.keyboard.type('anjiru')
    expect(await page.getByLabel('First name').inputValue()).toBe('Amina Wanjiru')
  })

  it('warns of a duplicate below its field while typing, with the name of the other and the way to it', async () => {
    const existing = [{ field: 'phonenumber', Id: lead(3), fullName: 'Amina Otieno' }]
    const { page } = await open('/sales/leads/create', {
      answers: { 'GET /api/leads/exist': () => ({ exists: true, fields: ['phonenumber'], existing }) },
    })
    await page.getByLabel('Phone').fill('0710000003')
    const item = page.locator('.ant-form-item', { has: page.getByLabel('Phone') })
    await item.getByText('Another lead has this already.').waitFor()
    expect(await item.getByRole('link', { name: 'Amina Otieno' }).getAttribute('href')).toBe(`/sales/leads/edit/${lead(3)}`)
    expect(await page.getByText('Another lead has this already.').count()).toBe(1)
    expect(await violations(page)).toEqual([])
  })

  it('says below the field who of another kind has it, but not of the one that the record comes from', async () => {
    const others = [{ field: 'phonenumber', Id: lead(3), fullName: 'Amina Otieno' }]
    const { page } = await open('/sales/leads/create', {
      answers: { 'GET /api/leads/exist': () => ({ exists: false, fields: [], existing: [], others }) },
    })
    await page.getByLabel('Phone').fill('0710000003')
    const item = page.locator('.ant-form-item', { has: page.getByLabel('Phone') })
    await item.getByText('A client has this already:').waitFor()
    expect(await item.getByRole('link', { name: 'Amina Otieno' }).getAttribute('href')).toBe(`/clients/${lead(3)}/view`)
    await page.getByLabel('Notes').fill(lead(3))
    await expect.poll(() => item.getByText('A client has this already:').count()).toBe(0)
  })

  it('says each rule in its own words, never in a bubble of the browser', async () => {
    const { page } = await open('/sales/leads/create')
    await fill(page)
    await page.getByLabel('E-mail').fill('amina@')
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, 'E-mail is not an e-mail address: write it like name@example.com')
    expect(await page.evaluate(() => document.querySelector('form')?.noValidate)).toBe(true)
  })

  it('sets off thousands while an amount is typed, and sends the number', async () => {
    let body: Record<string, unknown> = {}
    const { page } = await open('/sales/leads/create', {
      answers: {
        'POST /api/leads': (route) => {
          body = bodyOf(route)
          return { lead: { ...body, Id: 'n1' } }
        },
      },
    })
    await fill(page)
    const amount = page.getByLabel('Instalment')
    await amount.pressSequentially('1250000.50')
    expect(await amount.inputValue()).toBe('1,250,000.50')
    await page.keyboard.press('Control+s')
    await page.waitForURL('**/sales/leads')
    expect(body.installmentAmount).toBe(1_250_000.5)
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
        await route.fulfill({
          status: 409,
          json: {
            success: false,
            code: 'CONFLICT',
            status: 409,
            message: 'Somebody else changed this record meanwhile.',
            details: { current: theirs },
          },
        })
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
    expect(bodies).toEqual([
      { firstName: 'Mine', version: 1 },
      { firstName: 'Mine', version: 7 },
    ])
  })

  it('edits permissions as a tree', async () => {
    let body: Record<string, unknown> = {}
    const { page } = await open('/admin/roles/add', {
      answers: {
        'POST /api/roles': (route) => {
          body = bodyOf(route)
          return { role: { Id: '1' } }
        },
      },
    })
    await page.getByLabel('Name', { exact: true }).fill('Auditor')
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('users')
    await page.getByRole('button', { name: 'All of ADMIN/USERS' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/sales/leads')
    expect(body.permissions).toEqual([
      'ADMIN/USERS',
      'ADMIN/USERS/CREATE',
      'ADMIN/USERS/DELETE',
      'ADMIN/USERS/EDIT',
      'ADMIN/USERS/IMPERSONATE',
      'SALES',
      'SALES/LEADS',
    ])
  })
})

describe('a report', () => {
  /** A socket that answers as the server does; gives whether the page has opened it. */
  const withSocket = async (
    page: Page,
    reply: (message: { event: string; data: { reportId: string } }, send: (event: string, data: object) => void) => void,
  ) => {
    let isOpen = false
    await page.routeWebSocket('**/api/socket', (socket) => {
      isOpen = true
      socket.onMessage((text) => reply(JSON.parse(String(text)) as never, (event, data) => socket.send(JSON.stringify({ event, data }))))
    })
    return () => isOpen
  }

  it('is asked for over the channel, shows its progress and opens a second after it is done', async () => {
    const { page, context } = await open('/sales/leads')
    let asked: unknown
    let complete = (): void => undefined
    const isOpen = await withSocket(page, (message, send) => {
      if (message.event !== 'runReportV2') return
      asked = message.data
      send('reportProgress', { runId: 'r9', report: 'salesAgentReport', rows: 40, total: 100, percent: 40 })
      complete = () =>
        send('reportComplete', {
          runId: 'r9',
          success: true,
          filePath: '/api/reports/files/once',
          reportName: 'Sales Agent',
          heading: '',
          body: '',
        })
    })
    await context.route('**/api/reports/files/once', (route) => route.fulfill({ body: 'xlsx', contentType: 'text/plain' }))
    await page.goto('/reports/standard/salesAgentReport')
    await page.getByText('Sales Agent 2026-11-20.xlsx').waitFor()
    await soon(isOpen).toBe(true)
    const tab = context.waitForEvent('page')
    await page.getByRole('button', { name: 'Generate XLSX' }).click()
    await page.getByText('40 of 100 rows').waitFor()
    complete()
    await page.getByText('Report generated successfully').waitFor()
    expect((await tab).url()).toContain('/api/reports/files/once')
    expect(asked).toEqual({
      reportId: 'salesAgentReport',
      parameters: { startDate: '2026-11-01', endDate: '2026-11-30' },
      exportFormat: 'xlsx',
    })
  })
})
