import type { GeoPools } from '@outpost/platform/db/pool'
import type { KnownDevice } from '../identity.ts'

/** Of these times (ms since 1970) those at which the person whose phone it is may be followed: at work, with their consent; all of a device that is nobody's phone. */
export async function trackableTimes(
  pool: GeoPools['ingest'],
  { companyId, userId }: Pick<KnownDevice, 'companyId' | 'userId'>,
  times: readonly number[],
): Promise<ReadonlySet<number>> {
  if (userId === null || times.length === 0) return new Set(times)
  const { rows } = await pool.query<{ at: Date }>({
    name: 'times at which a phone may be followed',
    text: 'select at from ctx.trackable($1, $2, $3::timestamptz[]) at',
    values: [companyId, userId, [...new Set(times)].map((time) => new Date(time))],
  })
  return new Set(rows.map(({ at }) => at.getTime()))
}
