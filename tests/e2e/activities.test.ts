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

it('shows it with its history; a status goes in by its button and the table shows it', async () => {
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
  await undo.hover()
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

it('changes a status without a connection: kept and shown, sent later; what the office refuses by then says why', async () => {
  const run = `Offline ${Date.now()}`
  const soon = <Value>(read: () => Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 200 })
  const { body } = await call('GET', '/api/activities/statuses')
  const statuses = (body.data as { activityStatuses: { Id: string; name: string; meaning: string }[] }).activityStatuses
  const statusOf = (meaning: string) => statuses.find((status) => status.meaning === meaning) as (typeof statuses)[number]
  const make = async (title: string) => {
    const hour = 3_600_000
    const [startDate, endDate] = [new Date(Date.now() + hour).toISOString(), new Date(Date.now() + 2 * hour).toISOString()]
    const made = await call('POST', '/api/activities', { name: `${title} ${run}`, startDate, endDate })
    return (made.body.data as { activity: Row }).activity.Id
  }
  const meaningOf = async (id: string) =>
    ((await call('GET', `/api/activities/${id}`)).body.data as { activity: { meaning: string; statusReason: string | null } }).activity
  const [lost, closed] = [await make('Lost'), await make('Closed')]
  const person = await openPerson(browser, { url, width: 1440, height: 900, hasWorker: true })
  const { page } = person
  await signIn(person, 'branch@sunrise.test')
  await page.goto(`/sales/activities?search=${encodeURIComponent(run)}`)
  const row = (title: string) => page.locator('.record-table .ant-table-row', { hasText: `${title} ${run}` })
  await row('Lost').waitFor()
  await page.evaluate(() => navigator.serviceWorker.ready)
  // The pull of the day is over when the device says when it was.
  await page.getByRole('button', { name: /^Application is currently online/ }).click()
  await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
  await page.keyboard.press('Escape')
  await person.setOffline(true)
  await page.getByRole('button', { name: /^Application is currently offline/ }).waitFor()
  const dialog = page.getByRole('dialog', { name: 'Change status' })
  const change = async (title: string, meaning: string, reason: string) => {
    await row(title)
      .getByRole('button', { name: `Actions for ${title} ${run}` })
      .click()
    await page.getByRole('menuitem', { name: 'Change status' }).click()
    await dialog.getByRole('combobox', { name: 'Status' }).click()
    await page
      .locator('.ant-select-dropdown:not(.ant-select-dropdown-hidden) .ant-select-item-option')
      .getByText(statusOf(meaning).name, { exact: true })
      .click()
    await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason)
    await dialog.getByRole('button', { name: 'Change status' }).click()
    await row(title).getByText('to be sent').waitFor()
    await row(title).getByText(statusOf(meaning).name, { exact: true }).first().waitFor()
  }
  await change('Lost', 'missed', 'Nobody there')
  await change('Closed', 'cancelled', 'Not needed')
  expect((await meaningOf(lost)).meaning).toBe('open')
  expect((await call('PUT', `/api/activities/status/${closed}`, { statusId: statusOf('done').Id })).status).toBe(200)
  await person.setOffline(false)
  await soon(() => meaningOf(lost)).toMatchObject({ meaning: 'missed', statusReason: 'Nobody there' })
  await page.goto('/offline/attention')
  await page.getByRole('heading', { name: `Change of activity: Closed ${run}` }).waitFor()
  await page.getByText('The status cannot follow the present one').waitFor()
  await page
    .getByText(`The activity is ${statusOf('done').name} and cannot become ${statusOf('cancelled').name}.`)
    .first()
    .waitFor()
  await page
    .getByText(`${statusOf('cancelled').name}, Not needed`)
    .first()
    .waitFor()
  expect((await meaningOf(closed)).meaning).toBe('done')
  person.faults.splice(0)
})
