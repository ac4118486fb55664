import { stops, trips } from '@outpost/contract/geo/rows'
import { z } from 'zod'
import { uniq } from 'es-toolkit/array/uniq'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { getRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Ctx, Operation } from '../../../kernel/types.ts'
import { asset } from '../assets/asset.resource.ts'
import { askGeo, askReport } from './ask-geo.ts'
import { daysOf, moment } from './paging.ts'

const span = z.looseObject({ startTime: z.string(), deviceId: z.string(), assetId: z.string().nullable().optional() })
const told = z.object({ trips: z.array(span), stops: z.array(span) })

export interface Days {
  from: string
  to: string
}

/** Trips and stops of an asset on days of the company's calendar, whichever devices were on it at the time. */
export async function tripsOfAsset(client: GeoClient, ctx: Ctx, assetId: string, { from, to, zeros }: Days & { zeros?: boolean }) {
  const mounted = await askReport(client, ctx, 'device-asset-history', { page: 1, size: 300, from, to, assetIds: assetId })
  const deviceIds = uniq(mounted.rows.map(({ deviceId }) => String(deviceId)))
  const found = await Promise.all(
    deviceIds.map((deviceid) =>
      askGeo(client, ctx, 'deviceTrips', {
        query: { deviceid, fromdate: from, todate: to, ...(zeros ? { zeros: '1' } : {}) },
        shape: told,
      }),
    ),
  )
  const of = (key: 'trips' | 'stops') =>
    found
      .flatMap(({ data }) => data[key])
      .filter((one) => one.assetId === assetId)
      .toSorted((a, b) => a.startTime.localeCompare(b.startTime))
  return { trips: of('trips'), stops: of('stops') }
}

const input = z
  .strictObject({
    asset: z.union([idSchema, z.looseObject({ Id: idSchema })]).optional(),
    assetId: idSchema.optional(),
    startDate: moment.optional(),
    endDate: moment.optional(),
    zeros: z.union([z.string(), z.number(), z.boolean()]).optional(),
  })
  .transform(({ asset: named, assetId, ...rest }, context) => {
    const id = typeof named === 'string' ? named : (named?.Id ?? assetId)
    if (id !== undefined) return { ...rest, assetId: id }
    context.addIssue({ code: 'custom', path: ['asset'], message: 'is required' })
    return z.NEVER
  })

/** POST /api/geo/asset/trips: data.trips, each with its path, and the stops between. */
export const assetTrips = (client: GeoClient): Operation<z.infer<typeof input>> => ({
  kind: 'query',
  input,
  isReadOnly: true,
  answer: z.strictObject({ trips, stops }),
  run: async (ctx, { assetId, startDate, endDate, zeros }) => {
    const { Id } = await getRecord(ctx, asset, assetId)
    const hasZeros = zeros === true || String(zeros) === '1'
    return { data: await tripsOfAsset(client, ctx, Id, { ...daysOf(ctx, { startDate, endDate }), zeros: hasZeros }) }
  },
})
