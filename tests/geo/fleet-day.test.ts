import ExcelJS from 'exceljs'
import type { Page } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { settle } from '../e2e/support/look.ts'
import { openPerson, signInFor } from '../support/browser.ts'
import { openMailbox, type Mailbox } from '../support/mailbox.ts'
import { fixAt } from './support/devices.ts'
import { openDispatcher, type Dispatcher } from './support/dispatcher.ts'
import { startResender } from './support/resender.ts'

/** A zone in which it is between one and two at night now, at whatever hour the test runs. */
const nightZone = () => {
  const ahead = (25 - new Date().getUTCHours()) % 24
  return ahead <= 12 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`
}
const plate = 'KDN 017N'

let mailbox: Mailbox
let dispatcher: Dispatcher
let page: Page
let jobs: ReturnType<typeof startJobs> | undefined

beforeAll(async () => {
  mailbox = await openMailbox()
  dispatcher = await openDispatcher('/tracking/devices/unlinked', { timeZone: nightZone(), env: { SMTP_URL: mailbox.url } })
  ;({ page } = dispatcher)
  const { areas, machine } = dispatcher.stack.app
  jobs = startJobs({ areas, services: machine.services, store: machine.queueStore, log: machine.log, sweepMs: 100 })
}, 180_000)
afterAll(async () => {
  await jobs?.close()
  await dispatcher.close()
  await mailbox.close()
})

interface Told {
  /** Seconds ago. */
  ago: number
  latitude: number
  speed: number
  alarm?: string
}
const report = ({ uniqueId, port }: { uniqueId: string; port: number }, told: readonly Told[]) =>
  startResender({
    uniqueId,
    port,
    packets: told.map(({ ago, latitude, speed, alarm }) => [
      fixAt(Date.now() - ago * 1_000, {
        latitude,
        longitude: 36.86,
        speed,
        attributes: { ignition: true, ...(alarm === undefined ? {} : { alarm }) },
      }),
    ]),
  })

test('the day of a dispatcher: an unknown tracker is adopted, leaves its fence at night, is replayed, stopped, shared, reported and its crash reviewed', async () => {
  const { stack, browser, api, person } = dispatcher
  person.allow(/409|422/, 'the engine of a vehicle that drives is not stopped')
  // On no asset yet.
  const to = await stack.vehicle(stack.north)
  const { uniqueId } = to
  const dialog = page.getByRole('dialog')
  // Just inside the northern edge of the fence that is drawn below.
  const yard = -1.2804

  await report(
    to,
    [400, 300, 150, 110, 70, 40, 2].map((ago) => ({ ago, latitude: yard, speed: 0 })),
  ).done
  await page.reload()
  await page.getByRole('button', { name: `Adopt ${uniqueId}` }).click()
  await page.getByLabel('Registration number').fill(plate)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Adopted').waitFor()
  await page.goto('/tracking/map')
  await page.getByRole('button', { name: new RegExp(plate) }).click()
  await page.getByRole('tab', { name: 'Asset Details' }).waitFor()
  const coordinates = page.locator('.fleet-facts div', { hasText: 'Coordinates' }).locator('dd')
  await expect.poll(() => coordinates.innerText()).toMatch(/-1\.2804/)

  // A second person lets its engine be stopped while it stands.
  const choose = async (where: Page, name: string, option: string) => {
    await where.getByLabel(name, { exact: true }).and(where.locator('input')).fill(option)
    await where.locator('.ant-select-item-option:visible', { hasText: option }).first().click()
    await where.keyboard.press('Escape')
  }
  const askToStop = async () => {
    await page.getByRole('button', { name: /^Send a command to/ }).click()
    await dialog.getByRole('combobox', { name: 'Command' }).click()
    await page.locator('.ant-select-item-option:visible', { hasText: 'Stop the engine' }).click()
    await dialog.getByLabel('Reason (required)').fill('Instalments three months late')
    await dialog.getByRole('button', { name: 'Send', exact: true }).click()
  }
  // A place counts for a minute only.
  await report(to, [{ ago: 0, latitude: yard, speed: 0 }]).done
  await askToStop()
  await dialog.getByRole('listitem').filter({ hasText: 'Waits for a second person' }).waitFor()
  const second = await openPerson(browser, { url: stack.url, width: 1440, height: 900 })
  const user = await stack.app.make.user({ company: stack.company, role: 'admin', firstName: 'Second', lastName: 'Person' })
  await signInFor(second, user.emailAddress, '/tracking/commands/send')
  await report(to, [{ ago: 0, latitude: yard, speed: 0 }]).done
  await second.page.getByRole('button', { name: /^Approve for/ }).click()
  await second.page.getByText(/approved by Second Person/).waitFor()
  await second.context.close()

  // A fence is drawn round the yard by hand, and a rule says who is told when something leaves it at night.
  await page.goto('/tracking/fences/create?map=-1.28,36.82,12')
  await page.getByLabel('Name', { exact: true }).fill('Yard')
  await page.getByLabel('Devices watched at it').fill(uniqueId)
  await page.locator('.ant-select-item-option:visible', { hasText: uniqueId }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Draw it on the map' }).click()
  const sheet = page.getByRole('application', { name: 'Draw the area' })
  await sheet.waitFor()
  for (const key of ['Space', 'ArrowRight', 'ArrowRight', 'Space', 'ArrowDown', 'ArrowDown', 'Space', 'Enter']) await sheet.press(key)
  await sheet.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Yard/ }).waitFor()
  await page.goto('/tracking/event-ios/create')
  await page.getByLabel('Name', { exact: true }).fill('Leaves at night')
  await choose(page, 'When', 'Left a fence')
  await page.getByRole('switch', { name: 'Only at certain hours' }).click()
  await page.getByLabel('Severity').click()
  await page.locator('.ant-select-item-option-content', { hasText: 'Critical' }).click()
  await page.getByRole('checkbox', { name: 'Tell me here' }).check()
  await page.getByLabel('Send mail to').fill('night@mail.test')
  await page.getByLabel('Send mail to').press('Enter')
  await settle(person)
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Leaves at night/ }).waitFor()

  // It leaves: on screen, in the bell and by mail. While it drives nobody stops its engine.
  const stateInYard = async () =>
    (await api.get<{ geofences: { state?: string }[] }>(`/api/geo/fences?deviceId=${to.deviceId}`)).body.data.geofences[0]?.state
  await report(
    to,
    [3, 2, 1, 0].map((ago) => ({ ago, latitude: yard, speed: 0 })),
  ).done
  await expect.poll(stateInYard, { timeout: 30_000, interval: 250 }).toBe('inside')
  await page.goto('/tracking/map')
  await page.getByRole('button', { name: new RegExp(plate) }).click()
  // As fast as a vehicle may drive: what jumps is no place.
  const leftAt = Date.now() + 8_000
  await expect.poll(() => Date.now(), { timeout: 20_000 }).toBeGreaterThan(leftAt)
  await report(
    to,
    [-1.2798, -1.2796, -1.2794].map((latitude, place) => ({ ago: 4 - 2 * place, latitude, speed: 64 })),
  ).done
  await page
    .getByText(new RegExp(`${uniqueId}: .*(fence|Yard|Leaves at night)`, 'i'))
    .first()
    .waitFor({ timeout: 30_000 })
  await expect.poll(() => mailbox.letters.map(({ to: whom }) => whom), { timeout: 30_000 }).toContain('night@mail.test')
  await askToStop()
  await dialog.getByText(/The engine is not stopped: the vehicle moved at 64 km\/h/).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: /^Notifications/ }).click()
  await page.getByText(`${uniqueId}: Left a fence (Yard).`).first().waitFor()
  await page.keyboard.press('Escape')

  // The day again, from its beginning.
  await page.goto('/tracking/map')
  await page.getByRole('button', { name: new RegExp(plate) }).click()
  await page.getByRole('link', { name: 'Replay today' }).click()
  const scrubber = page.getByRole('slider', { name: 'Time of day' })
  await scrubber.waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const start = Number(await scrubber.getAttribute('min'))
  await expect.poll(async () => Number(await scrubber.inputValue())).toBeGreaterThan(start)

  // A customer sees where it is until tonight, and nothing else.
  await page.goto('/tracking/map')
  await page.getByRole('button', { name: new RegExp(plate) }).click()
  await page.getByRole('tab', { name: 'Share', exact: true }).click()
  await page.getByLabel('For whom').fill('The customer')
  await page.getByLabel('How long').click()
  await page.locator('.ant-select-dropdown:visible').getByText('Until tonight').click()
  await page.getByRole('button', { name: 'Make a link' }).click()
  const link = new URL(await page.getByLabel('The link').inputValue())
  const outside = await openPerson(browser, { url: stack.url, width: 360, height: 740 })
  await outside.page.goto(link.pathname)
  await outside.page.getByRole('heading', { name: plate }).waitFor()
  await outside.page.goto('/tracking/map')
  await outside.page.getByLabel('Password').waitFor()
  await outside.context.close()

  // Trips and stops of the month as workbooks.
  for (const [report, name] of [
    ['trips', 'Trips'],
    ['stops', 'Stops'],
  ] as const) {
    await page.goto(`/reports/standard/${report}`)
    await settle(person)
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/day-${report}.png` })
    const [download] = await Promise.all([
      page.waitForEvent('download', { timeout: 60_000 }),
      page.getByRole('button', { name: 'Generate XLSX' }).click(),
    ])
    const book = new ExcelJS.Workbook()
    await book.xlsx.readFile(await download.path())
    expect([name, book.getWorksheet(name) !== undefined]).toEqual([name, true])
  }

  // It crashes; the crash is looked at and approved.
  await report(to, [
    { ago: 3, latitude: -1.2792, speed: 72 },
    { ago: 2, latitude: -1.2791, speed: 0, alarm: 'accident' },
    { ago: 1, latitude: -1.2791, speed: 0 },
  ]).done
  await page.goto('/tracking/map')
  await page.getByRole('button', { name: new RegExp(plate) }).click()
  const crash = page.locator('.fleet-crash')
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByRole('tab', { name: 'Crash' }).click()
        await settle(person)
        return crash.count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
  await crash.getByLabel('Note').fill('Driver well')
  await crash.getByRole('button', { name: 'It was a crash' }).click()
  await page.locator('.fleet-crash[data-tone=bad]').waitFor()
  expect(person.faults).toEqual([])
}, 400_000)
