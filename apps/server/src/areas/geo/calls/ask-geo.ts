import { fail } from '@outpost/contract/errors'
import { geoCalls, type GeoCallDefinition, type GeoCallName } from '@outpost/contract/geo/calls'
import { geoReportPage, type GeoReportName } from '@outpost/contract/geo/reports'
import { z } from 'zod'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import type { Ctx } from '../../../kernel/types.ts'

interface Asked<Data> {
  /** Values of the path's :names. */
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, string | undefined>>
  body?: unknown
  /** What of data is read. */
  shape: z.ZodType<Data>
}
export interface GeoMeta {
  page?: number | undefined
  size?: number | undefined
  total?: number | undefined
}
const meta = z.looseObject({ page: z.number().optional(), size: z.number().optional(), total: z.number().optional() }).default({})

/** Data and meta of a call of the geo service for the caller; GEO_UNAVAILABLE for an answer in another shape. */
export const askGeo = <Data>(client: GeoClient, ctx: Ctx, name: GeoCallName, asked: Asked<Data>): Promise<{ data: Data; meta: GeoMeta }> =>
  ask(client, ctx, geoCalls[name], asked)

export interface ReportPage {
  rows: Record<string, unknown>[]
  meta: { page: number; size: number; total: number }
}
const rows = z.object({ rows: z.array(z.record(z.string(), z.unknown())) })

/** One page of a report of the geo service: its rows by the names of the report's columns. */
export async function askReport(
  client: GeoClient,
  ctx: Ctx,
  name: GeoReportName,
  { page, size, ...query }: { page: number; size: number } & Record<string, string | number | undefined>,
): Promise<ReportPage> {
  const asked = Object.fromEntries(
    Object.entries({ page, size, ...query }).map(([key, value]) => [key, value === undefined ? undefined : String(value)]),
  )
  const { data, meta: told } = await ask(client, ctx, geoReportPage, { params: { name }, query: asked, shape: rows })
  return { rows: data.rows, meta: { page, size, total: told.total ?? data.rows.length } }
}

async function ask<Data>(
  client: GeoClient,
  ctx: Ctx,
  { method, path }: GeoCallDefinition,
  { params = {}, query, body, shape }: Asked<Data>,
): Promise<{ data: Data; meta: GeoMeta }> {
  const segments = path
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith(':') ? (params[part.slice(1)] ?? '') : part))
  const text = await client.call(ctx, { method, segments, ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) })
  const envelope = z.object({ data: z.unknown(), meta }).parse(JSON.parse(text))
  const read = shape.safeParse(envelope.data)
  if (read.success) return { data: read.data, meta: envelope.meta }
  ctx.log.error({ err: read.error, path }, 'the geo service answered in another shape')
  return fail('GEO_UNAVAILABLE')
}
