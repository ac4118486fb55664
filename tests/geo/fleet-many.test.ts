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
})
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
})

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
})

test('a rule is built in words: kind, values, fences, hours; what the event never says is told, and it is read back whole', async () => {
  const device = await addDevice('Rule truck')
  await api.post('/geo/geofences', { name: 'Rule yard', area: 'CIRCLE (-1.3 36.8, 300)' })
  await page.goto('/tracking/event-ios/create')
  await page.getByLabel('Name', { exact: true }).fill('Low voltage at night')
  const choose = async (name: string, option: string) => {
    await page.getByLabel(name, { exact: true }).and(page.locator('input')).fill(option)
    await page.locator('.ant-select-item-option:visible', { hasText: option }).first().click()
    await page.keyboard.press('Escape')
  }
  await choose('When', 'Ignition on')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Would have rung 0 times').waitFor()
  await choose('Add a condition', 'Voltage of the vehicle')
  await preview.getByText('Finish what must hold').waitFor()
  const save = page.getByRole('button', { name: 'Save' })
  expect(await save.isDisabled()).toBe(true)
  await page.getByLabel('How it compares').click()
  await page.locator('.ant-select-item-option:visible', { hasText: 'is less than' }).click()
  await page.getByRole('spinbutton', { name: 'Voltage of the vehicle' }).fill('11.5')
  await choose('Add a condition', 'It is in none of these fences')
  await choose('It is in none of these fences', 'Rule yard')
  await choose('Add a condition', 'It is one of these devices')
  await choose('It is one of these devices', 'Rule truck')
  await page.getByRole('switch', { name: 'Only at certain hours' }).click()
  await page.getByRole('radio', { name: 'Outside these hours' }).check()
  await preview.getByText('Would have rung 0 times').waitFor()
  await settle(person)
  await shot('rule-builder')
  await expectSound(person, 'rule builder')
  await save.click()
  await page.getByRole('row', { name: /Low voltage at night/ }).waitFor()
  interface Rule {
    id: string
    conditions: Record<string, unknown>[]
    calendar: object
  }
  const kept = async () => (await api.get<{ eventIos: Rule[] }>('/geo/eventIos?search=voltage')).body.data.eventIos
  const [rule] = await kept()
  expect(rule).toMatchObject({
    conditions: [
      { kind: 'attribute', name: 'power', operator: 'lt', value: 11.5 },
      { kind: 'fence', where: 'outside' },
      { kind: 'device', ids: [device] },
    ],
    calendar: { from: '22:00', to: '06:00', isInverted: true },
  })

  await page.goto(`/tracking/event-ios/edit/${rule!.id}`)
  for (const name of ['Rule yard', 'Rule truck']) await page.locator('.ant-select-selection-item', { hasText: name }).waitFor()
  expect(await page.getByRole('spinbutton', { name: 'Voltage of the vehicle' }).inputValue()).toBe('11.5')
  await choose('When', 'Left a fence')
  await page.getByText('Such an event does not say this').waitFor()
  await page.getByRole('button', { name: 'Remove: Voltage of the vehicle' }).click()
  await save.click()
  await expect.poll(async () => (await kept())[0]?.conditions.map(({ kind }) => kind)).toEqual(['fence', 'device'])
  expect(person.faults).toEqual([])
})

test('what follows a rule is said in words, and what the server refuses stands at its field', async () => {
  person.allow(/422/, 'the service refuses the address')
  const { body } = await api.post<{ eventIo: { id: string } }>('/geo/eventIos', { name: 'Any SOS', eventType: 'alarm', conditions: [] })
  await page.goto('/tracking/event-actions/create')
  await page.getByLabel('Name', { exact: true }).fill('Call the control room')
  const preview = page.getByRole('region', { name: 'Preview' })
  await preview.getByText('Choose a rule').waitFor()
  await page.getByRole('combobox', { name: 'When this rule matches' }).fill('Any SOS')
  await page.locator('.ant-select-item-option:visible', { hasText: 'Any SOS' }).click()
  await preview.getByText('Would have rung 0 times').waitFor()
  const follows = async (option: string) => {
    await page.getByRole('combobox', { name: 'What follows' }).click()
    await page.locator('.ant-select-item-option:visible', { hasText: option }).click()
  }
  const save = page.getByRole('button', { name: 'Save' })
  await follows('Call a webhook')
  await page.getByLabel('Address').fill('https://10.0.0.1/hook')
  await save.click()
  await page.locator('.ant-form-item', { hasText: 'Address' }).locator('.ant-form-item-explain-error').waitFor()
  await settle(person)
  await shot('reaction-webhook')
  await expectSound(person, 'event action refused')
  await follows('Send SMS')
  await page.getByLabel('Send SMS to').fill('+254712345678')
  await page.getByLabel('Send SMS to').press('Enter')
  await page.getByLabel('Message').fill('Vehicle in distress')
  await save.click()
  await page.getByRole('row', { name: /Call the control room/ }).waitFor()
  const kept = async () =>
    (await api.get<{ eventActions: { id: string; parameters: object }[] }>(`/geo/eventActions?eventIoId=${body.data.eventIo.id}`)).body.data
      .eventActions
  const [action] = await kept()
  expect(action?.parameters).toEqual({ to: ['+254712345678'], message: 'Vehicle in distress' })
  await page.goto(`/tracking/event-actions/edit/${action!.id}`)
  await page.locator('.ant-select-selection-item', { hasText: '+254712345678' }).waitFor()
  await follows('Send a command')
  await page.getByRole('combobox', { name: 'Command' }).click()
  expect(await page.locator('.ant-select-item-option:visible', { hasText: /Stop the engine|Switch an output/ }).count()).toBe(0)
  await page.locator('.ant-select-item-option:visible', { hasText: 'Report every so many seconds' }).click()
  await page.getByLabel('Seconds between reports').fill('30')
  await save.click()
  await expect.poll(async () => (await kept())[0]?.parameters).toEqual({ commandType: 'positionPeriodic', parameters: { frequency: 30 } })

  await page.goto('/tracking/commands/create')
  await page.getByLabel('Name', { exact: true }).fill('Often')
  await page.getByRole('combobox', { name: 'Command' }).fill('Report every')
  await page.keyboard.press('Enter')
  await page.getByLabel('Seconds between reports').fill('15')
  await settle(person)
  await shot('command-editor')
  await expectSound(person, 'command editor')
  await save.click()
  await page.getByRole('row', { name: /Often/ }).waitFor()
  const { body: commands } = await api.get<{ commands: { parameters: object }[] }>('/geo/commands?search=Often')
  expect(commands.data.commands).toMatchObject([{ parameters: { frequency: 15 } }])
  expect(person.faults).toEqual([])
})
