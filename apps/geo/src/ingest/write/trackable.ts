import type { GeoPools } from '@outpost/platform/db/pool'
import type { KnownDevice } from '../identity.ts'

/** Of these times (ms since 1970) those at which the person whose phone it is may be followed: at work, with their consent or as a phone of the company; all of a device that is nobody's phone. */
export async function trackableTimes(
  pool: GeoPools['ingest'],
  { companyId, deviceId, userId }: Pick<KnownDevice, 'companyId' | 'deviceId' | 'userId'>,
  times: readonly number[],
): Promise<ReadonlySet<number>> {
  if (userId === null || times.length === 0) return new Set(times)
  const { rows } = await pool.query<{ at: Date }>({
    name: 'times at which this phone may be followed',
    text: 'select at from ctx.trackable_by($1, $2, $3, $4::timestamptz[]) at',
    values: [companyId, userId, deviceId, [...new Set(times)].map((time) => new Date(time))],
  })
  return new Set(rows.map(({ at }) => at.getTime()))
}
