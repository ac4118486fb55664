import 'fake-indexeddb/auto'
import { afterEach, describe, expect, it } from 'vitest'
import { makeDevice, makeKey, type Device } from './fake-device.ts'
import { makeOffice, type Office } from './fake-office.ts'
import { shown } from './store/log.ts'

const key = await makeKey()
let device: Device
afterEach(() => device.close())

const person = { firstName: 'Amina', lastName: 'Otieno', phonenumber: '0700000001' }

/** A lead that the office has already under another id, with an activity, a later edit of that and a case that wait for it. */
async function captured(): Promise<Office> {
  const office = makeOffice()
  device = await makeDevice(office, { userId: crypto.randomUUID(), key })
  office.add('theirs', person)
  const store = device.store()
  await store.append({ type: 'lead', id: 'mine', kind: 'create', values: person })
  await store.append({
    type: 'activity',
    id: 'talk',
    kind: 'create',
    values: { name: 'First talk', leads: [{ Id: 'mine', label: 'Amina Otieno' }, { Id: 'other' }] },
    deps: ['mine'],
  })
  await store.append({
    type: 'case',
    id: 'question',
    kind: 'create',
    values: { title: 'Payslip', leadId: 'mine', leadIdLabel: 'Amina' },
    deps: ['mine'],
  })
  await device.sync()
  // Sent already: what follows is a change of its own.
  await store.append({ type: 'activity', id: 'talk', kind: 'update', values: { name: 'Second talk' } })
  expect((await store.summary()).count).toBe(3)
  expect((await store.attention.dependants('mine')).map(({ entityId }) => entityId)).toEqual(['talk', 'question'])
  return office
}
const refused = async () => (await device.store().attention.list())[0]?.changeId ?? ''
const onScreen = async (type: string, id: string) => {
  const entity = await device.store().find(type, id)
  return entity && shown(entity)
}

describe('what waits for a new record that the office refused', () => {
  it('is about the existing one when my values were added to that', async () => {
    const office = await captured()
    await device.store().attention.mergeIntoExisting(await refused(), { ...office.row('theirs'), Id: 'theirs' })
    expect(await onScreen('activity', 'talk')).toMatchObject({ leads: [{ Id: 'theirs', label: 'Amina Otieno' }, { Id: 'other' }] })
    expect(await onScreen('case', 'question')).toMatchObject({ leadId: 'theirs', leadIdLabel: 'Amina Otieno' })
    await device.restart()
    await device.sync()
    expect(office.row('talk')).toMatchObject({ name: 'Second talk', leads: [{ Id: 'theirs' }, { Id: 'other' }] })
    expect(office.row('question')).toMatchObject({ leadId: 'theirs' })
    expect((await device.store().summary()).count).toBe(0)
  })

  it('goes without it when that was given up', async () => {
    const office = await captured()
    await device.store().attention.discard(await refused())
    await device.sync()
    expect(office.row('talk')).toMatchObject({ name: 'Second talk', leads: [{ Id: 'other' }] })
    expect(office.row('question')).toMatchObject({ title: 'Payslip', leadId: null })
    expect((await device.store().summary()).count).toBe(0)
  })

  it('goes as it is when the new record was corrected', async () => {
    const office = await captured()
    await device.store().attention.retry(await refused(), { phonenumber: '0700000002' })
    await device.sync()
    await device.sync()
    expect(office.row('talk')).toMatchObject({ leads: [{ Id: 'mine' }, { Id: 'other' }] })
    expect(office.row('question')).toMatchObject({ leadId: 'mine' })
  })
})
