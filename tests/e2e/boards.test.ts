import { readFile } from 'node:fs/promises'
import { describe, expect, inject, it } from 'vitest'
import { goTo } from '../console/support/browser.ts'
import { callAs } from './support/calls.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const url = inject('outpostUrl')
const { enter } = usePeople()

describe('the first dashboard of a role', () => {
  it('shows a managing director the whole house and an administrator the system', async () => {
    const director = await enter('md@sunrise.test', '/')
    const titles = () => director.page.locator('.widget h2').allInnerTexts()
    await expect
      .poll(titles)
      .toEqual(
        expect.arrayContaining([
          expect.stringContaining('Targets of branches and teams'),
          expect.stringContaining('From new to converted'),
          expect.stringContaining('Leads by branch'),
        ]),
      )
    expect(await director.page.locator('.chart-funnel li').count()).toBeGreaterThan(5)
    await expect.poll(() => director.page.locator('.chart-key').innerText()).toMatch(/As many days before: [\d,]+/)
    // Percents of several targets are no percent.
    expect(
      await director.page
        .locator('.widget', { hasText: 'Targets of branches and teams' })
        .getByText(/others/)
        .count(),
    ).toBe(0)
    await expectSound(director, 'dashboard of the managing director')
    const admin = await enter('admin@sunrise.test', '/', { scheme: 'dark', width: 390, height: 800 })
    expect((await admin.page.locator('.widget h2').allInnerTexts()).slice(0, 2)).toEqual(['Active users', 'Users signed in'])
    await expectSound(admin, 'dashboard of the administrator')
  })

  it('gives a status the same colour in the ring, in the list and on the board', async () => {
    const person = await enter('md@sunrise.test', '/')
    const { page } = person
    const slice = page.locator('.widget', { hasText: 'Leads by status' }).locator('.chart-legend li', { hasText: 'Contacted' })
    const ring = await slice.locator('rect').evaluate((mark) => getComputedStyle(mark).fill)
    await goTo(
      page,
      `/sales/leads?dateType=created&from=1980-01-01&to=2027-12-31&filter=${encodeURIComponent('[{"field":"status","op":"eq","value":"Contacted"}]')}`,
    )
    const tag = page.locator('.view-tag', { hasText: 'Contacted' }).first()
    await expect.poll(() => tag.evaluate((mark) => getComputedStyle(mark).color)).toBe(ring)
    await goTo(page, '/sales/leads?layout=kanban')
    const head = page.locator('.board-column', { hasText: 'Contacted' }).locator('.board-column-head').first()
    await expect.poll(() => head.evaluate((mark) => getComputedStyle(mark).borderBlockStartColor)).toBe(ring)
  })
})

describe('a report', () => {
  it('shows its first rows and a drawing before there is a file', async () => {
    const person = await enter('md@sunrise.test', '/reports/standard/salesAgentReport')
    const { page } = person
    const preview = page.getByRole('region', { name: 'Preview' })
    await preview.locator('tbody tr').first().waitFor()
    const drawing = preview.getByRole('img', { name: /\d/ })
    await drawing.locator('canvas').waitFor()
    const saved = page.waitForEvent('download')
    await preview.getByRole('button', { name: 'Save as picture' }).click()
    const picture = await saved
    expect(picture.suggestedFilename()).toMatch(/^Sales Agent report.*[.]png$/i)
    expect((await readFile(await picture.path())).subarray(1, 4).toString()).toBe('PNG')
    expect(await preview.locator('[role=status]').innerText()).toMatch(/rows? · From \d+ \w{3} \d{4} · To \d+ \w{3} \d{4}/)
    await page.getByRole('button', { name: 'Preview' }).click()
    await settle(person)
    await expectSound(person, 'a report with its preview')
  })
})

describe('notifications', () => {
  it('have a page of all of them, and preferences that are kept', async () => {
    const person = await enter('officer@sunrise.test', '/notifications')
    const { page } = person
    const bell = page.getByRole('checkbox', { name: 'Targets on the bell' })
    const mail = page.getByRole('checkbox', { name: 'Targets by e-mail' })
    await bell.click()
    await expect.poll(() => bell.isChecked()).toBe(false)
    await mail.click()
    await expect.poll(() => mail.isChecked()).toBe(true)
    const call = await callAs(url, 'officer@sunrise.test')
    const kept = async () =>
      ((await call('GET', '/api/notification/preferences')).body.data as { preferences: { kind: string }[] }).preferences.find(
        ({ kind }) => kind === 'targets',
      )
    await expect.poll(kept).toEqual({
      kind: 'targets',
      label: 'Targets',
      help: 'Half, nine tenths and all of a target reached',
      bell: false,
      mail: true,
      push: true,
    })
    await page.getByText('Unread', { exact: true }).click()
    await settle(person)
    await expectSound(person, 'the page of notifications')
    await call('PUT', '/api/notification/preferences', { kind: 'targets', bell: true, mail: false })
  })
})
