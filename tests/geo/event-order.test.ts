import { afterAll, beforeAll, expect, it } from 'vitest'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { createLog } from '@outpost/platform/log'
import { chunk } from 'es-toolkit/array/chunk'
import { createRandom, type Random } from '../../prisma/seed/random.ts'
import { seed } from '../support/draws.ts'
import { isNightly } from '../support/size.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'
import { makeCompany, makeDevice } from './support/devices.ts'
import { fenceAt, fixesOf, storedRows, takeIn } from './support/process.ts'

/** What an event tells beside its name and time may not depend on the order its messages came in. */
let db: TestDatabase
let pools: GeoPools
beforeAll(async () => {
  db = await testDatabase()
  pools = createGeoPools({ url: db.url, secret: db.secret, log: createLog({ level: 'error' }), patience: 30 })
})
afterAll(async () => {
  await pools.close()
  await db.drop()
})

const runs = isNightly ? 200 : 4

/** Messages of a day with turns, stops, idling and a slow way through a fence. */
const fixes = fixesOf(
  [
    { stand: 600 },
    { drive: 4_000, kmh: 50 },
    { stand: 300, ignition: true },
    { drive: 2_500, kmh: 80, course: 20 },
    { drive: 2_500, kmh: 70, course: 110 },
    { stand: 900 },
    { drive: 3_000, kmh: 40, course: 200 },
    { stand: 400 },
  ],
  Date.now() - 3 * 3_600_000,
  (_, index) => ({ odometer: 1_000 + index }),
)

/** Batches of odd sizes, in an order that puts some long after others. */
function reordered(random: Random) {
  const late = new Set(fixes.filter(() => random.next() < 0.3))
  const batches = [
    ...chunk(
      fixes.filter((fix) => !late.has(fix)),
      random.int(30, 60),
    ),
    ...chunk([...late], random.int(5, 20)),
  ]
  return batches
    .map((batch) => ({ batch, at: random.next() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ batch }) => batch)
}

it(
  `events tell the same, attributes included, in ${runs} orders of arrival (TEST_SEED=${seed})`,
  async () => {
    const random = createRandom(`event order ${seed}`)
    const companyId = await makeCompany(db.admin)
    const devices = await Promise.all(Array.from({ length: runs + 1 }, () => makeDevice(db.admin, { companyId })))
    await fenceAt(db.admin, fixes[Math.floor(fixes.length / 2)]!, { devices })
    const standing = async (device: (typeof devices)[number]) =>
      (await storedRows(db.admin, device, 'event', '"eventTime", "type", "key"'))
        .filter((row) => !row.isSuperseded)
        .map(({ seq: _, changedAt: __, ...row }) => row)
    await takeIn(pools, devices[0]!, [fixes])
    const truth = await standing(devices[0]!)
    expect(
      truth.filter(({ type }) => type === 'deviceStopped').map(({ attributes }) => (attributes as { metres: number }).metres > 2_000),
    ).not.toEqual([])
    for (const [run, device] of devices.slice(1).entries()) {
      await takeIn(pools, device, reordered(random))
      expect([run, await standing(device)]).toEqual([run, truth])
    }
  },
  isNightly ? 900_000 : undefined,
)
