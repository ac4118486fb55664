import type { Page, Route } from 'playwright'
import { describe, expect, it } from 'vitest'
import { calm, refuse } from './support/browser.ts'
import { soon, status, useLeads, violations } from './support/leads.ts'
import { bodyOf } from './support/views.ts'

const open = useLeads()
const focused = (page: Page) =>
  soon(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent))
const cell = (page: Page, field: string, line: number) => page.getByRole('group', { name: 'Lines' }).getByLabel(`${field}, line ${line}`)

describe('the lines of a record', () => {
  it('are added, entered and removed by the keyboard alone', async () => {
    let body: Record<string, unknown> = {}
    const { page } = await open('/finance/journal/create', {
      answers: {
        'POST /api/journal': (route) => {
          body = bodyOf(route)
          return { journalEntry: { ...body, Id: 'j1' } }
        },
      },
    })
    // The inputs of amounts come late: what is typed meanwhile must not land elsewhere.
    await page.route(/number-input/, async (route) => {
      await new Promise((done) => setTimeout(done, 600))
      await route.continue()
    })
    await page.getByLabel('Name').fill('Loan 17')
    await page.getByRole('button', { name: 'Add line' }).focus()
    await page.keyboard.press('Enter')
    await focused(page).toBe('Account, line 1')
    await page.keyboard.type('Cash')
    await page.keyboard.press('Tab')
    await page.keyboard.type('1250.50')
    // Enter goes down, and begins a line at the end; it never sends the form.
    await page.keyboard.press('Enter')
    await focused(page).toBe('Amount, line 2')
    await page.keyboard.type('7')
    await cell(page, 'Account', 2).fill('Wrong')
    await page.keyboard.press('Enter')
    await focused(page).toBe('Account, line 3')
    await page.keyboard.type('Loans')
    await cell(page, 'Amount', 3).fill('1250.5')
    await cell(page, 'Account', 2).focus()
    await page.keyboard.press('Alt+Delete')
    await focused(page).toBe('Account, line 2')
    expect(await cell(page, 'Account', 2).inputValue()).toBe('Loans')
    expect(await cell(page, 'Amount', 2).inputValue()).toBe('1,250.5')
    expect(await violations(page)).toEqual([])
    await page.keyboard.press('Control+s')
    await page.waitForURL('**/sales/leads')
    expect(body).toEqual({
      name: 'Loan 17',
      lines: [
        { account: 'Cash', amount: 1250.5, side: 'debit', note: null },
        { account: 'Loans', amount: 1250.5, side: 'debit', note: null },
      ],
    })
  })

  it('say which line and field is wrong, here and from the server', async () => {
    const answers = {
      'POST /api/journal': (route: Parameters<typeof bodyOf>[0]) =>
        refuse(route, 422, 'INVALID', 'Some fields are not valid.', { fields: [{ field: 'lines.1.account', message: 'does not exist' }] }),
    }
    const { page } = await open('/finance/journal/create', { answers })
    await page.getByLabel('Name').fill('Loan 17')
    await page.getByRole('button', { name: 'Add line' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, 'Lines needs at least 2')
    await page.getByRole('button', { name: 'Add line' }).click()
    await focused(page).toBe('Account, line 2')
    for (const line of [1, 2]) await cell(page, 'Amount', line).fill('5')
    await cell(page, 'Account', 1).fill('Cash')
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, 'Line 2: Account is required')
    expect([
      await cell(page, 'Account', 2).getAttribute('aria-invalid'),
      await cell(page, 'Account', 1).getAttribute('aria-invalid'),
    ]).toEqual(['true', null])
    await cell(page, 'Account', 2).fill('Lost')
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, 'Line 2: Account does not exist')
    await soon(() => cell(page, 'Account', 2).getAttribute('aria-invalid')).toBe('true')
    expect(await violations(page)).toEqual([])
  })

  it('hold the decimals of the currency that the record names', async () => {
    const { page } = await open('/finance/journal/create')
    await page.getByLabel('Name').fill('Loan 17')
    await page.getByLabel('Currency').click()
    await page.getByTitle('UGX').click()
    for (const line of [1, 2]) {
      await page.getByRole('button', { name: 'Add line' }).click()
      await focused(page).toBe(`Account, line ${line}`)
      await cell(page, 'Account', line).fill('Cash')
      await cell(page, 'Amount', line).fill(line === 1 ? '1200' : '0.5')
    }
    await page.getByText('UGX').nth(1).waitFor()
    await page.getByRole('button', { name: 'Save' }).click()
    await status(page, 'Line 2: Amount may hold no decimals in UGX')
  })

  it('of a record keep their ids; only what changed is sent', async () => {
    let body: Record<string, unknown> = {}
    const lines = ['Cash', 'Loans', 'Fees'].map((account, index) => ({
      Id: `l${index}`,
      account,
      amount: 5,
      side: 'debit',
      note: null,
      accountLabel: account,
    }))
    const { page } = await open('/finance/journal/edit/j1', {
      answers: {
        'GET /api/journal/*': () => ({ journalEntry: { Id: 'j1', name: 'Loan 17', version: 3, lines } }),
        'PUT /api/journal/*': (route) => {
          body = bodyOf(route)
          return { journalEntry: { Id: 'j1' } }
        },
      },
    })
    await cell(page, 'Amount', 3).fill('8')
    await page.getByRole('button', { name: 'Remove line 1' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL('**/sales/leads')
    expect(body).toEqual({
      version: 3,
      lines: [
        { Id: 'l1', account: 'Loans', amount: 5, side: 'debit', note: null },
        { Id: 'l2', account: 'Fees', amount: 8, side: 'debit', note: null },
      ],
    })
  })

  it.each([1280, 360])('keep their place while their inputs are on the way (%i px)', async (width) => {
    const lines = ['Cash', 'Loans', 'Fees'].map((account, index) => ({ Id: `l${index}`, account, amount: 5, side: 'debit', note: null }))
    const { page } = await open('/sales/leads', {
      width,
      answers: { 'GET /api/journal/*': () => ({ journalEntry: { Id: 'j1', name: 'Loan 17', version: 3, lines } }) },
    })
    const held: Route[] = []
    await page.route(/lines-input/, (route) => void held.push(route))
    await page.goto('/finance/journal/edit/j1')
    await soon(() => held.length).toBe(1)
    await page.getByText('Lines', { exact: true }).waitFor()
    const height = async () => {
      await calm(page)
      return (await page.locator('.form-card').boundingBox())?.height ?? 0
    }
    const before = await height()
    await held[0]?.continue()
    await cell(page, 'Amount', 3).waitFor()
    expect(Math.abs((await height()) - before)).toBeLessThan(12)
  })

  it('are one card each at 360 px, without scrolling sideways', async () => {
    const { page } = await open('/finance/journal/create', { width: 360, height: 740 })
    for (const line of [1, 2, 3, 4]) {
      await page.getByRole('button', { name: 'Add line' }).click()
      await cell(page, 'Account', line).fill('Cash')
    }
    expect(await page.getByRole('button', { name: 'Add line' }).isDisabled()).toBe(true)
    expect(await page.getByRole('group', { name: 'Line 4' }).count()).toBe(1)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
    await page.getByRole('button', { name: 'Remove line 2' }).click()
    await page.getByRole('group', { name: 'Line 4' }).waitFor({ state: 'detached' })
    expect(await violations(page)).toEqual([])
  })
})
