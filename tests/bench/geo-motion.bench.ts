import { createPool } from '@outpost/platform/db/pool'
import { motionOf } from '../../apps/geo/src/motion/motion.ts'
import { keepDevice } from '../../apps/geo/src/motion/keeper.ts'
import { drive, type Phase } from '../../apps/geo/src/motion/testing/drive.ts'
import { median, rounded, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'
import { companyId } from './support/rows.ts'

const count = 86_400
const day = 86_400_000
const begin = Math.trunc(Date.now() / day) * day - 31 * day

/** Thirty days of one vehicle at a fix in 30 s, reckoned anew: the sums alone, and from the database into it. */
export const bench: Bench = {
  name: 'geo-motion',
  leads: 0,
  run: async (house) => {
    const phases = Array.from({ length: 1_400 }, (_, index): Phase => (index % 2 ? { stand: 3_000 } : { drive: 12_000, kmh: 50, course: (index * 7) % 360 }))
    const { points } = drive({ phases, every: 30, noise: 5, start: begin })
    const fixes = points.slice(0, count)
    motionOf(fixes)
    const times = [1, 2, 3].map(() => {
      const begun = performance.now()
      motionOf(fixes)
      return performance.now() - begun
    })
    const sums: Figure = { name: 'trips of 86,400 fixes, the sums alone', value: rounded(median(times)), unit: 'ms', target: '<= 1000', detail: `${motionOf(fixes).trips.length} trips` }
    return [sums, ...await stored(house, fixes)]
  },
}

async function stored(house: House, fixes: ReturnType<typeof drive>['points']): Promise<Figure[]> {
  const { rows: [device] } = await house.admin.query<{ id: string }>(
    `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $1, gen_random_uuid()::text, 'Motion bench') returning "id"`, [companyId])
  const tracked = { companyId, deviceId: device?.id ?? '' }
  await house.admin.query(`select geo.ensure_partitions(to_timestamp($1 / 1000.0), now())`, [begin])
  await house.admin.query(fill, [tracked.companyId, tracked.deviceId, JSON.stringify(fixes)])
  await house.admin.query('analyze geo.position')
  const [first, last] = [fixes[0]?.time ?? 0, fixes.at(-1)?.time ?? 0]
  // Under the walls, as the service is.
  const pool = createPool({ url: `${house.databaseUrl}?options=${encodeURIComponent('-c role=fx_geo')}`, name: 'fx_geo', max: 2, log: console })
  const reckon = async (since: number, until: number) => {
    await house.admin.query(`insert into geo.dirty ("companyId", "deviceId", "since", "until") values ($1, $2, to_timestamp($3 / 1000.0), to_timestamp($4 / 1000.0))`, [companyId, tracked.deviceId, since, until])
    const begun = performance.now()
    if (!await keepDevice(pool, tracked)) throw new Error('Nothing was reckoned')
    return performance.now() - begun
  }
  try {
    await reckon(first, last)
    const whole = [await reckon(first, last), await reckon(first, last), await reckon(first, last)]
    const late: number[] = []
    const live: number[] = []
    for (let round = 0; round < 15; round += 1) {
      late.push(await reckon(last - (10 + round) * day, last - (10 + round) * day + 60_000))
      live.push(await reckon(last, last))
    }
    return [
      { name: 'trips of one vehicle for 30 days, reckoned anew and stored', value: rounded(median(whole)), unit: 'ms', target: '<= 1500', detail: `${fixes.length} fixes` },
      { name: 'trips after one late minute', value: rounded(median(late)), unit: 'ms', target: '<= 150' },
      { name: 'trips after the newest fix', value: rounded(median(live)), unit: 'ms', target: '<= 150' },
    ]
  } finally {
    await pool.end()
  }
}

const fill = `with told as (
    insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "isValid", "attributes")
    select $1, $2, to_timestamp((r ->> 'time')::float8 / 1000), (r ->> 'latitude')::float8, (r ->> 'longitude')::float8, (r ->> 'speed')::real, true,
      jsonb_build_object('ignition', r -> 'ignition', 'sat', 12, 'power', 14.1)
    from jsonb_array_elements($3::jsonb) r returning "fixTime")
  insert into geo.latest ("companyId", "deviceId", "fixTime", "stateTime") select $1, $2, max("fixTime"), max("fixTime") from told`
