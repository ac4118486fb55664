import type { GeoCtx } from '../api/types.ts'
import type { GeoReport, Row } from './report.ts'

/** Rows whose places are looked up together. */
const batchSize = 100

/** Adds the names of places, as far as they are known without calling a remote service. */
export async function* withPlaces(ctx: GeoCtx, rows: AsyncIterable<Row>, places: NonNullable<GeoReport['places']>): AsyncGenerator<Row> {
  let batch: Row[] = []
  for await (const row of rows) {
    batch.push(row)
    if (batch.length < batchSize) continue
    yield* await named(ctx, batch, places)
    batch = []
  }
  yield* await named(ctx, batch, places)
}

async function named(ctx: GeoCtx, rows: readonly Row[], places: NonNullable<GeoReport['places']>): Promise<Row[]> {
  const wanted = rows.flatMap((row) =>
    Object.entries(places).flatMap(([column, [latitude, longitude]]) => {
      const point = { latitude: row[latitude], longitude: row[longitude] }
      return typeof point.latitude === 'number' && typeof point.longitude === 'number'
        ? [{ row, column, point: point as { latitude: number; longitude: number } }]
        : []
    }),
  )
  const names = await ctx.services.describePlaces(
    ctx,
    wanted.map(({ point }) => point),
  )
  const words = new Map<Row, Row>()
  wanted.forEach(({ row, column }, at) => words.set(row, { ...words.get(row), [column]: names[at] }))
  return rows.map((row) => ({ ...row, ...words.get(row) }))
}
