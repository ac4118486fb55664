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

beforeAll(async () => {
  ;({ stack, browser, api, person, page, close } = await openDispatcher('/tracking/devices'))
})
afterAll(() => close())

const shot = async (name: string, of = page) => {
  if (process.env.SHOTS) await of.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
type Vehicle = Awaited<ReturnType<typeof stack.vehicle>> & { asset: string; plate: string }
async function vehicle(plate: string): Promise<Vehicle> {
  const device = await stack.vehicle(stack.north)
  const { body } = await api.post<{ asset: { Id: string } }>('/api/geo/asset', {
    registrationNumber: plate,
    asset_devices: [device.deviceId],
  })
  // It was on it before it sends what follows.
  await stack.app.database.admin.query(`update geo.device_asset set "since" = now() - interval '1 hour' where "deviceId" = $1`, [
    device.deviceId,
  ])
  return { ...device, asset: body.data.asset.Id, plate }
}
const report = ({ uniqueId, port }: Vehicle, fixes: readonly { ago: number; speed: number; alarm?: string }[]) =>
  startResender({
    uniqueId,
    port,
    packets: fixes.map(({ ago, speed, alarm }) => [
      fixAt(Date.now() - ago * 1_000, {
        latitude: -1.3,
        longitude: 36.82,
        speed,
        attributes: { ignition: true, ...(alarm === undefined ? {} : { alarm }) },
      }),
    ]),
  }).done

test('the engine is stopped by two people with a reason, and not while the vehicle drives', async () => {
  person.allow(/409|422/, 'the interlock refuses')
  const car = await vehicle('KDJ 700J')
  const standing = [150, 110, 70, 40, 2].map((ago) => ({ ago, speed: 0 }))
  await report(car, standing)
  await page.goto(`/tracking/map?asset=${car.asset}`)
  await page.getByRole('button', { name: /^Send a command to/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('combobox', { name: 'Command' }).click()
  await page.locator('.ant-select-item-option:visible', { hasText: 'Stop the engine' }).click()
  const send = dialog.getByRole('button', { name: 'Send', exact: true })
  expect(await send.isDisabled()).toBe(true)
  await dialog.getByLabel('Reason (required)').fill('Stolen this morning, police informed')
  await send.click()
  const asked = dialog.getByRole('listitem').filter({ hasText: 'Waits for a second person' })
  await asked.waitFor()
  // Nobody is the second person of their own request.
  expect(await asked.getByRole('button', { name: 'Approve' }).count()).toBe(0)
  await settle(person)
  await shot('immobiliser-asked')
  await expectSound(person, 'a stop that is asked for')

  const user = await stack.app.make.user({ company: stack.company, role: 'admin', firstName: 'Second', lastName: 'Person' })
  const second = await openPerson(browser, { url: stack.url, width: 1440, height: 900 })
  await signInFor(second, user.emailAddress, '/tracking/commands/send')
  await report(car, [{ ago: 0, speed: 0 }])
  await second.page.getByRole('button', { name: /^Approve for/ }).click()
  const row = second.page.getByRole('listitem').filter({ hasText: 'Stop the engine' })
  await row.getByText(/Waits for the device|Sent|Received by the device/).waitFor()
  await row.getByText(/approved by Second Person/).waitFor()
  expect(second.faults).toEqual([])
  await second.context.close()

  const driving = await vehicle('KDJ 701J')
  await report(
    driving,
    [60, 30, 1].map((ago) => ({ ago, speed: 64 })),
  )
  await page.goto(`/tracking/map?asset=${driving.asset}`)
  await page.getByRole('button', { name: /^Send a command to/ }).click()
  await dialog.getByRole('combobox', { name: 'Command' }).click()
  await page.locator('.ant-select-item-option:visible', { hasText: 'Stop the engine' }).click()
  await dialog.getByLabel('Reason (required)').fill('Stolen this morning')
  await send.click()
  await dialog.getByText(/The engine is not stopped: the vehicle moved at 64 km\/h/).waitFor()
  expect(person.faults).toEqual([])
})

test('a crash is reviewed and approved with a note', async () => {
  const car = await vehicle('KDJ 702J')
  await report(car, [
    { ago: 90, speed: 70 },
    { ago: 60, speed: 72 },
    { ago: 30, speed: 0, alarm: 'accident' },
    { ago: 1, speed: 0 },
  ])
  await page.goto(`/tracking/map?asset=${car.asset}&tab=crash`)
  const crash = page.locator('.fleet-crash')
  await expect
    .poll(
      async () => {
        await page.reload()
        await page.getByRole('tab', { name: 'Crash' }).waitFor()
        await page.waitForTimeout(500)
        return crash.count()
      },
      { timeout: 30_000 },
    )
    .toBe(1)
  await crash.getByLabel('Note').fill('Driver well, bumper broken')
  await settle(person)
  await shot('crash')
  await expectSound(person, 'crash to review')
  await crash.getByRole('button', { name: 'It was a crash' }).click()
  await page.locator('.fleet-crash[data-tone=bad]').waitFor()
  const { body } = await api.get<{ crashEvents: { status: string; note: string }[] }>(`/api/geo/crash-event/${car.asset}/APPROVED`)
  expect(body.data.crashEvents).toMatchObject([{ status: 'APPROVED', note: 'Driver well, bumper broken' }])
  expect(person.faults).toEqual([])
})
