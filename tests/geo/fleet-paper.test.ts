import ExcelJS from 'exceljs'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startJobs } from '../../apps/server/src/kernel/jobs/index.ts'
import { expectSound, settle } from '../e2e/support/look.ts'
import { fixAt } from './support/devices.ts'
import { openDispatcher, type Dispatcher } from './support/dispatcher.ts'
import { startResender } from './support/resender.ts'

/** What a dispatcher takes away from the screen: the map on paper, trips in a workbook, the hardware counted. */
let stack: Dispatcher['stack']
let api: Dispatcher['api']
let person: Dispatcher['person']
let page: Dispatcher['page']
let close: Dispatcher['close']
let jobs: ReturnType<typeof startJobs> | undefined

beforeAll(async () => {
  ;({ stack, api, person, page, close } = await openDispatcher('/tracking/devices'))
  // Files of reports are written by jobs.
  const { areas, machine } = stack.app
  jobs = startJobs({ areas, services: machine.services, store: machine.queueStore, log: machine.log, sweepMs: 200 })
}, 180_000)
afterAll(async () => {
  await jobs?.close()
  await close()
})

const onAsset = async (plate: string) => {
  const device = await stack.vehicle(stack.north)
  await api.post('/api/geo/asset', { registrationNumber: plate, asset_devices: [device.deviceId] })
  return device
}

test('the live map is printed: the map with its heading, without list, panel and switches', async () => {
  const device = await onAsset('KDP 001P')
  await startResender({
    ...device,
    packets: [[fixAt(Date.now(), { latitude: -1.29, longitude: 36.82, speed: 40, attributes: { ignition: true } })]],
  }).done
  await page.goto('/tracking/map')
  await page.getByRole('button', { name: /KDP 001P/ }).click()
  await page.getByRole('tab', { name: 'Asset Details' }).waitFor()
  await settle(person)
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes')
  })
  await page.getByRole('button', { name: 'Print' }).click()
  expect(await page.locator('body').getAttribute('data-printed')).toBe('yes')
  await page.emulateMedia({ media: 'print' })
  const seen = async (selector: string) => page.locator(selector).first().isVisible()
  expect(await Promise.all(['.map-viewport', 'main h1', '.fleet-list', '.fleet-panel', '.view-header-actions'].map(seen))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ])
  const bytes = await page.pdf({ landscape: true, printBackground: true })
  await page.emulateMedia({ media: null })
  const paper = await getDocument({ data: new Uint8Array(bytes), verbosity: 0 }).promise
  expect(paper.numPages).toBe(1)
  const { items } = await (await paper.getPage(1)).getTextContent()
  const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
  expect(text).toContain('Live map')
  expect(text).not.toMatch(/Search assets|Asset Details|Sign out/)
  expect(person.faults).toEqual([])
})

test('trips are downloaded as a workbook: each trip of the screen is a row, with hours and kilometres that add up', async () => {
  const { companyId, deviceId } = await onAsset('KDP 002P')
  await stack.app.database.admin.query(
    `insert into geo.trip ("companyId", "deviceId", "assetId", "startTime", "endTime", "startLatitude", "startLongitude", "endLatitude", "endLongitude", "metres", "movingSeconds")
     select $1, $2, (select "assetId" from geo.device_asset where "deviceId" = $2), now() - n * interval '5 hours', now() - n * interval '5 hours' + interval '90 minutes', -1.29, 36.82, -1.03, 37.07, 12000 * n, 5400 from generate_series(1, 3) n`,
    [companyId, deviceId],
  )
  await page.goto(`/reports/standard/trips?deviceIds=${encodeURIComponent(JSON.stringify([deviceId]))}`)
  await page.getByRole('status').filter({ hasText: '3 rows' }).waitFor()
  await settle(person)
  await expectSound(person, 'trips to be downloaded')
  // The file opens in a tab of its own, which the browser closes when it turns out to be a download.
  const [download] = await Promise.all([
    page.waitForEvent('download', { timeout: 60_000 }),
    page.getByRole('button', { name: 'Generate XLSX' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^Trips .*\.xlsx$/)
  const book = new ExcelJS.Workbook()
  await book.xlsx.readFile(await download.path())
  const sheet = book.getWorksheet('Trips')!
  const heading = (sheet.getRow(1).values as string[]).slice(1)
  const column = (title: string) => [2, 3, 4, 5].map((row) => sheet.getRow(row).getCell(heading.indexOf(title) + 1))
  expect(column('Vehicle').map(({ value }) => value)).toEqual(['KDP 002P', 'KDP 002P', 'KDP 002P', null])
  expect(column('Distance (km)').map(({ value }) => value)).toEqual([36, 24, 12, 72])
  expect(column('Duration').map(({ numFmt }) => numFmt)).toEqual(Array.from({ length: 4 }, () => '[h]:mm:ss'))
  expect(sheet.rowCount).toBe(5)
  expect(book.getWorksheet('About')).toBeDefined()
  expect(person.faults).toEqual([])
}, 400_000)

test('hardware is counted by make and model; a count opens the devices that it counts', async () => {
  const devices = await Promise.all([1, 2, 3].map(() => stack.vehicle(stack.north)))
  await stack.app.database.admin.query(
    `update geo.device set "make" = 'Zenon', "model" = case when "id" = $2 then 'Z9' else 'Z1' end where "id" = any($1)`,
    [devices.map(({ deviceId }) => deviceId), devices[0]!.deviceId],
  )
  await page.goto('/tracking/devices')
  await page
    .getByRole('link', { name: 'Hardware' })
    .or(page.getByRole('button', { name: 'Hardware' }))
    .click()
  await page.getByRole('heading', { name: 'Hardware', level: 1 }).waitFor()
  const row = page.getByRole('row', { name: /Zenon Z1/ })
  await row.waitFor()
  expect((await row.getByRole('cell').allInnerTexts()).slice(3)).toEqual(['2', '0'])
  expect(
    (
      await page
        .getByRole('row', { name: /Zenon Z9/ })
        .getByRole('cell')
        .allInnerTexts()
    ).slice(3),
  ).toEqual(['1', '0'])
  await settle(person)
  await expectSound(person, 'hardware')
  await page.getByPlaceholder('Make, model or protocol').fill('Z9')
  await page.getByPlaceholder('Make, model or protocol').press('Enter')
  await row.waitFor({ state: 'detached' })
  await page.getByPlaceholder('Make, model or protocol').fill('Zenon')
  await page.getByPlaceholder('Make, model or protocol').press('Enter')
  await row.getByRole('link', { name: '2', exact: true }).click()
  await page.getByRole('heading', { name: 'Devices', level: 1 }).waitFor()
  const listed = page.locator('.ant-table-row')
  await expect.poll(() => listed.count()).toBe(2)
  for (const { uniqueId } of devices.slice(1)) await page.getByRole('row', { name: new RegExp(uniqueId) }).waitFor()
  expect(person.faults).toEqual([])
})
