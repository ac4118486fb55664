import type pg from 'pg'
import { createPool } from '@outpost/platform/db/pool'
import type { House } from './house.ts'

/** Connections as the role of the geo service: its walls are part of the price. */
export async function withGeoPool<Result>({ databaseUrl }: House, run: (pool: pg.Pool) => Promise<Result>): Promise<Result> {
  const url = new URL(databaseUrl)
  url.searchParams.set('options', '-c role=fx_geo')
  const pool = createPool({ url: url.href, name: 'fx_geo', max: 4, log: console })
  try {
    return await run(pool)
  } finally {
    await pool.end()
  }
}
