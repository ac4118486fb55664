import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { isDeath, makeDevice, makeKey, type Device, type Fault } from '../fake-device.ts'
import { makeOffice, type Office } from '../fake-office.ts'
import { shown } from '../store/log.ts'

const key = await makeKey()
const day = 86_400_000
let opened: Device[] = []
afterEach(() => {
  for (const device of opened) device.close()
  opened = []
})

async function setUp(options: { pageSize?: number } = {}): Promise<{ office: Office; device: Device }> {
  const office = makeOffice(options)
  const device = await makeDevice(office, { userId: crypto.randomUUID(), key })
  opened.push(device)
  return { office, device }
}
const lead = (n: number) => ({ firstName: `Amina ${n}`, lastName: 'Otieno', phonenumber: `07000000${String(n).padStart(2, '0')}` })
const create = (device: Device, id: string, n: number) => device.store().append({ type: 'lead', id, kind: 'create', values: lead(n) })
const edit = (device: Device, id: string, values: Record<string, unknown>) =>
  device.store().append({ type: 'lead', id, kind: 'update', values })
const onScreen = async (device: Device) => new Map((await device.store().all('lead')).map((entity) => [entity.id, shown(entity)]))
const pending = async (device: Device) => (await device.store().summary()).count

describe('a cycle', () => {
  it('sends what was made offline once and holds the server copy after it', async () => {
    const { office, device } = await setUp()
    device.setOnline(false)
    await create(device, 'a', 1)
    await device.sync()
    expect(office.rows()).toHaveLength(0)
    expect(device.progress.at(-1)).toMatchObject({ outcome: 'offline' })
    expect(device.timers.map((timer) => timer.ms)).toEqual([240_000])
    device.setOnline(true)
    await device.sync()
    expect(office.row('a')).toMatchObject(lead(1))
    expect(await pending(device)).toBe(0)
    expect(await device.store().find('lead', 'a')).toMatchObject({ state: 'clean', version: 1, local: null })
    expect(device.timers.map((timer) => timer.ms)).toEqual([360_000])
  })

  it.each<[Fault, number]>([
    ['answer lost', 60_000],
    ['request lost', 60_000],
    ['server error', 60_000],
    ['signed out', 60_000],
    ['killed', 60_000],
  ])('survives: %s', async (fault, pause) => {
    const { office, device } = await setUp()
    await create(device, 'a', 1)
    await device.sync(fault)
    expect(await pending(device)).toBe(1)
    expect(device.timers.map((timer) => timer.ms)).toEqual([pause])
    await device.restart()
    await device.sync()
    expect(office.rows()).toHaveLength(1)
    expect([...office.effects.values()]).toEqual([1])
    expect(await pending(device)).toBe(0)
    expect(await device.store().attention.count()).toBe(0)
  })

  it('asks for a sign-in without counting an attempt (sync fault 8)', async () => {
    const { device } = await setUp()
    await create(device, 'a', 1)
    await device.sync('signed out')
    expect(device.progress.at(-1)).toMatchObject({ outcome: 'error', needsSignIn: true })
    expect((await device.store().unsent()).log[0]).toMatchObject({ attempts: 0 })
  })

  it('is not put off by changes that come all the time', async () => {
    const { device } = await setUp()
    await device.sync()
    await device.loop().trigger('write')
    expect(device.timers.map((timer) => timer.ms)).toEqual([3_000])
    const [due] = device.timers
    for (const now of [1_000, 2_000, 2_900]) {
      device.setNow(now)
      await device.loop().trigger('write')
    }
    expect(device.timers).toEqual([due])
  })

  it.each([
    ['on', day],
    ['back', -day],
  ])('is neither put off nor forgotten by a clock that is set %s by a day (sync fault 7)', async (_, by) => {
    const { office, device } = await setUp()
    await device.sync()
    device.setNow(by)
    await create(device, 'a', 1)
    await device.loop().trigger('write')
    expect(device.timers.map((timer) => timer.ms)).toEqual([3_000])
    device.setNow(0)
    await device.sync('server error')
    expect(device.timers.map((timer) => timer.ms)).toEqual([60_000])
    device.setNow(by)
    await edit(device, 'a', { city: 'Thika' })
    await device.loop().trigger('write')
    expect(device.timers.map((timer) => timer.ms)).toEqual([3_000])
    await device.sync()
    expect([office.row('a')?.city, ...office.effects.values()]).toEqual(['Thika', 1, 1])
  })

  it('looks again soon while another tab is at it, and calls that no failure', async () => {
    const { office, device } = await setUp()
    await create(device, 'a', 1)
    device.setElsewhere(true)
    await device.sync()
    expect(device.progress.at(-1)).toMatchObject({ isElsewhere: true, nextAt: 5_000 })
    expect(device.timers.map((timer) => timer.ms)).toEqual([5_000])
    device.setElsewhere(false)
    await device.sync()
    expect(office.rows()).toHaveLength(1)
  })

  it('sends what is written while very many pages come, before the last of them', async () => {
    const { office, device } = await setUp()
    for (let n = 0; n < 30; n++) office.add(`b${n}`, lead(n))
    let pages = 0
    const store = device.store()
    const stop = store.onTouched(({ type }) => {
      if (type !== 'lead' || (pages += 1) !== 2) return
      void create(device, 'mine', 90)
    })
    const sentAt: number[] = []
    const { push } = office
    office.push = (changes) => {
      sentAt.push(pages)
      return push(changes)
    }
    await device.sync()
    stop()
    expect(office.row('mine')).toBeDefined()
    expect(sentAt[0]).toBeLessThan(8)
    expect((await onScreen(device)).size).toBe(31)
  })

  it('pulls although the push is refused', async () => {
    const { office, device } = await setUp()
    office.add('b', lead(2))
    await create(device, 'a', 1)
    await device.sync('server error')
    expect([...(await onScreen(device)).keys()].toSorted()).toEqual(['a', 'b'])
  })

  it('sets a poisoned change aside after five attempts and lets the others pass at once (sync fault 15)', async () => {
    const { office, device } = await setUp()
    office.poisoned.add('bad')
    await create(device, 'bad', 1)
    await create(device, 'good', 2)
    await device.sync()
    expect(office.row('good')).toBeDefined()
    expect(device.timers.map((timer) => timer.ms)).toEqual([60_000])
    for (let n = 0; n < 5; n++) await device.sync()
    expect(await pending(device)).toBe(0)
    expect(await device.store().attention.list()).toMatchObject([{ reason: 'quarantined', entityId: 'bad', mine: lead(1) }])
    expect((await onScreen(device)).get('bad')).toMatchObject(lead(1))
  })

  it('halves a batch that is too large, and sets aside one that is too large alone (sync fault 15)', async () => {
    const { office, device } = await setUp()
    for (let n = 0; n < 9; n++) await create(device, `l${n}`, n)
    device.setMaxBatch(2)
    await device.sync()
    expect(office.rows()).toHaveLength(9)
    expect(Math.max(...device.pushes)).toBe(2)
    await create(device, 'huge', 50)
    device.setMaxBatch(0)
    await device.sync()
    expect(await device.store().attention.list()).toMatchObject([{ code: 'TOO_LARGE', entityId: 'huge' }])
  })

  it('sets aside the one change whose body no server reads, and lets the others pass', async () => {
    const { office, device } = await setUp()
    for (const id of ['a', 'b', 'c']) office.add(id, lead(1))
    await device.sync()
    device.setRefused('poison')
    for (const [id, values] of [
      ['a', { city: 'Thika' }],
      ['b', { poison: 1 }],
      ['c', { city: 'Nyeri' }],
    ] as const)
      await edit(device, id, values)
    await device.sync()
    expect([office.row('a')?.city, office.row('c')?.city]).toEqual(['Thika', 'Nyeri'])
    expect(await device.store().attention.list()).toMatchObject([{ code: 'VALIDATION', entityId: 'b', reason: 'quarantined' }])
    expect(await pending(device)).toBe(0)
  })

  it('tells the office at the start what the device holds, and again only when that is not what the office must believe', async () => {
    const { device } = await setUp()
    await device.sync()
    await device.sync()
    expect(device.reports).toMatchObject([{ count: 0 }])
    await create(device, 'a', 1)
    await device.sync()
    expect(device.reports).toMatchObject([{ count: 0 }, { count: 1 }])
    await device.restart()
    await device.sync()
    expect(device.reports).toMatchObject([{ count: 0 }, { count: 1 }, { count: 0 }])
    expect(new Set(device.reports.map(({ storeId }) => storeId)).size).toBe(1)
    expect(device.reports[0]?.storeId).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('loads no more copies while the device is nearly full, and goes on sending; with room it catches up', async () => {
    const { office, device } = await setUp()
    office.add('theirs', lead(1))
    device.setRoom(false)
    await create(device, 'mine', 2)
    await device.sync()
    expect(office.row('mine')).toMatchObject(lead(2))
    expect(await pending(device)).toBe(0)
    expect(await device.store().find('lead', 'theirs')).toBeUndefined()
    device.setRoom(true)
    await device.sync()
    expect(await device.store().find('lead', 'theirs')).toMatchObject({ state: 'clean' })
  })

  it('says how many photos wait, and that they are gone once the office has them', async () => {
    const { device } = await setUp()
    await create(device, 'a', 1)
    const photo = (name: string) => ({ name, mime: 'image/jpeg', bytes: new ArrayBuffer(8), ownerType: 'lead', ownerId: 'a' })
    await device.store().files.add([photo('one'), photo('two')])
    device.setTakesPhotos(false)
    await device.sync()
    expect(device.progress.at(-1)).toMatchObject({ outcome: 'error', message: '2 photos could not be sent.' })
    expect(device.reports.at(-1)).toMatchObject({ count: 1, files: 2 })
    device.setTakesPhotos(true)
    await device.sync()
    expect(device.reports.at(-1)).toMatchObject({ count: 0, files: 0 })
    const told = device.reports.length
    await device.sync()
    expect(device.reports).toHaveLength(told)
  })

  it('holds a record that moved inside its reach, in whatever order gone and put come', async () => {
    const { office, device } = await setUp()
    for (const id of ['a', 'b', 'c', 'd']) office.add(id, lead(1))
    office.move('c')
    await device.sync()
    expect([...(await onScreen(device)).keys()].toSorted()).toEqual(['a', 'b', 'c', 'd'])
    office.move('a')
    await device.sync()
    expect([...(await onScreen(device)).keys()].toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('starts anew when the server was set back and has overtaken it, and keeps what was not sent', async () => {
    const { office, device } = await setUp()
    for (const id of ['a', 'b']) office.add(id, { ...lead(1), city: 'old' })
    await device.sync()
    const restore = office.backup()
    office.edit('a', { city: 'lost' })
    office.add('gone', lead(2))
    await device.sync()
    restore()
    for (const n of [1, 2, 3, 4]) office.edit('b', { city: `new ${n}` })
    device.setOnline(false)
    await edit(device, 'b', { notes: 'mine' })
    await create(device, 'c', 3)
    device.setOnline(true)
    await device.sync()
    expect(office.row('c')).toMatchObject(lead(3))
    expect(office.row('b')).toMatchObject({ city: 'new 4', notes: 'mine' })
    expect([...(await onScreen(device)).entries()].toSorted()).toEqual(
      office
        .rows()
        .map((row) => [row.Id, row])
        .toSorted() as never,
    )
    expect(await pending(device)).toBe(0)
  })

  it('keeps later edits of a waiting record behind it and sends them after its parent', async () => {
    const { office, device } = await setUp()
    await device.store().append({ type: 'lead', id: 'child', kind: 'create', values: lead(1), deps: ['parent'] })
    await device.sync()
    await edit(device, 'child', { city: 'Thika' })
    await device.sync()
    expect(await pending(device)).toBe(2)
    office.add('parent', lead(2))
    await device.sync()
    expect(office.row('child')).toMatchObject({ city: 'Thika' })
    expect(await pending(device)).toBe(0)
  })

  it('swaps to a new generation when the scope changed and keeps unsent work on top', async () => {
    const { office, device } = await setUp()
    for (let n = 0; n < 5; n++) office.add(`s${n}`, lead(n))
    await device.sync()
    office.changeScope()
    await edit(device, 's1', { city: 'Nyeri' })
    await create(device, 'new', 20)
    await device.sync('server error')
    expect((await onScreen(device)).get('s1')).toMatchObject({ city: 'Nyeri' })
    expect((await onScreen(device)).size).toBe(6)
    await device.sync()
    expect(office.row('s1')).toMatchObject({ city: 'Nyeri' })
    expect((await onScreen(device)).size).toBe(6)
  })

  it('never lets a pull overwrite an unsent edit', async () => {
    const { office, device } = await setUp()
    office.add('a', lead(1))
    await device.sync()
    await edit(device, 'a', { city: 'Nyeri' })
    office.edit('a', { notes: 'called' })
    await device.sync('server error')
    expect((await onScreen(device)).get('a')).toMatchObject({ city: 'Nyeri', notes: 'called' })
  })

  it.each(['server error', 'scope'] as const)(
    'never shows again what was removed before the office had answered its making, when a copy comes with: %s',
    async (trouble) => {
      const { office, device } = await setUp()
      await create(device, 'a', 1)
      await device.sync('answer lost')
      await device.store().append({ type: 'lead', id: 'a', kind: 'remove' })
      if (trouble === 'scope') office.changeScope()
      await device.sync('server error')
      expect(office.row('a')).toBeDefined()
      expect((await onScreen(device)).has('a')).toBe(false)
      expect(await device.store().unsettled('lead')).toMatchObject([{ id: 'a', state: 'pending' }])
      await device.sync()
      expect([office.rows(), await device.store().unsettled('lead'), await pending(device)]).toEqual([[], [], 0])
    },
  )

  it('takes no older copy than the one it has', async () => {
    const { office, device } = await setUp()
    office.add('a', lead(1))
    const late = office.pull(null)
    office.edit('a', { notes: 'newer' })
    await device.sync()
    await device.store().applyPage(late, { cursor: null, isFull: false })
    expect((await onScreen(device)).get('a')).toMatchObject({ notes: 'newer' })
  })
})

describe('refused and merged changes', () => {
  it('keeps a duplicate for a person and sends it again when the phone was corrected', async () => {
    const { office, device } = await setUp()
    office.add('theirs', lead(1))
    await create(device, 'mine', 1)
    await device.sync()
    const [refused] = await device.store().attention.list()
    expect(refused).toMatchObject({ code: 'DUPLICATE_LEAD', existingId: 'theirs', mine: lead(1) })
    expect((await onScreen(device)).has('mine')).toBe(true)
    await device.store().attention.retry(refused?.changeId ?? '', { phonenumber: '0711111111' })
    await device.sync()
    expect(office.row('mine')).toMatchObject({ phonenumber: '0711111111', firstName: 'Amina 1' })
    expect(await device.store().attention.count()).toBe(0)
  })

  it('merges my values into the record that exists', async () => {
    const { office, device } = await setUp()
    office.add('theirs', lead(1))
    await device.store().append({ type: 'lead', id: 'mine', kind: 'create', values: { ...lead(1), city: 'Thika', status: 'New' } })
    await device.sync()
    const [refused] = await device.store().attention.list()
    await device
      .store()
      .attention.mergeIntoExisting(refused?.changeId ?? '', { ...office.row('theirs'), Id: 'theirs', status: 'Contacted' })
    await device.sync()
    expect(office.row('theirs')).toMatchObject({ city: 'Thika' })
    expect(office.row('theirs')?.status).toBeUndefined()
    expect((await onScreen(device)).has('mine')).toBe(false)
    expect(await device.store().attention.count()).toBe(0)
  })

  it('shows both values of a field that both changed, the server keeping its own', async () => {
    const { office, device } = await setUp()
    office.add('a', { ...lead(1), city: 'Nairobi', lineone: 'x' })
    await device.sync()
    await edit(device, 'a', { city: 'Thika', lineone: 'y' })
    office.edit('a', { city: 'Nyeri' })
    await device.sync()
    expect(office.row('a')).toMatchObject({ city: 'Nyeri', lineone: 'y' })
    expect((await device.store().attention.list())[0]).toMatchObject({
      reason: 'merged',
      conflicts: [{ field: 'city', base: 'Nairobi', mine: 'Thika', theirs: 'Nyeri' }],
    })
    expect((await onScreen(device)).get('a')).toMatchObject({ city: 'Nyeri' })
  })

  it('takes a record that arrived by the online call whose answer was lost for its own, and sends what was edited since', async () => {
    const { office, device } = await setUp()
    office.add('a', { ...lead(1), status: 'Assigned', source: 'UI' })
    await device.store().append({ type: 'lead', id: 'a', kind: 'create', values: { ...lead(1), status: 'New', source: 'UI' } })
    await edit(device, 'a', { city: 'Thika' })
    await device.sync()
    expect(await device.store().attention.count()).toBe(0)
    expect(await pending(device)).toBe(0)
    expect(office.row('a')).toMatchObject({ city: 'Thika', status: 'Assigned' })
    expect(office.rows()).toHaveLength(1)
  })

  it('gives a refused new record up with all that was changed on it', async () => {
    const { office, device } = await setUp()
    office.add('theirs', lead(1))
    await create(device, 'mine', 1)
    await device.sync()
    await edit(device, 'mine', { city: 'Thika' })
    const [refused] = await device.store().attention.list()
    await device.store().attention.discard(refused?.changeId ?? '')
    expect((await onScreen(device)).has('mine')).toBe(false)
    expect(await pending(device)).toBe(0)
  })

  it('never sends edits of a refused new record before a person decided', async () => {
    const { office, device } = await setUp()
    office.add('theirs', lead(1))
    await create(device, 'mine', 1)
    await device.sync('answer lost')
    await edit(device, 'mine', { city: 'Thika' })
    await device.sync()
    expect(await device.store().attention.list()).toMatchObject([{ code: 'DUPLICATE_LEAD' }])
    expect((await onScreen(device)).get('mine')).toMatchObject({ city: 'Thika' })
    const [refused] = await device.store().attention.list()
    await device.store().attention.retry(refused?.changeId ?? '', { phonenumber: '0711111111' })
    await device.sync()
    expect(office.row('mine')).toMatchObject({ city: 'Thika', phonenumber: '0711111111' })
  })

  it('lets a removed record come back as a new one with my values', async () => {
    const { office, device } = await setUp()
    office.add('a', lead(1))
    await device.sync()
    await edit(device, 'a', { city: 'Thika' })
    office.push([
      {
        clientSeq: 1,
        changeId: 'other',
        schema: 1,
        deviceId: 'd',
        tenantId: 't',
        userId: 'u',
        version: 1,
        entityId: 'a',
        entityType: 'lead',
        dateModified: '',
        changeType: 'DELETE',
        patch: {},
        deps: [],
      },
    ])
    await device.sync()
    const [refused] = await device.store().attention.list()
    expect(refused).toMatchObject({ code: 'GONE', mine: { city: 'Thika' } })
    const id = await device.store().attention.retry(refused?.changeId ?? '', refused?.mine ?? {})
    await device.sync()
    expect(id).not.toBe('a')
    expect(office.row(id)).toMatchObject({ city: 'Thika', firstName: 'Amina 1' })
  })
})

describe('squashing', () => {
  it('joins unsent edits, drops an edit that went back, and cancels a record that never left', async () => {
    const { device } = await setUp()
    await create(device, 'a', 1)
    await edit(device, 'a', { city: 'Thika' })
    await edit(device, 'a', { city: 'Nyeri' })
    expect((await device.store().unsent()).log).toMatchObject([{ changeType: 'INSERT', snapshot: { city: 'Nyeri' } }])
    await device.store().append({ type: 'lead', id: 'a', kind: 'remove' })
    expect(await pending(device)).toBe(0)
    expect((await onScreen(device)).size).toBe(0)
  })

  it('never changes what may have been sent', async () => {
    const { office, device } = await setUp()
    await create(device, 'a', 1)
    await device.sync('answer lost')
    await edit(device, 'a', { city: 'Thika' })
    expect(await pending(device)).toBe(2)
    await device.sync()
    expect(office.row('a')).toMatchObject({ city: 'Thika' })
    expect(await device.store().attention.count()).toBe(0)
  })
})

type Act =
  | { kind: 'create' | 'edit' | 'remove' | 'office edit' | 'move' | 'restart' | 'scope' | 'die'; n: number; value: number }
  | { kind: 'sync'; faults: Fault[]; meanwhile: { n: number; value: number } | null }
/** So few records that the office and the person often meet on one. */
const which = fc.nat(3)
const faults = fc.constantFrom<Fault>('none', 'none', 'request lost', 'answer lost', 'server error', 'server error', 'signed out', 'killed')
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'create' as const,
        'edit' as const,
        'edit' as const,
        'remove' as const,
        'office edit' as const,
        'office edit' as const,
        'move' as const,
      ),
      n: which,
      value: fc.nat(9),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sync' as const),
      faults: fc.array(faults, { maxLength: 6 }),
      meanwhile: fc.option(fc.record({ n: which, value: fc.nat(9) })),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('restart' as const, 'scope' as const), n: fc.constant(0), value: fc.constant(0) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('die' as const), n: fc.constant(0), value: fc.nat(6) }) },
)

/** The person goes on while the sync runs. */
async function syncWhileWorking(
  device: Device,
  office: Office,
  model: Map<string, string | null>,
  { faults, meanwhile }: Extract<Act, { kind: 'sync' }>,
): Promise<void> {
  const going = device.sync(...faults)
  try {
    if (meanwhile) await play(device, office, model, { kind: 'edit', ...meanwhile })
  } finally {
    await going
  }
}

/** The person's own doings, and what they expect to find at the end: `city` is theirs alone, `notes` the office's. */
async function play(device: Device, office: Office, model: Map<string, string | null>, one: Act): Promise<void> {
  if (one.kind === 'sync') return syncWhileWorking(device, office, model, one)
  const id = `e${one.n}`
  const isThere = (await onScreen(device)).has(id)
  if (one.kind === 'create' && !model.has(id)) {
    await device.store().append({ type: 'lead', id, kind: 'create', values: { ...lead(one.n), city: `c${one.value}` } })
    model.set(id, `c${one.value}`)
  } else if (one.kind === 'edit' && isThere) {
    await edit(device, id, { city: `c${one.value}` })
    model.set(id, `c${one.value}`)
  } else if (one.kind === 'remove' && isThere) {
    await device.store().append({ type: 'lead', id, kind: 'remove' })
    model.set(id, null)
  } else if (one.kind === 'office edit') office.edit(id, { notes: `n${one.value}` })
  else if (one.kind === 'move') office.move(id)
  else if (one.kind === 'restart') expect(await device.restart()).toEqual([])
  else if (one.kind === 'scope') office.changeScope()
  else if (one.kind === 'die') device.dieAfter(one.value)
}

/** What was not acknowledged when the tab died has not happened, whole: nothing of it is on the screen after the restart. */
async function playUntilDeath(device: Device, office: Office, model: Map<string, string | null>, one: Act): Promise<void> {
  try {
    await play(device, office, model, one)
  } catch (error) {
    if (!isDeath(error)) throw error
    expect(await device.restart()).toEqual([])
  }
}

const runs = Number(process.env.OFFLINE_RUNS ?? (process.env.TEST_SIZE === 'nightly' ? 10_000 : 300))

describe('any order of doings and faults', () => {
  it(
    'loses nothing, does nothing twice, and always has a timer',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(act, { minLength: 1, maxLength: 40, size: 'max' }),
          fc.constantFrom(1, 2, 500),
          async (acts, together) => {
            const { office, device } = await setUp({ pageSize: 2 })
            device.setBatch(together)
            const model = new Map<string, string | null>()
            for (const one of acts) {
              await playUntilDeath(device, office, model, one)
              expect(device.loop().isArmed()).toBe(true)
              for (const [id, city] of model) expect((await onScreen(device)).get(id)?.city).toBe(city ?? undefined)
            }
            expect(await device.restart()).toEqual([])
            await device.sync()
            await device.sync()
            expect(await pending(device)).toBe(0)
            expect((await device.store().unsent()).attention).toEqual([])
            for (const [id, city] of model) expect(office.row(id)?.city).toBe(city ?? undefined)
            expect(office.rows()).toHaveLength([...model.values()].filter((city) => city !== null).length)
            expect([...office.effects.values()].every((count) => count === 1)).toBe(true)
            const here = await onScreen(device)
            expect([...here.entries()].toSorted()).toEqual(
              office
                .rows()
                .map((row) => [row.Id, row])
                .toSorted() as never,
            )
            device.close()
            opened = opened.filter((other) => other !== device)
          },
        ),
        { numRuns: runs },
      )
    },
    Math.max(120_000, runs * 200),
  )
})
