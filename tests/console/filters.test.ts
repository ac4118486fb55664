import type { Page } from 'playwright'
import { describe, expect, it } from 'vitest'
import { rulesIn, tooWide } from './support/browser.ts'
import { rows, search, soon, useLeads, violations } from './support/leads.ts'
import { bodyOf } from './support/views.ts'

const open = useLeads()
const filterIn = (page: Page) => JSON.parse(search(page).get('filter') ?? '[]') as unknown
const condition = (page: Page, number: number) => page.getByRole('group', { name: `Condition ${number}`, exact: true })
const shot = (page: Page, name: string) => (process.env.LOOK ? page.screenshot({ path: `${process.env.LOOK}/${name}.png` }) : undefined)

async function choose(
  page: Page,
  number: number,
  { field, condition: words, value }: { field?: string; condition?: string; value?: string },
  at = 0,
): Promise<void> {
  const place = condition(page, number).nth(at)
  const pick = async (label: string, option: string) => {
    await place.getByRole('combobox', { name: label }).click()
    await page.locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden)').getByTitle(option, { exact: true }).click()
  }
  if (field) await pick('Field', field)
  if (words) await pick('Condition', words)
  if (value) await pick('Value', value)
}

describe('a group of filters', () => {
  it('is put together of any and all, asked for, kept in the address, changed and taken away', async () => {
    const views: Record<string, unknown>[] = []
    const answers = {
      'GET /api/views': () => ({ views }),
      'POST /api/views': (route: Parameters<typeof bodyOf>[0]) => {
        const view = { ...bodyOf(route), Id: 'v1', isMine: true }
        views.push(view)
        return { view }
      },
    }
    const { page, requests } = await open('/sales/leads', { answers, width: 1280 })
    await rows(page).first().waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('button', { name: 'Group of conditions' }).click()
    const form = page.getByRole('form', { name: 'Group of conditions' })
    await choose(page, 1, { condition: 'is', value: 'Junk' })
    expect(await form.getByRole('button', { name: 'Add filter' }).isDisabled()).toBe(true)
    await form.getByRole('button', { name: 'Remove condition 2' }).click()
    await form.getByRole('button', { name: 'Group', exact: true }).click()
    const inner = form.getByRole('group', { name: 'Group within the group' })
    await inner.getByText('All of these').click()
    await choose(page, 1, { condition: 'is', value: 'New' }, 1)
    await choose(page, 2, { field: 'Consent given', value: 'No' })
    expect(await inner.getByRole('button', { name: 'Group', exact: true }).count()).toBe(0)
    expect(await violations(page)).toEqual([])
    await form.getByRole('button', { name: 'Add filter' }).click()
    const group = {
      any: [
        { field: 'status', op: 'eq', value: 'Junk' },
        {
          all: [
            { field: 'status', op: 'eq', value: 'New' },
            { field: 'consent', op: 'eq', value: 'false' },
          ],
        },
      ],
    }
    await soon(() => filterIn(page)).toEqual([group])
    const asked = () =>
      JSON.parse(
        new URL(requests.findLast((request) => request.url().includes('/api/leads?'))!.url()).searchParams.get('filter') ?? '[]',
      ) as unknown
    await soon(asked).toEqual([group])
    const chip = page.getByRole('button', { name: 'Change the filter: Status is Junk or (Status is New and Consent given is No)' })
    await soon(() => page.locator('.view-count').innerText()).toBe('50 records')
    await page.reload()
    await chip.waitFor()
    await soon(() => page.locator('.view-count').innerText()).toBe('50 records')

    await page.getByRole('button', { name: 'View options' }).click()
    await page.getByRole('menuitem', { name: 'Save as…' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Lost or waiting')
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await soon(() => search(page).get('view')).toBe('v1')
    expect(views).toMatchObject([{ state: { terms: [group] } }])
    await chip.click()
    await form.getByText('All of these').first().click()
    await form.getByRole('button', { name: 'Remove group 2' }).click()
    await form.getByRole('button', { name: 'Change' }).click()
    await soon(() => filterIn(page)).toEqual([{ all: [{ field: 'status', op: 'eq', value: 'Junk' }] }])
    await page.locator('.list-chip .ant-tag-close-icon').click()
    await soon(() => search(page).get('filter')).toBe('[]')
  })

  it.each([['dark', 360]] as const)('is read in %s at %i px', async (scheme, width) => {
    const filter = [
      {
        any: [
          { field: 'status', op: 'eq', value: 'Junk' },
          {
            all: [
              { field: 'status', op: 'in', value: ['New', 'Contacted'] },
              { field: 'consent', op: 'eq', value: 'true' },
            ],
          },
        ],
      },
    ]
    const { page } = await open(`/sales/leads?filter=${encodeURIComponent(JSON.stringify(filter))}`, { scheme, width })
    await page.locator('.list-chip-words').click()
    await page.getByRole('form', { name: 'Group of conditions' }).waitFor()
    await page.getByRole('group', { name: 'Conditions' }).getByRole('combobox').first().waitFor()
    expect(await violations(page, rulesIn(scheme))).toEqual([])
    expect(await tooWide(page)).toEqual([])
    await shot(page, `group_${scheme}_${width}`)
  })
})

describe('the row of filters', () => {
  const many = [
    { field: 'status', op: 'in', value: ['New', 'Contacted', 'Qualified'] },
    { field: 'consent', op: 'eq', value: 'true' },
    { field: 'installmentAmount', op: 'gte', value: 1 },
    { field: 'installmentAmount', op: 'lte', value: 900_000 },
    { field: 'assignedUserId', op: 'in', value: ['u1', 'u2', 'u3'] },
  ]
  const path = `/sales/leads?from=2026-11-01&to=2026-11-30&filter=${encodeURIComponent(JSON.stringify(many))}`

  it.each([['light', 1280]] as const)(
    'is one row in %s at %i px, what finds no room is behind "Filters", and nothing jumps',
    async (scheme, width) => {
      const { page } = await open(path, { scheme, width })
      await rows(page).first().waitFor()
      await page
        .getByText('is any of Amina Otieno, Brian Kamau, Chebet Rono')
        .or(page.getByRole('button', { name: /^Filters \+\d$/ }))
        .first()
        .waitFor()
      const toolbar = page.locator('.list-toolbar')
      expect((await toolbar.boundingBox())?.height).toBeLessThanOrEqual(44)
      expect(
        await toolbar.evaluate((place) => [
          place.scrollWidth <= place.clientWidth,
          new Set(
            [...place.children].map((child) => Math.round(child.getBoundingClientRect().top + child.getBoundingClientRect().height / 2)),
          ).size,
        ]),
      ).toEqual([true, 1])
      const shift = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) =>
              resolve(list.getEntries().reduce((sum, entry) => sum + (entry as unknown as { value: number }).value, 0)),
            ).observe({ type: 'layout-shift', buffered: true })
            setTimeout(() => resolve(0), 300)
          }),
      )
      expect(shift).toBeLessThanOrEqual(0.05)
      const shown = page.locator('.list-chip-place:not([inert])')
      const more = page.getByRole('button', { name: `Filters +${5 - (await shown.count())}` })
      await more.click()
      const rest = page.getByRole('list', { name: 'Filters' })
      await rest.getByRole('button', { name: 'Change the filter: Assigned to is any of Amina Otieno, Brian Kamau, Chebet Rono' }).waitFor()
      await shot(page, `row_${scheme}_${width}`)
      expect(await violations(page, rulesIn(scheme))).toEqual([])
      await rest.locator('.ant-tag-close-icon').last().click()
      await soon(() => filterIn(page)).toEqual(many.slice(0, 4))
      await rest
        .getByRole('button', { name: /^Change the filter/ })
        .last()
        .click()
      await page.getByRole('form', { name: 'Filter' }).getByRole('button', { name: 'Change' }).waitFor()
    },
  )

  it('breaks into lines on a phone, with every filter in sight', async () => {
    const { page } = await open(path, { width: 360, scheme: 'dark' })
    await page.locator('.record-card').first().waitFor()
    expect(await page.locator('.list-chip-place[inert]').count()).toBe(0)
    expect(await tooWide(page)).toEqual([])
    await shot(page, 'row_dark_360')
    expect(await violations(page, rulesIn('dark'))).toEqual([])
  })
})
