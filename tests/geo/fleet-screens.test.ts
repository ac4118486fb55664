import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { pictureOf } from '../../apps/console/src/theme/pictures.ts'
import { expectSound, settle } from '../e2e/support/look.ts'
import { openPerson, signInFor } from '../support/browser.ts'
import { fixAt } from './support/devices.ts'
import { startResender } from './support/resender.ts'
import { openDispatcher, type Dispatcher } from './support/dispatcher.ts'

let stack: Dispatcher['stack']
let browser: Dispatcher['browser']
let api: Dispatcher['api']
let person: Dispatcher['person']
let page: Dispatcher['page']
let close: Dispatcher['close']

beforeAll(async () => {
  ;({ stack, browser, api, person, page, close } = await openDispatcher('/tracking/devices/unlinked'))
})
afterAll(() => close())

/** For looking at: a picture of each screen where SCREENSHOTS names a folder. */
const shot = async (name: string, of = page) => {
  if (process.env.SHOTS) await of.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
const minute = 60_000
/** A tracker reports from places north of each other, each so many minutes ago. */
const report = (
  device: { uniqueId: string; port: number },
  fixes: readonly { ago: number; latitude: number; speed?: number; attributes?: Record<string, string | boolean> }[],
) =>
  startResender({
    ...device,
    packets: fixes.map(({ ago, latitude, speed = 40, attributes = {} }) => [
      fixAt(Date.now() - ago * minute, { latitude, longitude: 36.82, speed, attributes: { ignition: true, ...attributes } }),
    ]),
  }).done

test('a tracker is adopted in three clicks, moves on the live map as it reports, is shared until tonight, and its day is replayed', async () => {
  const device = await stack.vehicle(stack.north)
  await report(
    device,
    [10, 9, 8, 7, 6, 5, 4, 3].map((ago, index) => ({ ago, latitude: -1.3 + index * 0.004 })),
  )
  await page.reload()
  await page.getByRole('button', { name: `Adopt ${device.uniqueId}` }).click()
  await page.getByLabel('Registration number').fill('kda 001a')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Adopted').waitFor()
  await page.getByRole('button', { name: `Adopt ${device.uniqueId}` }).waitFor({ state: 'detached' })
  await settle(person)
  await shot('unlinked')
  await expectSound(person, 'unlinked devices')

  await page.goto('/tracking/map')
  await page.getByRole('button', { name: /KDA 001A/ }).click()
  await page.getByRole('tab', { name: 'Asset Details' }).waitFor()
  const coordinates = page.locator('.fleet-facts div', { hasText: 'Coordinates' }).locator('dd')
  await expect.poll(() => coordinates.innerText()).toMatch(/-1\.272/)
  await report(device, [{ ago: 0, latitude: -1.25 }])
  await expect.poll(() => coordinates.innerText()).toMatch(/-1\.25/)
  await api.post('/api/locations', { name: 'Pay point', kind: 'Pay point', latitude: -1.26, longitude: 36.83 })
  const [places] = await Promise.all([
    page.waitForResponse((answer) => new URL(answer.url()).pathname === '/api/locations'),
    page.getByRole('switch', { name: 'Places' }).click(),
  ])
  expect(await places.text()).toContain('Pay point')
  await page.getByRole('switch', { name: 'Last hour' }).click()
  // A way due north is a line without a width: there, if not a box.
  await page.locator('.map-viewport path[stroke-dasharray]').first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: /1 Moving/ }).click()
  expect(await page.locator('.fleet-list li').count()).toBe(1)
  await page.getByRole('button', { name: /0 Offline/ }).click()
  await page.getByText('0 assets', { exact: true }).waitFor()
  await page.getByRole('button', { name: /0 Offline/ }).click()
  await person.context.grantPermissions(['geolocation'])
  await person.context.setGeolocation({ latitude: -1.25, longitude: 36.92 })
  // An iPhone is asked for its compass by the touch.
  await page.evaluate(() =>
    Object.assign(DeviceOrientationEvent, { requestPermission: () => Promise.resolve((document.body.dataset['asked'] = 'granted')) }),
  )
  await page.getByRole('button', { name: 'Find it' }).click()
  expect(await page.locator('body').getAttribute('data-asked')).toBe('granted')
  await page.getByText('11.1 km', { exact: true }).waitFor()
  await page.locator('.fleet-find').getByText('west · north is on top').waitFor()
  await page.evaluate(() => dispatchEvent(Object.assign(new DeviceOrientationEvent('deviceorientation'), { webkitCompassHeading: 90 })))
  await page.locator('.fleet-find').getByText('north is on top').waitFor({ state: 'detached' })
  expect(await page.locator('.fleet-needle').evaluate((needle: HTMLElement) => needle.style.rotate)).toMatch(/^(-?180|179|181)deg$/)
  const { body: found } = await api.get<{ assets: { Id: string }[] }>('/api/tracking/fleet')
  await api.upload(`/api/tracking/assets/${found.data.assets[0]?.Id}/files`)
  await page.getByRole('list', { name: 'Photos' }).getByRole('img').waitFor()
  await settle(person)
  await shot('map')
  await expectSound(person, 'live map with panel')
  await page.getByRole('button', { name: 'Near me' }).click()
  await page.locator('.fleet-list').getByText('The nearest first').waitFor()
  await page
    .locator('.fleet-list li', { hasText: 'KDA 001A' })
    .getByText(/11\.1 km/)
    .waitFor()
  await page.getByRole('button', { name: 'By name' }).click()
  await page.getByText('The nearest first').waitFor({ state: 'detached' })

  for (const [tab, text] of [
    ['Alerts', 'No alarm in the last seven days.'],
    ['Events', /in the last seven days/],
    ['Trips', /No trips|trips · /],
    ['Info', device.uniqueId],
    ['Crash', 'No crash in the last thirty days.'],
    ['Edit', 'Edit everything'],
  ] as const) {
    await page.getByRole('tab', { name: tab, exact: true }).click()
    await page.locator('.fleet-panel').getByText(text).first().waitFor()
  }
  await page.getByRole('combobox', { name: 'Icon on the map' }).click()
  await page.locator('.ant-select-dropdown:visible').getByText('Tractor').click()
  await page.getByLabel('Odometer (km)').fill('1200')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Asset updated successfully').first().waitFor()
  await page.getByRole('button', { name: 'Show all', exact: true }).click()
  // Drawn as what it is.
  await page.locator(`.map-dot path[d="${pictureOf('tractor')}"]`).waitFor()
  await page.getByRole('tab', { name: 'Share', exact: true }).click()
  await page.getByLabel('For whom').fill('The customer')
  await page.getByLabel('How long').click()
  await page.locator('.ant-select-dropdown:visible').getByText('Until tonight').click()
  await page.getByRole('button', { name: 'Make a link' }).click()
  await page
    .locator('.fleet-rows')
    .getByText(/until .* 23:59/)
    .waitFor()
  const link = await page.getByLabel('The link').inputValue()
  const outside = await openPerson(browser, { url: stack.url, width: 360, height: 740 })
  await outside.page.goto(new URL(link).pathname)
  await outside.page.getByRole('heading', { name: 'KDA 001A' }).waitFor()
  await outside.page.getByText('On its way').waitFor()
  await shot('shared', outside.page)
  await expectSound(outside, 'shared page')
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByText('withdrawn').waitFor()
  await outside.page.getByRole('button', { name: 'Look again' }).click()
  await outside.page.getByRole('heading', { name: 'This link was withdrawn' }).waitFor()
  expect(outside.faults).toEqual([])
  await outside.context.close()

  await page.getByRole('tab', { name: 'Asset Details' }).click()
  await page.getByRole('link', { name: 'Replay today' }).click()
  await page.getByRole('slider', { name: 'Time of day' }).waitFor()
  await page.getByRole('button', { name: 'Play', exact: true }).click()
  const scrubber = page.getByRole('slider', { name: 'Time of day' })
  const start = Number(await scrubber.getAttribute('min'))
  await expect.poll(async () => Number(await scrubber.inputValue())).toBeGreaterThan(start + 5_000)
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('img', { name: 'Ignition over the day; on is filled' }).waitFor()
  await api.post('/api/geo/asset', { registrationNumber: 'KDB 002B' })
  await page.reload()
  await page.getByRole('combobox', { name: 'Play other assets along' }).click()
  await page.locator('.ant-select-item-option-content', { hasText: 'KDB 002B' }).click()
  await page.getByText('KDB 002B · nothing on this day').waitFor()
  await page.keyboard.press('Escape')
  await settle(person)
  await shot('replay')
  await expectSound(person, 'replay')
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page
      .getByRole('button', { name: 'Export' })
      .click()
      .then(() => page.getByRole('menuitem', { name: 'GPX' }).click()),
  ])
  expect(download.suggestedFilename()).toMatch(/^KDA 001A .*\.gpx$/)
  expect(person.faults).toEqual([])
}, 400_000)

test('a fence is drawn by hand, a rule with a preview is made on it, an alarm rings on screen and is seen to with a note', async () => {
  await page.goto('/tracking/fences/create?map=-1.28,36.82,12')
  await page.getByLabel('Name').fill('Home yard')
  await page.getByLabel('Outside counts after (s)').fill('90')
  await page.getByLabel('Tags').fill('hom')
  await page.locator('.ant-select-dropdown:visible').getByText('home: a vehicle that left it is looked after').click()
  await page.getByRole('button', { name: 'Draw it on the map' }).click()
  const sheet = page.getByRole('application', { name: 'Draw the area' })
  await sheet.waitFor()
  for (const keys of [['Space'], ['ArrowRight', 'ArrowRight', 'Space'], ['ArrowDown', 'ArrowDown', 'Space'], ['Enter']])
    for (const key of keys) await sheet.press(key)
  await sheet.waitFor({ state: 'detached' })
  await settle(person)
  await shot('fence')
  await expectSound(person, 'fence editor')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Home yard/ }).waitFor()
  const { body } = await api.get<{ geofences: { name: string; shape: string; area: { coordinates: number[][][] } }[] }>('/api/geo/fences')
  expect(body.data.geofences).toMatchObject([{ name: 'Home yard', shape: 'polygon', tags: ['home'], enterDelay: 0, exitDelay: 90 }])
  expect(body.data.geofences[0]?.area.coordinates[0]).toHaveLength(4)
  // The map draws fences until they are switched off, as the specification has it.
  await page.goto('/tracking/map')
  const fences = page.getByRole('switch', { name: 'Fences' })
  await page.locator('.map-viewport path.map-area').first().waitFor({ state: 'attached' })
  expect(await fences.isChecked()).toBe(true)
  await fences.click()
  await page.locator('.map-viewport path.map-area').waitFor({ state: 'detached' })
  expect(new URL(page.url()).searchParams.get('fences')).toBe('0')
  await fences.click()
  await page.locator('.map-viewport path.map-area').first().waitFor({ state: 'attached' })
  expect(new URL(page.url()).searchParams.has('fences')).toBe(false)

  await page.goto('/tracking/event-ios/create')
  await page.getByLabel('Name').fill('Power cut')
  await page.getByLabel('When').fill('Alarm')
  await page.getByLabel('When').press('Enter')
  await page.getByText('Would have rung 0 times').waitFor()
  await page.getByLabel('Severity').click()
  await page.locator('.ant-select-item-option-content', { hasText: 'Critical' }).click()
  await settle(person)
  await shot('rule')
  await expectSound(person, 'rule editor')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Power cut/ }).waitFor()

  await page.goto('/tracking/notifications')
  await page.getByText('Nothing waits for you').waitFor()
  const device = await stack.vehicle(stack.north)
  await report(device, [{ ago: 0, latitude: -1.26, attributes: { alarm: 'powerCut' } }])
  await page.getByText(`${device.uniqueId}: Power cut`).waitFor({ timeout: 30_000 })
  await page.getByRole('checkbox', { name: new RegExp(`${device.uniqueId} Power cut`) }).check()
  await page.getByLabel('Note').fill('Battery changed in the workshop')
  await page.getByRole('button', { name: 'Seen to (1)' }).click()
  await page.getByText('Nothing waits for you').waitFor()
  await page.getByText('Seen to', { exact: true }).first().click()
  await page.getByText('“Battery changed in the workshop”').waitFor()
  await settle(person)
  await shot('notifications')
  await expectSound(person, 'notifications')
  expect(person.faults).toEqual([])
})

test('an area is drawn with the pointer: its size is said, corners snap, are taken back and moved, a hole is cut, saved and exported', async () => {
  const name = 'Ringed park'
  const corners = [
    [36.78, -1.3],
    [36.79, -1.3],
    [36.79, -1.29],
    [36.78, -1.29],
    [36.78, -1.3],
  ]
  const beside = await api.post('/geo/geofences', { name: 'Beside', area: { type: 'Polygon', coordinates: [corners] } })
  expect(beside.status).toBe(200)
  await page.goto('/tracking/fences/create?map=-1.295,36.795,14')
  await page.getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Draw it on the map' }).click()
  const sheet = page.getByRole('application', { name: 'Draw the area' })
  await sheet.waitFor()
  // The neighbour is there to snap to.
  await page.locator('.map-viewport path.map-area').first().waitFor({ state: 'attached' })
  const box = (await sheet.boundingBox())!
  // At zoom 14 and this latitude: pixels from the middle of the map.
  const pixelsPerDegree = (256 * 2 ** 14) / 360
  const click = async (lng: number, lat: number, off = 0) =>
    page.mouse.click(
      box.x + box.width / 2 + (lng - 36.795) * pixelsPerDegree + off,
      box.y + box.height / 2 - (lat + 1.295) * pixelsPerDegree + off,
    )
  // Six pixels beside the corner of the neighbour: it snaps.
  await click(36.79, -1.3, 6)
  await click(36.805, -1.3)
  await click(36.805, -1.29)
  await page
    .locator('.map-draw-bar [role=status]')
    .filter({ hasText: /ha · edge|km² · edge/ })
    .waitFor()
  await click(36.8, -1.284)
  await page.keyboard.press('Control+z')
  await click(36.798, -1.286)
  await page.locator('.map-draw-bar').getByRole('button', { name: 'Undo' }).click()
  await page.locator('.map-draw-bar').getByRole('button', { name: 'Redo' }).click()
  await settle(person)
  await shot('fence-drawing')
  await page.getByRole('button', { name: 'Use this shape' }).click()
  await sheet.waitFor({ state: 'detached' })
  const size = page.locator('.fleet-size strong')
  const whole = await size.innerText()
  await page.getByRole('button', { name: 'Cut a hole' }).click()
  const knife = page.getByRole('application', { name: 'Draw the hole' })
  await knife.waitFor()
  for (const [lng, lat] of [
    [36.8, -1.297],
    [36.803, -1.297],
    [36.803, -1.294],
  ] as const)
    await click(lng, lat)
  await knife.press('Enter')
  await knife.waitFor({ state: 'detached' })
  expect(await size.innerText()).not.toBe(whole)
  const holes = page.getByRole('list', { name: 'Holes' }).getByRole('listitem')
  expect(await holes.count()).toBe(1)
  await page.getByRole('button', { name: 'Undo the last step' }).click()
  expect(await holes.count()).toBe(0)
  expect(await size.innerText()).toBe(whole)
  await page.getByRole('button', { name: 'Redo the step' }).click()
  expect(await holes.count()).toBe(1)

  await page.getByRole('button', { name: 'Move corners' }).click()
  const mover = page.getByRole('application', { name: 'Move the corners' })
  await mover.waitFor()
  const at = (lng: number, lat: number) =>
    [box.x + box.width / 2 + (lng - 36.795) * pixelsPerDegree, box.y + box.height / 2 - (lat + 1.295) * pixelsPerDegree] as const
  await page.mouse.move(...at(36.805, -1.29))
  await page.mouse.down()
  await page.mouse.move(...at(36.807, -1.289), { steps: 4 })
  await page.mouse.up()
  await settle(person)
  await shot('fence-corners')
  await expectSound(person, 'fence corners')
  await page.locator('.map-draw-bar').getByRole('button', { name: 'Done' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: new RegExp(name) }).waitFor()
  interface Kept {
    name: string
    squareMetres: number
    edgeMetres: number
    area: { coordinates: [number, number][][] }
  }
  const [kept] = (await api.get<{ geofences: Kept[] }>(`/geo/geofences?search=${encodeURIComponent(name)}`)).body.data.geofences
  expect(kept!.area.coordinates.map((ring) => ring.length)).toEqual([5, 4])
  // Exactly the neighbour's corner, whatever pixel was clicked.
  expect(kept!.area.coordinates[0]).toContainEqual([36.79, -1.3])
  expect(Math.max(...kept!.area.coordinates[0]!.map(([lng]) => lng))).toBeCloseTo(36.807, 3)
  expect(kept!.squareMetres).toBeGreaterThan(1_000_000)
  expect(kept!.edgeMetres).toBeGreaterThan(4_000)

  await page.goto('/tracking/fences/export')
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'Save as KML' }).click()])
  const kml = await readFile(await download.path(), 'utf8')
  expect(kml).toContain('<innerBoundaryIs>')
  await settle(person)
  await expectSound(person, 'fences as a map file')
  // What was exported comes back with its hole.
  await page.goto('/tracking/fences/import')
  const mark = new RegExp(`<Placemark><name>${name}.*?</Placemark>`, 's').exec(kml)?.[0].replace(name, 'Park again')
  await page.locator('input[type=file]').setInputFiles({
    name: 'again.kml',
    mimeType: 'application/xml',
    buffer: Buffer.from(`<kml xmlns="http://www.opengis.net/kml/2.2"><Document>${mark}</Document></kml>`),
  })
  await page.getByRole('button', { name: /^Import 1 row/ }).click()
  await page.getByRole('row', { name: /Park again/ }).waitFor()
  const again = async () => (await api.get<{ geofences: Kept[] }>('/geo/geofences?search=again')).body.data.geofences[0]
  await expect.poll(async () => (await again())?.area.coordinates).toEqual(kept!.area.coordinates)
  expect(person.faults).toEqual([])
})

test('a report is drawn, lies on the map, and its numbers open the rows they count', async () => {
  const device = await stack.vehicle(stack.north)
  const minutes = Array.from({ length: 24 }, (_, index) => index)
  // Two ways with a long stop between: fifteen minutes apart, the rules of trips see two.
  await report(device, [
    ...minutes.map((index) => ({ ago: 90 - index / 2, latitude: -1.3 + index * 0.004 })),
    ...[77, 70, 63, 56, 49].map((ago) => ({ ago, latitude: -1.204, speed: 0, attributes: { ignition: false } })),
    ...minutes.map((index) => ({ ago: 45 - index / 2, latitude: -1.204 + index * 0.004 })),
    ...[32, 25, 18, 11].map((ago) => ({ ago, latitude: -1.108, speed: 0, attributes: { ignition: false } })),
  ])
  const { body } = await api.get<{ devices: { Id: string; uniqueId: string }[] }>(`/api/tracking/devices?search=${device.uniqueId}`)
  const id = body.data.devices.find(({ uniqueId }) => uniqueId === device.uniqueId)!.Id
  const drivenBy = async () =>
    (
      await api.post<{ preview: { rows: { trips: number }[] } }>('/api/reports/preview', {
        report: 'summary',
        parameters: { deviceIds: id },
      })
    ).body.data.preview.rows[0]?.trips ?? 0
  await expect.poll(drivenBy, { timeout: 30_000 }).toBeGreaterThan(0)
  // Later packets are made trips of later, and may be one more.
  await expect
    .poll(async () => (await stack.app.database.admin.query('select from geo.dirty where "deviceId" = $1', [device.deviceId])).rowCount)
    .toBe(0)
  const trips = await drivenBy()
  await page.goto(`/reports/standard/summary?deviceIds=${encodeURIComponent(JSON.stringify([id]))}`)
  await page.getByRole('status').filter({ hasText: '1 row' }).waitFor()
  // Its stops may be as many: trips come before them.
  await page
    .getByRole('link', { name: String(trips), exact: true })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Trips', level: 1 }).waitFor()
  await page
    .getByRole('status')
    .filter({ hasText: trips === 1 ? '1 row' : `${trips} rows` })
    .waitFor()
  expect(await page.locator('.report-preview tbody tr').count()).toBe(trips)
  await page.locator('.report-map .leaflet-container').waitFor()
  await page.getByRole('button', { name: 'Generate PDF' }).waitFor()
  await settle(person)
  await shot('report')
  await expectSound(person, 'trips report')
  expect(person.faults).toEqual([])
})

test('visits of a hotspot open the stops that they are', async () => {
  const { companyId, deviceId } = await stack.vehicle(stack.north)
  await stack.app.database.admin.query(
    `insert into geo.stop ("companyId", "deviceId", "startTime", "endTime", "kind", "latitude", "longitude")
    select $1, $2, now() - n * interval '3 hours', now() - n * interval '3 hours' + interval '1 hour', 'parked', -1.9, 36.9 from generate_series(1, 7) n`,
    [companyId, deviceId],
  )
  await page.goto(`/reports/standard/hotspots?deviceIds=${encodeURIComponent(JSON.stringify([deviceId]))}`)
  await page.locator('.report-preview tbody').getByRole('link', { name: '7', exact: true }).click()
  await page.getByRole('heading', { name: 'Stops', level: 1 }).waitFor()
  await page.getByRole('status').filter({ hasText: '7 rows' }).waitFor()
  expect(await page.locator('.report-preview tbody tr').count()).toBe(7)
  await settle(person)
  await shot('hotspot-stops')
  await expectSound(person, 'stops of a hotspot')
  expect(person.faults).toEqual([])
})

test('trackers come from a file: a trial with an error for each row, then all of them', async () => {
  await page.goto('/tracking/devices')
  await page
    .getByRole('button', { name: 'Import' })
    .or(page.getByRole('link', { name: 'Import' }))
    .click()
  await page.getByRole('heading', { name: 'Import devices' }).waitFor()
  const choose = (text: string) =>
    page.locator('input[type=file]').setInputFiles({ name: 'trackers.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  await choose('Name,IMEI\nVan 1,868999000000001\nVan 2,868999000000001\n')
  await page.getByText('uniqueId: is in use already').waitFor()
  expect(await page.getByRole('button', { name: /^Import/ }).isDisabled()).toBe(true)
  await settle(person)
  await shot('import')
  await expectSound(person, 'import of devices')
  await choose('Name,IMEI\nVan 1,868999000000001\nVan 2,868999000000002\n')
  await page.getByRole('button', { name: 'Import 2 rows' }).click()
  await page.getByRole('row', { name: /868999000000002/ }).waitFor()
  expect(person.faults).toEqual([])
})

test('fences come from a KML file: a broken one and a wrong outline are named, then areas, lines and points are made', async () => {
  await page.goto('/tracking/fences')
  await page
    .getByRole('button', { name: 'Import' })
    .or(page.getByRole('link', { name: 'Import' }))
    .click()
  await page.getByRole('heading', { name: 'Import fences' }).waitFor()
  const choose = (places: string) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'depot.kml', mimeType: 'application/vnd.google-earth.kml+xml', buffer: Buffer.from(places) })
  const kml = (marks: string) => `<?xml version="1.0"?><kml xmlns="http://www.opengis.net/kml/2.2"><Document>${marks}</Document></kml>`
  const mark = (name: string, shape: string) => `<Placemark><name>${name}</name>${shape}</Placemark>`
  const ring = (places: string) =>
    `<Polygon><outerBoundaryIs><LinearRing><coordinates>${places}</coordinates></LinearRing></outerBoundaryIs></Polygon>`
  const yard = mark('Depot yard', ring('36.80,-1.30,0 36.84,-1.30,0 36.84,-1.26,0 36.80,-1.30,0'))
  await choose('<gpx></gpx>')
  await page.getByRole('alert').getByText('The file is no KML').waitFor()
  await choose(kml(yard + mark('Nowhere', ring('36.80,-91.30 36.84,-1.30 36.84,-1.26 36.80,-91.30'))))
  await page.getByText('1 rows have to be put right first').or(page.getByText('1 row has to be put right first')).waitFor()
  await page.getByText(/^area: /).waitFor()
  await settle(person)
  await shot('import-fences')
  await expectSound(person, 'import of fences')
  const road = mark('Depot road', '<LineString><coordinates>36.80,-1.30 36.90,-1.20</coordinates></LineString>')
  const gate = mark('Depot gate', '<Point><coordinates>36.81,-1.29,1700</coordinates></Point>')
  await choose(kml(yard + road + gate))
  await page.getByRole('button', { name: 'Import 3 rows' }).click()
  for (const name of ['Depot yard', 'Depot road']) await page.getByRole('row', { name: new RegExp(name) }).waitFor()
  // The rows were on the screen before they were saved.
  const fences = async () =>
    (
      await api.get<{ geofences: { name: string; type: string; shape: string; radius: number | null; area: { coordinates: unknown } }[] }>(
        '/geo/geofences?search=Depot',
      )
    ).body.data.geofences
  await expect.poll(async () => (await fences()).length).toBe(3)
  const made = Object.fromEntries((await fences()).map((fence) => [fence.name, fence]))
  expect(made).toMatchObject({
    'Depot yard': { type: 'geofence', shape: 'polygon' },
    'Depot road': { type: 'geofence', shape: 'route', radius: 100 },
    'Depot gate': { type: 'poi', radius: 100, area: { coordinates: [36.81, -1.29] } },
  })
  expect(person.faults).toEqual([])
})

test('maintenance is planned, falls due, is done; the workbench counts it, is arranged by keyboard, kept, and its numbers open their rows', async () => {
  const made = await api.post<{ asset: { Id: string } }>('/api/geo/asset', { registrationNumber: 'KDM 009M', odometer: 9_900 })
  const asset = made.body.data.asset.Id
  await page.goto('/tracking/maintenance/create')
  await page.getByLabel('What is done').fill('Oil change')
  await page.getByRole('combobox', { name: 'Vehicle' }).fill('KDM')
  await page.locator('.ant-select-item-option:visible', { hasText: 'KDM 009M' }).click()
  await page.getByLabel('Every (km)').fill('9000')
  await settle(person)
  await shot('maintenance-form')
  await expectSound(person, 'form of a maintenance plan')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('row', { name: /Oil change/ }).waitFor()

  await page.goto('/tracking/workbench')
  await page.getByRole('link', { name: /^Maintenance due, Now: 1$/ }).waitFor()
  await page.getByRole('link', { name: /^Without tracker, Now: / }).waitFor()
  await settle(person)
  await shot('workbench')
  await expectSound(person, 'workbench')
  // A state has the colour in the ring that it has beside the map.
  const ring = await page
    .locator('.chart-legend li', { hasText: 'Without tracker' })
    .locator('rect')
    .evaluate((mark) => getComputedStyle(mark).fill)
  await page.getByRole('button', { name: 'Arrange' }).press('Enter')
  await page.getByRole('button', { name: 'Remove: Idling' }).press('Enter')
  const [saved] = await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === 'POST' && new URL(answer.url()).pathname.endsWith('/views')),
    page.getByRole('button', { name: 'Remove: Vehicles by state' }).press('Enter'),
  ])
  expect(saved.status()).toBe(200)
  await page.goto('/tracking/workbench')
  await page.getByRole('link', { name: /^Stopped, Now: / }).waitFor()
  expect(await page.getByRole('link', { name: /^Idling, Now: / }).count()).toBe(0)
  const offline = page.getByRole('link', { name: /^Without tracker, Now: / })
  const count = Number((await offline.innerText()).trim())
  await offline.click()
  await page
    .getByText(count === 1 ? '1 asset' : `${count} assets`, { exact: true })
    .first()
    .waitFor()
  expect(await page.locator('.fleet-list li').count()).toBe(count)
  expect(
    await page
      .locator('.fleet-list .fleet-dot')
      .first()
      .evaluate((dot) => getComputedStyle(dot).backgroundColor),
  ).toBe(ring)

  await page.goto('/tracking/workbench')
  await page.getByRole('link', { name: /^Maintenance due, Now: 1$/ }).click()
  await page.getByRole('status').filter({ hasText: '1 row' }).waitFor()
  await settle(person)
  await shot('maintenance-due')
  await expectSound(person, 'maintenance due')
  const { body } = await api.get<{ maintenancePlans: { Id: string }[] }>('/api/tracking/maintenance-plans')
  const entry = await api.post('/api/tracking/maintenance-entries', {
    planId: body.data.maintenancePlans[0]!.Id,
    assetId: asset,
    doneOn: new Date(Date.now() - 86_400_000).toISOString().slice(0, 10),
    odometer: 9_900,
    cost: '80',
  })
  expect(entry.status).toBe(200)
  await page.goto('/reports/standard/maintenance-due?everything=true')
  await page.locator('.report-preview tbody').getByRole('link', { name: '1', exact: true }).click()
  await page.getByRole('heading', { name: 'Maintenance done', level: 1 }).waitFor()
  await page.getByRole('row', { name: /KDM 009M/ }).waitFor()
  expect(person.faults).toEqual([])
})

test('a phone is marked as the company’s with a reason; who carries it reads so on it', async () => {
  const { make, database } = stack.app
  const agent = await make.user({ company: stack.company, role: 'officer', firstName: 'Faraji', lastName: 'Field' })
  const field = await openPerson(browser, { url: stack.url, width: 360, height: 740 })
  await signInFor(field, agent.emailAddress, '/profile')
  const card = field.page.getByRole('region', { name: /Followed at work/ })
  await card.waitFor()
  // Its first report.
  await expect
    .poll(
      async () =>
        (await database.admin.query('select 1 from sync_device where "userId" = $1 and "sessionId" is not null', [agent.id])).rowCount,
    )
    .toBe(1)
  await page.goto('/admin/work-devices')
  await page
    .getByRole('row', { name: /Faraji Field/ })
    .getByRole('button', { name: /^Actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Belongs to the company' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Why it is the company’s').fill('Bought for the field team')
  await settle(person)
  await shot('mark-phone')
  await expectSound(person, 'marking a phone')
  await dialog.getByRole('button', { name: /Belongs to the company|OK|Save/ }).click()
  await page.getByText('Marked. Who carries it was told.').waitFor()

  await field.page.reload()
  await card.getByText('This phone belongs to your company').waitFor()
  await card.getByText('Bought for the field team').waitFor()
  await settle(field)
  await shot('company-phone', field.page)
  await expectSound(field, 'profile on a phone of the company')

  await page.goto('/sales/agents/company-phones')
  await page.getByRole('row', { name: /Faraji Field/ }).waitFor()
  await settle(person)
  await shot('company-phones')
  await expectSound(person, 'company phones')
  expect([...person.faults, ...field.faults]).toEqual([])
  await field.context.close()
})

test('the screens of the fleet hold on a phone and in the dark', async () => {
  const phone = await openPerson(browser, { url: stack.url, width: 360, height: 780, scheme: 'dark' })
  const user = await stack.app.make.user({ company: stack.company, role: 'admin' })
  await signInFor(phone, user.emailAddress, '/tracking/map')
  await phone.page.getByRole('button', { name: /KDA 001A/ }).waitFor()
  await settle(phone)
  await shot('phone', phone.page)
  await expectSound(phone, 'live map on a phone')
  for (const path of [
    '/tracking/assets',
    '/tracking/asset-trips',
    '/tracking/device-trips',
    '/tracking/commands',
    '/tracking/drivers',
    '/tracking/event-actions',
    '/tracking/asset-groups',
  ]) {
    await phone.page.goto(path)
    await phone.page.locator('main h1').waitFor()
    await settle(phone)
    await expectSound(phone, path)
  }
  await phone.context.close()
})
