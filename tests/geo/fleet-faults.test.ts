import { randomUUID } from 'node:crypto'
import type { WebSocketRoute } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound, settle } from '../e2e/support/look.ts'
import { openPerson, signInFor } from '../support/browser.ts'
import { fixAt } from './support/devices.ts'
import { openDispatcher, type Dispatcher } from './support/dispatcher.ts'
import { startResender } from './support/resender.ts'

let stack: Dispatcher['stack']
let browser: Dispatcher['browser']
let api: Dispatcher['api']
let person: Dispatcher['person']
let page: Dispatcher['page']
let close: Dispatcher['close']
let device: { deviceId: string; uniqueId: string; port: number }
let asset: string
/** The page's sockets, the newest last. */
const lines: WebSocketRoute[] = []

const plate = 'KDF 100F'
const report = (latitude: number) =>
  startResender({
    uniqueId: device.uniqueId,
    port: device.port,
    packets: [[fixAt(Date.now(), { latitude, longitude: 36.82, speed: 40, attributes: { ignition: true } })]],
  }).done

beforeAll(async () => {
  ;({ stack, browser, api, person, page, close } = await openDispatcher('/tracking/devices'))
  device = await stack.vehicle(stack.north)
  await report(-1.3)
  const made = await api.post<{ asset: { Id: string } }>('/api/geo/asset', {
    registrationNumber: plate,
    asset_devices: [device.deviceId],
  })
  asset = made.body.data.asset.Id
  await page.routeWebSocket('**/api/socket', (line) => {
    line.connectToServer()
    lines.push(line)
  })
})
afterAll(() => close())

const shot = async (name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
const isGeo = (url: URL) => /^\/(api\/)?geo\//.test(url.pathname)

test('the service goes away and the socket is cut: the map says so, keeps the last picture, and comes back by itself with what moved', async () => {
  person.allow(/503|WebSocket/, 'the service is away and the socket is cut')
  await page.goto(`/tracking/map?asset=${asset}`)
  const coordinates = page.locator('.fleet-facts div', { hasText: 'Coordinates' }).locator('dd')
  await expect.poll(() => coordinates.innerText()).toMatch(/-1\.3/)
  const away = (url: URL) => isGeo(url) || url.pathname === '/api/tracking/fleet'
  await page.route(away, (route) =>
    route.fulfill({
      status: 503,
      json: { success: false, code: 'GEO_UNAVAILABLE', status: 503, message: 'The tracking service does not answer at present.' },
    }),
  )
  // The picture may be here before the page's own socket.
  await expect.poll(() => lines.length).toBeGreaterThan(0)
  const before = lines.length
  await lines.at(-1)!.close()
  const told = page.locator('.fleet-stale').first()
  await told.getByText('This is the last picture').waitFor()
  await page
    .locator('.fleet-list')
    .getByRole('button', { name: new RegExp(plate) })
    .waitFor()
  expect(await coordinates.innerText()).toMatch(/-1\.3/)
  await settle(person)
  await shot('geo-away')
  await expectSound(person, 'map without its service')
  await page.unroute(away)
  await told.waitFor({ state: 'detached', timeout: 40_000 })
  expect(lines.length).toBeGreaterThan(before)
  // The new socket follows what the former one did.
  await report(-1.27)
  await expect.poll(() => coordinates.innerText(), { timeout: 20_000 }).toMatch(/-1\.27/)
  expect(person.faults).toEqual([])
})

test('a flood of alarms, one after the other, is one message that counts', async () => {
  const before = lines.length
  await page.goto('/tracking/map')
  await page.locator('.fleet-list li').first().waitFor()
  await expect.poll(() => lines.length).toBeGreaterThan(before)
  const alarm = () => ({
    id: randomUUID(),
    seq: 1,
    deviceId: device.deviceId,
    device: plate,
    type: 'alarm',
    eventTime: new Date().toISOString(),
    severity: 'critical',
    alarm: 'powerCut',
    latitude: null,
    longitude: null,
    speed: null,
    geofenceId: null,
    geofence: null,
    eventIoId: null,
    eventIo: null,
    isLate: false,
    isSuperseded: false,
    acknowledgedBy: null,
    acknowledgedAt: null,
  })
  const line = lines.at(-1)!
  const notices = page.locator('.ant-notification-notice')
  line.send(JSON.stringify({ event: 'events', data: { events: [alarm()] } }))
  await notices.getByText(`${plate}: Power cut`).waitFor()
  for (let count = 0; count < 11; count += 1) line.send(JSON.stringify({ event: 'events', data: { events: [alarm()] } }))
  await notices.getByText('12 alarms').waitFor()
  expect(await notices.count()).toBe(1)
  expect(person.faults).toEqual([])
})

test('a dispatcher whose clock is three hours ahead sees a vehicle that reports now as moving now', async () => {
  const skewed = await openPerson(browser, { url: stack.url, width: 1440, height: 900 })
  await skewed.context.addInitScript(() => {
    const real = Date.now.bind(Date)
    Date.now = () => real() + 3 * 3_600_000
  })
  const user = await stack.app.make.user({ company: stack.company, role: 'admin' })
  await signInFor(skewed, user.emailAddress, `/tracking/map?asset=${asset}`)
  await skewed.page.locator('.fleet-facts').waitFor()
  await report(-1.24)
  await expect
    .poll(() => skewed.page.locator('.fleet-facts div', { hasText: 'Coordinates' }).locator('dd').innerText(), { timeout: 20_000 })
    .toMatch(/-1\.24/)
  await skewed.page.locator('.fleet-state', { hasText: 'Moving' }).waitFor()
  expect(await skewed.page.locator('.fleet-facts time').innerText()).toMatch(/seconds|minute/)
  await skewed.context.close()
})

test('a share page that is open says so when its link ends, and shows the place no more', async () => {
  const made = await api.post<{ link: string; shareLink: { Id: string } }>('/api/geo/asset/share-links', {
    assetInfoId: asset,
    expireDate: new Date(Date.now() + 3_600_000).toISOString(),
    status: 'Active',
  })
  const outside = await openPerson(browser, { url: stack.url, width: 360, height: 740 })
  outside.allow(/410/, 'the link has expired')
  const shown = await outside.page.goto(made.body.data.link)
  await outside.page.getByRole('heading', { name: plate }).waitFor()
  // It looks again by itself, without a script.
  expect(shown?.headers().refresh).toBe('30')
  await stack.app.database.admin.query(`update asset_share set "expireDate" = now() - interval '1 second' where "id" = $1`, [
    made.body.data.shareLink.Id,
  ])
  await outside.page.reload()
  await outside.page.getByRole('heading', { name: 'This link has expired' }).waitFor()
  expect(await outside.page.content()).not.toContain(plate)
  expect(outside.faults).toEqual([])
  await outside.context.close()
})

test('without a connection the map shows where each vehicle was last, and when', async () => {
  const field = await openPerson(browser, { url: stack.url, width: 360, height: 740, hasWorker: true })
  const user = await stack.app.make.user({ company: stack.company, role: 'officer' })
  await signInFor(field, user.emailAddress, '/tracking/map')
  const row = field.page.getByRole('button', { name: new RegExp(plate) })
  await row.waitFor()
  await field.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
  // The worker has the screen's files once it was loaded under it.
  await field.page.reload()
  await row.waitFor()
  await settle(field)
  await field.setOffline(true)
  await field.page.reload()
  await field.page.getByText('There is no connection. This is the last picture').waitFor()
  await field.page.getByRole('button', { name: new RegExp(`${plate}.*Offline.*ago`, 's') }).waitFor()
  await field.setOffline(false)
  await field.page.locator('.fleet-stale').waitFor({ state: 'detached', timeout: 40_000 })
  await field.context.close()
})
