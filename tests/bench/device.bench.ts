import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright'
import { demoId } from '../../prisma/seed/random.ts'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { launchMeasuredProfile } from '../console/support/browser.ts'
import { onDevicePage } from './support/device-page.ts'
import { machineLoad, median, rounded, spread, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'

const email = 'officer@sunrise.test'
/** What an officer does in three days, and how the photos of a phone come out of the console: 1,600 px, and small on a slow line. */
const [newLeads, edits, photos, photoBytes] = [200, 100, 40, 40_000]
const line = { offline: false, latency: 300, downloadThroughput: 125_000, uploadThroughput: 125_000 }

/** What an officer feels without a connection, and when it is back. */
export const bench: Bench = {
  name: 'device',
  leads: 0,
  run: async (house) => {
    const folder = await mkdtemp(join(tmpdir(), 'outpost-device-'))
    try {
      const opened = await coldOpens(house, join(folder, 'console'))
      const onPage = await onDevicePage(house, async (page) => [...(await searches(page)), await threeDays(house, page)])
      return [...opened, ...onPage]
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}

/** The console without a connection on a processor a quarter as fast: from the address until there is something to work with. */
async function coldOpens(house: House, folder: string): Promise<Figure[]> {
  const options = { baseURL: house.url, viewport: { width: 390, height: 844 }, serviceWorkers: 'allow' as const }
  let context = await launchMeasuredProfile(folder, options)
  let page = await context.newPage()
  await page.goto('/login')
  await page.getByLabel('E-mail or user name').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const work = (of: Page) => of.getByRole('heading', { name: 'My Work' }).waitFor()
  await work(page)
  await page.evaluate(() => navigator.serviceWorker.ready)
  await page.reload()
  await work(page)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  const again: number[] = []
  for (let round = 0; round < 5; round += 1) again.push(await openCold(page, '/agents/landingpage', () => work(page)))
  const doors: number[] = []
  for (let round = 0; round < 3; round += 1) {
    await context.close()
    context = await launchMeasuredProfile(folder, options)
    await context.setOffline(true)
    page = await context.newPage()
    const opening = page
    doors.push(await openCold(page, '/login', () => opening.getByLabel('Password', { exact: true }).waitFor()))
  }
  await context.close()
  return [
    {
      name: 'cold open offline at 4x CPU, My Work',
      value: rounded(median(again)),
      unit: 's',
      target: '<= 2',
      detail: `${spread(again)}; ${machineLoad()}`,
    },
    {
      name: 'cold open offline at 4x CPU, sign-in after a restart',
      value: rounded(median(doors)),
      unit: 's',
      target: '<= 2',
      detail: `${spread(doors)}; ${machineLoad()}`,
    },
  ]
}

async function openCold(page: Page, path: string, isUsable: () => Promise<unknown>): Promise<number> {
  await page.goto('about:blank')
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await page.goto(path, { waitUntil: 'commit' })
  await isUsable()
  const took = await page.evaluate(() => performance.now())
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await session.detach()
  return took / 1_000
}

interface Device {
  openStore(owner: object, key: CryptoKey): Promise<Store>
  localEntity(type: string): { list(query: object): Promise<{ rows: object[]; meta: object }> } | null
  setCurrentOffline(offline: object): void
  createLoop(ports: object): { start(): void; stop(): void; trigger(why: string): Promise<void> }
  fileSender(additions: object): (file: object, bytes: ArrayBuffer) => Promise<void>
  classifyFileError: unknown
  refusalOf: unknown
  push(changes: object[], report: object): Promise<object>
  pull(cursor: string | null): Promise<object>
  storeSession(answer: object): void
}
interface Store {
  append(edit: object): Promise<unknown>
  applyPage(answer: object, point: object): Promise<void>
  summary(): Promise<{ count: number }>
  files: { add(files: object[]): Promise<void>; list(): Promise<object[]>; send(send: unknown, judge: unknown): Promise<number> }
}
declare const device: Device

/** 20,000 leads as a first sync brings them, then searched as the list does offline; each search for another word. */
async function searches(page: Page): Promise<Figure[]> {
  const { times, firstSync } = await page.evaluate(async () => {
    const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
    const store = await device.openStore({ userId: 'u', companyId: 'search', deviceId: 'd', country: () => 'KE', tenantId: () => 't' }, key)
    let applying = 0
    for (let from = 0; from < 20_000; from += 2_000) {
      const changes = Array.from({ length: 2_000 }, (_, n) => ({
        t: 'lead',
        id: `r${from + n}`,
        seq: from + n + 1,
        op: 'put',
        version: 1,
        data: {
          firstName: `Amina ${from + n}`,
          lastName: 'Otieno',
          fullName: `Amina ${from + n} Otieno`,
          phonenumber: `07${String(from + n).padStart(8, '0')}`,
          emailAddress: `amina${from + n}@mail.test`,
          city: 'Nairobi',
          status: 'New',
          dateCreated: new Date(from + n).toISOString(),
        },
      }))
      const begun = performance.now()
      await store.applyPage({ changes, cursor: `c${from}`, more: from < 18_000, serverNow: '' }, { cursor: null, isFull: false })
      applying += performance.now() - begun
    }
    device.setCurrentOffline({
      store,
      loop: { start: () => undefined, stop: () => undefined, trigger: async () => undefined, isArmed: () => true },
    })
    const local = device.localEntity('lead')
    const took: number[] = []
    for (let n = 0; n < 31; n += 1) {
      const begun = performance.now()
      const { rows } = (await local?.list({ page: 1, size: 20, search: `amina ${n * 613}` })) ?? { rows: [] }
      if (rows.length === 0) throw new Error('found nothing')
      // The first one reads them all from the disk: a figure of its own.
      if (n > 0) took.push(performance.now() - begun)
    }
    return { times: took, firstSync: applying / 2_000 }
  })
  return [
    {
      name: 'first sync of 10,000 records into the store',
      value: rounded(firstSync),
      unit: 's',
      target: '<= 5',
      detail: `half of 20,000; ${machineLoad()}`,
    },
    {
      name: '20,000 local leads searched',
      value: rounded(median(times)),
      unit: 'ms',
      target: '<= 50',
      detail: `${spread(times, ' ms')}; ${machineLoad()}`,
    },
  ]
}

/** Three days' work over a line of 1 Mbit/s and 300 ms, from the first call until the office has it all. */
async function threeDays(house: House, page: Page): Promise<Figure> {
  const headers = await house.signIn(email)
  const made = await house.call({
    path: '/api/activities',
    method: 'POST',
    headers,
    body: JSON.stringify({
      name: 'Three days',
      startDate: new Date().toISOString(),
      endDate: new Date(Date.now() + 3_600_000).toISOString(),
      assignedUsers: [demoId('sunrise officer')],
    }),
  })
  const { data } = JSON.parse(made.text) as { data: { activity: { Id: string } } }
  const session = await page.context().newCDPSession(page)
  await page.evaluate(prepare, {
    token: (headers['authorization'] ?? '').replace('Bearer ', ''),
    userId: demoId('sunrise officer'),
    companyId: demoId('sunrise'),
    tenantId: demoId('NBO-W'),
    deviceId: randomUUID(),
    activityId: data.activity.Id,
    phones: String(Date.now()).slice(-4),
    newLeads,
    edits,
    photos,
    photoBytes,
  })
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', line)
  const took = await page.evaluate(async () => {
    const { store, loop } = (globalThis as unknown as { work: { store: Store; loop: { trigger(why: string): Promise<void> } } }).work
    const begun = performance.now()
    await loop.trigger('asked')
    const left = (await store.summary()).count + (await store.files.list()).length
    if (left > 0) throw new Error(`${left} were not sent`)
    return performance.now() - begun
  })
  // What is measured next has a line of its own.
  await session.send('Network.emulateNetworkConditions', { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: -1 })
  await session.detach()
  const { rows } = await house.admin.query<{ n: number }>('select count(*)::int as n from activity_file where "activityId" = $1', [
    data.activity.Id,
  ])
  if (rows[0]?.n !== photos) throw new Error(`${rows[0]?.n} photos arrived`)
  return {
    name: "sync of three days' work, 1 Mbit/s and 300 ms",
    value: rounded(took / 1_000),
    unit: 's',
    target: '<= 20',
    detail: `${newLeads + edits} changes and ${photos} photos of ${photoBytes / 1_000} kB; ${machineLoad()}`,
  }
}

interface Preparation {
  token: string
  userId: string
  companyId: string
  tenantId: string
  deviceId: string
  activityId: string
  phones: string
  newLeads: number
  edits: number
  photos: number
  photoBytes: number
}

/** In the page: a store with all of it, and the product's loop over the product's calls. */
async function prepare(given: Preparation): Promise<void> {
  const { token, userId, companyId, tenantId, deviceId, activityId, phones } = given
  device.storeSession({ token, serverNow: new Date().toISOString() })
  const key = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
  const store = await device.openStore({ userId, companyId, deviceId, country: () => 'KE', tenantId: () => tenantId }, key)
  const loop = device.createLoop({
    now: Date.now,
    setTimer: () => () => undefined,
    isOnline: async () => true,
    push: (changes: object[], summary: object) =>
      device.push(changes, { summary, deviceId, persisted: true, lastError: null, attention: 0 }),
    pull: device.pull,
    refusalOf: device.refusalOf,
    store,
    sendFiles: () =>
      store.files.send(
        device.fileSender({
          activity: {
            attach: async ({ ownerId, id }: { ownerId: string; id: string }) => {
              const answer = await fetch('/api/activities/update-assignment-files', {
                method: 'PUT',
                headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
                body: JSON.stringify({ activityId: ownerId, newFiles: [id] }),
              })
              if (!answer.ok) throw new Error(await answer.text())
            },
          },
        }),
        device.classifyFileError,
      ),
    hasRoom: async () => true,
    alone: async (run: () => Promise<void>) => {
      await run()
      return true
    },
    report: (progress: { outcome?: string; message?: string }) => {
      if (progress.outcome === 'error') console.error(progress.message)
    },
  })
  loop.start()
  // What the phone has by then.
  await loop.trigger('asked')
  for (let n = 0; n < given.newLeads; n += 1) {
    const values = {
      firstName: 'Achieng',
      lastName: `Threedays ${n}`,
      phonenumber: `071${phones}${String(n).padStart(3, '0')}`,
      city: 'Thika',
      notes: 'Wants stock for the season, has a stall at the market.',
    }
    await store.append({ type: 'lead', id: crypto.randomUUID(), kind: 'create', values })
  }
  const { rows } = await fetch(`/api/leads?size=${given.edits}&dateType=created&startDate=2020-01-01&endDate=2100-01-01`, {
    headers: { authorization: `Bearer ${token}` },
  })
    .then((answer) => answer.json())
    .then(({ data }: { data: { leads: { Id: string }[] } }) => ({ rows: data.leads }))
  for (const [n, { Id }] of rows.entries())
    await store.append({ type: 'lead', id: Id, kind: 'update', values: { notes: `Called on day ${n % 3}` } })
  const picture = (size: number): ArrayBuffer => {
    const bytes = new Uint8Array(size)
    crypto.getRandomValues(bytes)
    bytes.set([0xff, 0xd8, 0xff, 0xe0, 0, 0x10, 0x4a, 0x46, 0x49, 0x46])
    return bytes.buffer
  }
  for (let n = 0; n < given.photos; n += 1)
    await store.files.add([
      { name: `IMG_${n}.jpg`, mime: 'image/jpeg', bytes: picture(given.photoBytes), ownerType: 'activity', ownerId: activityId },
    ])
  Object.assign(globalThis, { work: { store, loop } })
}
