import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { goTo, launchBrowser } from '../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { callAs, type Call } from './support/calls.ts'
import { look, settle } from './support/look.ts'

interface Row {
  Id: string
  name: string
  status: string
  seriesId: string | null
  agentName: string
}

const url = inject('outpostUrl')
const name = `Stall visit ${Date.now()}`
let browser: Browser
let manager: Person
let call: Call

beforeAll(async () => {
  browser = await launchBrowser()
  manager = await openPerson(browser, { url, width: 1440, height: 900 })
  await signIn(manager, 'branch@sunrise.test')
  call = await callAs(url, 'branch@sunrise.test')
})
afterAll(() => browser.close())

const planned = async () =>
  (
    (
      await call(
        'GET',
        `/api/activities?search=${encodeURIComponent(name)}&startDate=2020-01-01&endDate=2100-01-01&sortField=startDate&sortOrder=ASC`,
      )
    ).body as { data: { activities: Row[] } }
  ).data.activities

it('plans a weekly visit for an officer, in the form', async () => {
  const { page } = manager
  await goTo(page, '/sales/activities/create')
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Repeats').click()
  await page.getByTitle('Every week', { exact: true }).click()
  await page.getByLabel('Agents').fill('Kipchoge')
  await page.getByTitle('Kipchoge Muthoni').click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name, level: 1 }).waitFor()
  const rows = await planned()
  expect(rows.length).toBeGreaterThanOrEqual(13)
  expect(new Set(rows.map((row) => `${row.agentName} ${row.seriesId}`)).size).toBe(1)
})

it('shows it with its history; a status goes in by its button and the table is told', async () => {
  const { page } = manager
  await page.getByText('Planned', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Change status' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Status').click()
  await page.getByTitle('Cancelled', { exact: true }).click()
  await dialog.getByLabel('Reason').fill('Market closed')
  await dialog.getByRole('button', { name: 'Change status' }).click()
  await page.getByText('Status Pending → Cancelled').waitFor()
  expect((await planned())[0]?.status).toBe('Cancelled')
  const seen = await look(manager, 'activity')
  expect([seen.violations, seen.tooWide, seen.faults]).toEqual([[], [], []])
})

it('deletes one from the table and takes it back', async () => {
  const { page } = manager
  await goTo(page, `/sales/activities?search=${encodeURIComponent(name)}&from=2020-01-01&to=2100-01-01`)
  await settle(manager)
  await page.getByRole('checkbox').nth(1).check()
  await page.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  const undo = page.getByRole('button', { name: 'Undo' })
  await undo.waitFor()
  const left = (await planned()).length
  await undo.click()
  await page.getByText('Undone').waitFor()
  expect((await planned()).length).toBe(left + 1)
})

it('gives a calendar address that a calendar can read, and takes it back', async () => {
  const { page } = manager
  await goTo(page, '/sales/activities')
  await page
    .getByRole('button', { name: 'Calendar address' })
    .or(page.getByRole('link', { name: 'Calendar address' }))
    .first()
    .click()
  await page.getByRole('button', { name: 'Make an address' }).click()
  const address = (await page.getByText(/\/api\/calendar\/.+\.ics/).innerText()).trim()
  const path = new URL(address).pathname
  expect((await fetch(`${url}${path}`)).headers.get('content-type')).toContain('text/calendar')
  await page
    .getByRole('button', { name: 'Revoke' })
    .or(page.getByRole('button', { name: /more|actions/i }))
    .first()
    .waitFor()
  expect((await call('DELETE', '/api/calendar/feed', {})).status).toBe(200)
  expect((await fetch(`${url}${path}`)).status).toBe(404)
})
