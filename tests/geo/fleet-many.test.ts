import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectSound, settle } from '../e2e/support/look.ts'
import { newIdentity } from './support/api-world.ts'
import { openDispatcher, type Dispatcher } from './support/dispatcher.ts'

let api: Dispatcher['api']
let person: Dispatcher['person']
let page: Dispatcher['page']
let close: Dispatcher['close']

beforeAll(async () => {
  ;({ api, person, page, close } = await openDispatcher('/tracking/devices'))
}, 120_000)
afterAll(() => close())

const shot = async (name: string) => {
  if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/${name}.png` })
}
const addDevice = async (name: string) => {
  const { body } = await api.post<{ geoDevice: { id: string } }>('/api/geo/device', { uniqueId: newIdentity(), name })
  return body.data.geoDevice.id
}
const devices = async () =>
  (
    await api.get<{ devices: { Id: string; name: string; disabled: boolean; category: string | null }[] }>(
      '/api/tracking/devices?search=Bulk',
    )
  ).body.data.devices

test('many devices are switched off at once and get one command, with a verdict on each', async () => {
  for (const name of ['Bulk one', 'Bulk two', 'Bulk three']) await addDevice(name)
  await page.goto('/tracking/devices?search=Bulk')
  const bar = page.getByRole('region', { name: 'Selected records' })
  const choose = async (...names: string[]) => {
    // What was chosen before is let go when the answer is here, which may be after the office has done it.
    await bar.waitFor({ state: 'hidden' })
    for (const name of names)
      await page
        .getByRole('row', { name: new RegExp(name) })
        .getByRole('checkbox')
        .check()
  }
  await choose('Bulk one', 'Bulk two')
  await settle(person)
  await shot('devices-bulk')
  await expectSound(person, 'devices, chosen')
  await bar.getByRole('button', { name: 'Set the category' }).click()
  await page.getByRole('dialog').getByLabel('Category').fill('Pool')
  await page.getByRole('dialog').getByRole('button', { name: 'Set the category' }).click()
  await expect
    .poll(async () =>
      (await devices())
        .filter(({ category }) => category === 'Pool')
        .map(({ name }) => name)
        .sort(),
    )
    .toEqual(['Bulk one', 'Bulk two'])
  await choose('Bulk two')
  await bar.getByRole('button', { name: 'Switch off' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Switch off' }).click()
  await expect.poll(async () => (await devices()).filter(({ disabled }) => disabled).map(({ name }) => name)).toEqual(['Bulk two'])
  await choose('Bulk one', 'Bulk two')
  await bar.getByRole('button', { name: 'Send a command' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send a command' }).click()
  await page.getByRole('dialog').getByRole('row', { name: 'Bulk two This device is disabled.' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  await page.goto('/tracking/commands')
  await page
    .getByRole('link', { name: 'Send to devices' })
    .or(page.getByRole('button', { name: 'Send to devices' }))
    .click()
  await page.getByLabel('Devices').fill('Bulk')
  await page.getByRole('button', { name: 'Add all 3 found' }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Reason').fill('Where is the pool?')
  await page.getByRole('button', { name: 'Send to 3 devices' }).click()
  const verdicts = page.getByRole('region', { name: 'Verdicts' })
  await verdicts.getByText('2 accepted, 1 refused').waitFor()
  await verdicts.getByRole('listitem').filter({ hasText: 'Bulk two' }).getByText('This device is disabled.').waitFor()
  const sent = page.getByRole('region', { name: 'Sent commands' })
  expect(await sent.getByRole('listitem').filter({ hasText: 'Bulk three' }).filter({ hasText: 'Waits for the device' }).count()).toBe(1)
  await settle(person)
  await shot('send-commands')
  await expectSound(person, 'send commands')
  expect(person.faults).toEqual([])
}, 90_000)

test('a rule says who is told further when nobody takes note; it is read back, changed, and taken away', async () => {
  await page.goto('/tracking/event-ios/create')
  await page.getByLabel('Name').fill('Jamming')
  await page.getByRole('switch', { name: 'Tell others if nobody takes note' }).click()
  const save = page.getByRole('button', { name: 'Save' })
  expect(await save.isDisabled()).toBe(true)
  await page.getByLabel('After so many minutes').fill('15')
  await page.getByLabel('Mail to', { exact: true }).fill('duty@mail.test')
  await page.getByLabel('Mail to', { exact: true }).press('Enter')
  await settle(person)
  await shot('rule-escalation')
  await expectSound(person, 'escalation of a rule')
  await save.click()
  await page.getByRole('row', { name: /Jamming/ }).waitFor()
  const kept = async () =>
    (
      await api.get<{ eventActions: { id: string; eventIoId: string; parameters: Record<string, unknown> }[] }>(
        '/geo/eventActions?search=Jamming',
      )
    ).body.data.eventActions
  expect(await kept()).toMatchObject([{ parameters: { escalateAfterS: 900, escalateTo: { emails: ['duty@mail.test'] } } }])
  const [{ eventIoId } = { eventIoId: '' }] = await kept()
  await page.goto(`/tracking/event-ios/edit/${eventIoId}`)
  await page.getByLabel('After so many minutes').fill('5')
  await save.click()
  await expect.poll(async () => (await kept())[0]?.parameters.escalateAfterS).toBe(300)
  await page.goto(`/tracking/event-ios/edit/${eventIoId}`)
  await page.getByRole('switch', { name: 'Tell others if nobody takes note' }).click()
  await save.click()
  await expect.poll(async () => Object.keys((await kept())[0]?.parameters ?? {})).toEqual(['userIds'])
  expect(person.faults).toEqual([])
}, 60_000)
