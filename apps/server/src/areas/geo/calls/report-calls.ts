import { fail } from '@outpost/contract/errors'
import { geoCalls } from '@outpost/contract/geo/calls'
import { crashRow, crashStatuses, eventRow } from '@outpost/contract/geo/rows'
import type { GeoReportName } from '@outpost/contract/geo/reports'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { may, route } from '../../../kernel/area.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { userName } from '../../../kernel/names.ts'
import { getRecord } from '../../../kernel/resource/records.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Ctx, Operation, Route } from '../../../kernel/types.ts'
import { asset } from '../assets/asset.resource.ts'
import { askReport, type ReportPage } from './ask-geo.ts'
import { daysOf, moment, pageOf, paging, window } from './paging.ts'

const rows = (many: string) => z.strictObject({ [many]: z.array(z.looseObject({})) })
const see = geoCalls['positions.list'].anyOf

interface Told {
  report: GeoReportName
  /** Name of the rows in data. */
  many: string
  sort?: readonly [field: string, order: 'ASC' | 'DESC']
  /** The call's own names of columns that the specification sorts by. */
  columns?: Readonly<Record<string, string>>
  /** It knows the flag zeros. */
  hasZeros?: boolean
}

const shape = { ...paging, ...window, deviceId: idSchema.optional(), assetId: idSchema.optional() }
const reportInput = z.strictObject(shape)
const zerosInput = z.strictObject({ ...shape, zeros: z.coerce.string().max(5).optional() })
type ReportInput = z.infer<typeof zerosInput>

/** The specification hands the flag on inverted: 1 becomes 0, otherwise 1. */
export const invertedZeros = (zeros: string | undefined): '0' | '1' => (zeros === '1' ? '0' : '1')

/** A paged JSON call over a report of the geo service. */
function reportCall(client: GeoClient, { report, many, sort, columns = {}, hasZeros = false }: Told): Operation<ReportInput> {
  return {
    kind: 'query',
    input: (hasZeros ? zerosInput : reportInput) as z.ZodType<ReportInput>,
    isReadOnly: true,
    answer: rows(many),
    run: async (ctx, { deviceId, assetId, zeros, startDate, endDate, ...input }) => {
      if (assetId !== undefined) await getRecord(ctx, asset, assetId)
      const { sortField, ...page } = pageOf(input, sort)
      const found = await askReport(client, ctx, report, {
        ...page,
        sortField: sortField === undefined ? undefined : (columns[sortField] ?? sortField),
        ...daysOf(ctx, { startDate, endDate }),
        deviceIds: deviceId,
        assetIds: assetId,
        ...(hasZeros ? { zeros: invertedZeros(zeros) } : {}),
      })
      return { data: { [many]: await named(ctx, found.rows) }, meta: found.meta }
    },
  }
}

/** Beside the ids of assets and people what they are called: only the server knows. */
export async function named(ctx: Ctx, found: ReportPage['rows']): Promise<ReportPage['rows']> {
  const idsOf = (key: string) => [...new Set(found.flatMap((row) => (typeof row[key] === 'string' ? [row[key]] : [])))]
  const people = [...new Set(['reviewedBy', 'acknowledgedBy', 'changedBy'].flatMap(idsOf))]
  const [assets, users] = await Promise.all([
    idsOf('assetId').length === 0
      ? []
      : ctx.sql.query<{ id: string; name: string }>(
          sql`select "id", "registrationNumber" as name from asset where "companyId" = ${ctx.company.id}::uuid and "id" = any(${idsOf('assetId')}::uuid[])`,
        ),
    people.length === 0
      ? []
      : ctx.sql.query<{ id: string; name: string }>(
          sql`select p.id, ${userName(sql`${ctx.company.id}::uuid`, sql`p.id`)} as name from unnest(${people}::uuid[]) p(id)`,
        ),
  ])
  const names = new Map([...assets, ...users].map(({ id, name }) => [id, name]))
  return found.map((row) => ({
    ...row,
    ...('assetId' in row ? { asset: names.get(String(row.assetId)) ?? null } : {}),
    ...Object.fromEntries(
      ['reviewedBy', 'acknowledgedBy', 'changedBy']
        .filter((key) => Object.hasOwn(row, key))
        .map((key) => [`${key}Name`, names.get(String(row[key])) ?? null]),
    ),
  }))
}

const ofAsset = z.strictObject({ id: idSchema, ...paging, ...window })
const createdAt = { createdAt: 'eventTime' }

/** The specification sorts by createdAt. */
const assetEventRow = eventRow.extend({ createdAt: z.iso.datetime() })

/** Alarms and events of one asset: GET /api/geo/notification-event/asset/{id}/... */
function assetEvents(client: GeoClient, report: 'alarms' | 'events', many: string): Operation<z.infer<typeof ofAsset>> {
  return {
    kind: 'query',
    input: ofAsset,
    isReadOnly: true,
    answer: z.strictObject({ [many]: z.array(assetEventRow) }),
    run: async (ctx, { id, startDate, endDate, ...input }) => {
      const { Id } = await getRecord(ctx, asset, id)
      const { sortField = 'createdAt', ...page } = pageOf(input, ['createdAt', 'DESC'])
      const column = Object.hasOwn(createdAt, sortField) ? createdAt.createdAt : sortField
      const found = await askReport(client, ctx, report, {
        ...page,
        sortField: column,
        ...daysOf(ctx, { startDate, endDate }),
        assetIds: Id,
      })
      const told = (await named(ctx, found.rows)).map((row) => ({ ...row, createdAt: row.eventTime }))
      return { data: { [many]: told }, meta: found.meta }
    },
  }
}

const crashInput = z.strictObject({ a: z.string().max(64), b: z.string().max(64), ...paging, ...window })

/**
 * GET /api/geo/crash-event/{a}/{b}: {a} is an asset or `all`, {b} a status (NEW, REJECTED, APPROVED) or `all`: the specification shows
 * two parts without names. The status lies beside the rows of the report, so it is chosen here.
 */
const crashes = (client: GeoClient): Operation<z.infer<typeof crashInput>> => ({
  kind: 'query',
  input: crashInput,
  isReadOnly: true,
  answer: z.strictObject({ crashEvents: z.array(crashRow) }),
  run: async (ctx, { a, b, startDate, endDate, ...input }) => {
    const assetId = a.toLowerCase() === 'all' ? undefined : idSchema.safeParse(a).data
    if (assetId === undefined && a.toLowerCase() !== 'all')
      return fail('INVALID', { fields: [{ field: 'a', message: 'is neither an asset nor all' }] })
    const status = crashStatuses.find((one) => one === b.toUpperCase())
    if (status === undefined && b.toLowerCase() !== 'all')
      return fail('INVALID', { fields: [{ field: 'b', message: `must be one of ${crashStatuses.join(', ')}, all` }] })
    if (assetId !== undefined) await getRecord(ctx, asset, assetId)
    const { page, size, ...sort } = pageOf(input, ['time', 'DESC'])
    const asked = { ...sort, ...daysOf(ctx, { startDate, endDate }), assetIds: assetId }
    if (status === undefined) {
      const found = await askReport(client, ctx, 'crash', { page, size, ...asked })
      return { data: { crashEvents: await named(ctx, found.rows) }, meta: found.meta }
    }
    const all = await askReport(client, ctx, 'crash', { page: 1, size: 10_000, ...asked })
    const chosen = all.rows.filter((row) => row.status === status)
    const shown = chosen.slice((page - 1) * size, page * size)
    return { data: { crashEvents: await named(ctx, shown) }, meta: { page, size, total: chosen.length } }
  },
})

const batteryInput = z.strictObject({ from: moment, to: moment, ...paging, deviceId: idSchema.optional(), assetId: idSchema.optional() })

/** GET /api/geo/assets/battery/{from}/{to}/: the batteries by day; the specification sorts by deviceTime. */
const battery = (client: GeoClient): Operation<z.infer<typeof batteryInput>> => ({
  kind: 'query',
  input: batteryInput,
  isReadOnly: true,
  answer: rows('battery'),
  run: async (ctx, { from, to, deviceId, assetId, ...input }) => {
    if (assetId !== undefined) await getRecord(ctx, asset, assetId)
    const { sortField = 'deviceTime', ...page } = pageOf(input, ['deviceTime', 'ASC'])
    const days = daysOf(ctx, { startDate: from, endDate: to })
    const column = sortField === 'deviceTime' ? 'day' : sortField
    const found = await askReport(client, ctx, 'battery', { ...page, sortField: column, ...days, deviceIds: deviceId, assetIds: assetId })
    return { data: { battery: (await named(ctx, found.rows)).map((row) => ({ ...row, deviceTime: row.day })) }, meta: found.meta }
  },
})

const historyInput = z.strictObject({ ...paging, ...window, deviceId: idSchema.optional(), assetId: idSchema.optional() })

/** GET /api/geo/device-asset-history/: which device was on which asset from when to when. */
const deviceAssetHistory = (client: GeoClient): Operation<z.infer<typeof historyInput>> =>
  reportCall(client, { report: 'device-asset-history', many: 'deviceAssetHistory', sort: ['since', 'DESC'] }) as Operation<
    z.infer<typeof historyInput>
  >

const start = { startDate: 'startTime', endDate: 'endTime' }

/** The calls of the specification over the reports of the geo service. */
export function reportCalls(client: GeoClient): Route[] {
  const report = (told: Told) => reportCall(client, told)
  return [
    route(
      'assets.deviceUsage',
      'GET',
      '/api/geo/asset/reports/device-usage',
      may(...see),
      report({ report: 'device-usage', many: 'deviceUsage' }),
    ),
    route(
      'assets.tripReport',
      'GET',
      '/api/geo/asset/reports/trips',
      may(...see),
      report({ report: 'trips', many: 'trips', columns: start, hasZeros: true }),
    ),
    route(
      'assets.stopReport',
      'GET',
      '/api/geo/asset/reports/stops',
      may(...see),
      report({ report: 'stops', many: 'stops', sort: ['startDate', 'ASC'], columns: start, hasZeros: true }),
    ),
    route(
      'assets.engineReport',
      'GET',
      '/api/geo/asset/reports/engine',
      may(...see),
      report({ report: 'engine', many: 'engine', sort: ['startDate', 'ASC'], columns: start, hasZeros: true }),
    ),
    route('assets.hotspots', 'GET', '/api/geo/asset/reports/hotspots', may(...see), report({ report: 'hotspots', many: 'hotspots' })),
    route('assets.activeReport', 'GET', '/api/geo/asset/reports/active', may(...see), report({ report: 'active', many: 'active' })),
    route('assets.tamper', 'GET', '/api/geo/notification-event/reports/tamper', may(...see), report({ report: 'tamper', many: 'tamper' })),
    route('assets.alarms', 'GET', '/api/geo/notification-event/asset/:id/alarm', may(...see), assetEvents(client, 'alarms', 'alarms')),
    route('assets.events', 'GET', '/api/geo/notification-event/asset/:id/event', may(...see), assetEvents(client, 'events', 'events')),
    route('assets.crashes', 'GET', '/api/geo/crash-event/:a/:b', may(...see), crashes(client)),
    route('assets.battery', 'GET', '/api/geo/assets/battery/:from/:to', may(...see), battery(client)),
    route('devices.assetHistory', 'GET', '/api/geo/device-asset-history', may(...see), deviceAssetHistory(client)),
  ]
}
