import { geoCalls, geoShapes, type GeoCallDefinition, type GeoCallName } from '@outpost/contract/geo/calls'
import { geoAnswers } from '@outpost/contract/geo/answers'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { may, route } from '../../../kernel/area.ts'
import type { GeoClient } from '../../../kernel/geo-client/client.ts'
import { pass } from '../../../kernel/geo-client/pass.ts'
import { idSchema } from '../../../kernel/resource/schema.ts'
import type { Ctx, Operation, Route } from '../../../kernel/types.ts'
import { userInReach } from '../../../kernel/session/reach.ts'
import { askGeo } from './ask-geo.ts'
import { listRoute } from './pass-list.ts'
import { sendManyRoute } from './send-many.ts'
import { moment, momentsOf, pageOf, paging, window } from './paging.ts'

const rows = z.array(z.record(z.string(), z.unknown()))
const devices = z.object({ geoDevices: rows })
const places = z.object({ position: rows })
const all = 10_000
const access = (name: GeoCallName) => {
  const { anyOf }: GeoCallDefinition = geoCalls[name]
  return may(...anyOf)
}
const query = <Input extends z.ZodRawShape>(
  input: z.ZodObject<Input>,
  answer: z.ZodType,
  run: Operation<z.infer<z.ZodObject<Input>>>['run'],
): Operation<z.infer<z.ZodObject<Input>>> => ({ kind: 'query', input, isReadOnly: true, answer, run })

/** The devices that a person is asked about: one's own id means all in reach; a colleague's, those that the colleague carries. */
async function carriedBy(ctx: Ctx, userId: string): Promise<string | undefined> {
  if (userId === ctx.user.id) return undefined
  const known = await ctx.sql.maybe(
    sql`select 1 from app_user u where u."companyId" = ${ctx.company.id}::uuid and u."id" = ${userId}::uuid and u."deletedAt" is null and ${userInReach(ctx, 'u')}`,
  )
  if (!known) fail('NOT_FOUND')
  return JSON.stringify([{ field: 'userId', op: 'eq', value: userId }])
}

const deviceList = z.strictObject({ userId: idSchema, ...paging, ...window, filter: z.string().max(20_000).optional() })

/** A filter is a status in one word, or conditions as in every list. */
function filterOf(filter: string | undefined, own: string | undefined): { filter?: string; status?: string } {
  const isWord = filter !== undefined && /^[a-z]+$/i.test(filter.trim())
  const conditions = [...(filter && !isWord ? (JSON.parse(filter) as unknown[]) : []), ...(own ? (JSON.parse(own) as unknown[]) : [])]
  return {
    ...(isWord && filter.toLowerCase() !== 'all' ? { status: filter.toLowerCase() } : {}),
    ...(conditions.length > 0 ? { filter: JSON.stringify(conditions) } : {}),
  }
}

const listDevices = (client: GeoClient) =>
  query(deviceList, geoAnswers['devices.list'], async (ctx, { userId, filter, search, startDate, endDate, ...input }) => {
    const chosen = filterOf(safeFilter(filter), await carriedBy(ctx, userId))
    const { page, size, sortField, sortOrder } = pageOf(input, ['name', 'DESC'])
    const days = [
      ...(startDate ? [{ field: 'dateCreated', op: 'gte', value: startDate }] : []),
      ...(endDate ? [{ field: 'dateCreated', op: 'lte', value: endDate }] : []),
    ]
    const conditions = [...(chosen.filter ? (JSON.parse(chosen.filter) as unknown[]) : []), ...days]
    const { data, meta } = await askGeo(client, ctx, 'devices.list', {
      query: {
        page: String(page),
        size: String(size),
        sortField,
        sortOrder,
        search,
        status: chosen.status,
        filter: conditions.length > 0 ? JSON.stringify(conditions) : undefined,
      },
      shape: devices,
    })
    return { data, meta: { page, size, total: meta.total ?? data.geoDevices.length } }
  })

/** What is no list of conditions is refused by the service, which names the field. */
function safeFilter(filter: string | undefined): string | undefined {
  if (filter === undefined || filter.trim() === '') return undefined
  if (/^[a-z]+$/i.test(filter.trim())) return filter.trim()
  const parsed = z.array(z.unknown()).safeParse(readJson(filter))
  return parsed.success ? filter : '[{"field":"filter","op":"eq","value":""}]'
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Everything of a kind that the caller sees, for a map: the service gives ten thousand at once. */
async function everything(client: GeoClient, ctx: Ctx, name: 'devices.list' | 'positions.list', filter?: string) {
  const shape = name === 'devices.list' ? devices : places
  const sort = name === 'devices.list' ? { sortField: 'name', sortOrder: 'DESC' } : {}
  return askGeo<Record<string, unknown>>(client, ctx, name, { query: { page: '1', size: String(all), ...sort, filter }, shape })
}

const byUser = z.strictObject({ userId: idSchema })
const mapOf = (client: GeoClient) =>
  query(byUser, z.strictObject({ geoDevices: z.array(z.looseObject({})) }), async (ctx, { userId }) => {
    const { data } = await everything(client, ctx, 'devices.list', await carriedBy(ctx, userId))
    return { data: { geoDevices: devices.parse(data).geoDevices.filter(({ position }) => position !== null) } }
  })

const byStatus = (client: GeoClient, status: string) =>
  query(z.strictObject({}), geoAnswers['devices.list'], async (ctx) => {
    const { data } = await askGeo(client, ctx, 'devices.list', {
      query: { page: '1', size: String(all), sortField: 'name', sortOrder: 'DESC', status },
      shape: devices,
    })
    return { data }
  })

const byText = z.strictObject({ text: z.string().max(200) })
const search = (client: GeoClient) =>
  query(byText, geoAnswers['devices.search'], async (ctx, { text }) => {
    const { data } = await askGeo(client, ctx, 'devices.search', {
      query: { search: text.trim().toUpperCase(), sortField: 'name', sortOrder: 'DESC' },
      shape: devices,
    })
    return { data }
  })

const byIdentity = z.strictObject({ uniqueId: z.string().max(128) })
/** Only the caller's company is told: whether a stranger has it is nobody's business. */
const exists = (client: GeoClient) =>
  query(byIdentity, z.strictObject({ exists: z.boolean(), deviceId: z.string().nullable() }), async (ctx, { uniqueId }) => {
    const filter = JSON.stringify([{ field: 'uniqueId', op: 'eq', value: uniqueId.trim() }])
    const { data } = await askGeo(client, ctx, 'devices.list', { query: { size: '1', filter }, shape: devices })
    const [found] = data.geoDevices
    return { data: { exists: found !== undefined, deviceId: found ? String(found.id) : null } }
  })

const stats = z.object({
  total: z.number(),
  linked: z.number(),
  byState: z.record(z.string(), z.number()),
  byTenant: z.array(z.object({ tenantId: z.string(), tenant: z.string(), total: z.number(), online: z.number() })),
  sms: z.object({ today: z.number(), month: z.number(), failed: z.number() }),
})
const figures = (client: GeoClient, ctx: Ctx) => askGeo(client, ctx, 'devices.stats', { shape: stats }).then(({ data }) => data)
const nothing = z.strictObject({})

const dashboard = (client: GeoClient) =>
  query(
    nothing,
    z.strictObject({ stats: stats.omit({ byTenant: true, sms: true }).extend({ unlinked: z.number(), online: z.number() }) }),
    async (ctx) => {
      const { total, linked, byState } = await figures(client, ctx)
      const online = ['moving', 'towed', 'idling', 'stopped'].reduce((sum, state) => sum + (byState[state] ?? 0), 0)
      return { data: { stats: { total, linked, unlinked: total - linked, online, byState } } }
    },
  )
const byTenant = (client: GeoClient) =>
  query(nothing, z.strictObject({ tenants: stats.shape.byTenant }), async (ctx) => ({
    data: { tenants: (await figures(client, ctx)).byTenant },
  }))
const smsUsed = (client: GeoClient) =>
  query(nothing, z.strictObject({ smsUsed: stats.shape.sms }), async (ctx) => ({ data: { smsUsed: (await figures(client, ctx)).sms } }))

const tripInput = z.strictObject({ deviceId: idSchema, fromDate: z.iso.date(), toDate: z.iso.date() })
const tripDetails = (client: GeoClient) =>
  query(tripInput, geoAnswers.deviceTrips, async (ctx, { deviceId, fromDate, toDate }) => ({
    json: await client.call(ctx, {
      method: 'GET',
      segments: ['deviceTrips', 'trip'],
      query: { deviceid: deviceId, fromdate: fromDate, todate: toDate },
    }),
  }))

const unlinkedInput = z.strictObject({ ...paging })
const unlinked = (client: GeoClient) =>
  query(unlinkedInput, geoAnswers['devices.unlinked'], async (ctx, { search: text, ...input }) => {
    const { page, size, ...sort } = pageOf(input, ['dateCreated', 'DESC'])
    const asked = { page: String(page), size: String(size), ...sort, search: text }
    return { json: await client.call(ctx, { method: 'GET', segments: ['devices', 'unlinked'], query: asked }) }
  })

/** Rows as the specification shows them: its own names beside ours. */
export const positionRow = (row: Record<string, unknown>): Record<string, unknown> => ({
  ...row,
  Geo: coordinatesText(row.latitude, row.longitude),
})

/** "1.28640 S, 36.81720 E"; empty without coordinates. */
export function coordinatesText(latitude: unknown, longitude: unknown): string {
  if (typeof latitude !== 'number' || typeof longitude !== 'number') return ''
  const of = (value: number, [positive, negative]: readonly [string, string]) =>
    `${Math.abs(value).toFixed(5)} ${value < 0 ? negative : positive}`
  return `${of(latitude, ['N', 'S'])}, ${of(longitude, ['E', 'W'])}`
}

async function positionsBetween(
  client: GeoClient,
  ctx: Ctx,
  asked: { deviceId: string; startDate: string; endDate: string },
  page: { page: number; size: number; sortOrder: 'ASC' | 'DESC' | undefined; search?: string | undefined },
) {
  const { data, meta } = await askGeo(client, ctx, 'positions.page', {
    query: {
      page: String(page.page),
      size: String(page.size),
      sortOrder: page.sortOrder,
      search: page.search,
      deviceId: asked.deviceId,
      ...momentsOf(ctx, asked),
    },
    shape: places,
  })
  return {
    data: { position: data.position.map(positionRow) },
    meta: { page: page.page, size: page.size, total: meta.total ?? data.position.length },
  }
}

const positionAnswer = z.strictObject({ position: z.array(z.looseObject({})) })
const reportInput = z.strictObject({
  deviceId: idSchema,
  startDate: moment,
  endDate: moment,
  page: paging.page,
  size: paging.size,
  sortField: paging.sortField,
  sortOrder: paging.sortOrder,
})
const positionReport = (client: GeoClient) =>
  query(reportInput, positionAnswer, (ctx, { page, size = all, sortOrder, sortField: _, ...asked }) =>
    positionsBetween(client, ctx, asked, { page, size, sortOrder }),
  )
const historyInput = z.strictObject({
  id: idSchema,
  from: moment,
  to: moment,
  page: paging.page,
  size: paging.size,
  sortField: paging.sortField,
  search: paging.search,
  sortOrder: paging.sortOrder,
})
const positionHistory = (client: GeoClient) =>
  query(historyInput, positionAnswer, (ctx, { id, from, to, page, size = 100, sortOrder, search: words }) =>
    positionsBetween(client, ctx, { deviceId: id, startDate: from, endDate: to }, { page, size, sortOrder, search: words }),
  )

/** Devices and their positions. `active`, `unlinked-device` and the dashboard lie beside {userId}: the router takes the fixed name first. */
export function deviceCalls(client: GeoClient): Route[] {
  const target = (name: GeoCallName) => ({ ...geoCalls[name], shapes: geoShapes, answer: geoAnswers[name] })
  const latest = { ...target('positions.get'), path: '/positions/:id' }
  const send = {
    ...target('devices.sendCommand'),
    path: '/devices/sendCommand/:deviceId/:commandId',
    shapes: { commandId: geoShapes.commandType },
  }
  return [
    route('devices.ofUser', 'GET', '/api/geo/device/:userId', access('devices.list'), listDevices(client)),
    route('devices.mapOfUser', 'GET', '/api/geo/device/map/:userId', access('positions.list'), mapOf(client)),
    route('devices.details', 'GET', '/api/geo/device/details/:id', access('devices.get'), pass(client, target('devices.get'))),
    route('devices.latestPosition', 'GET', '/api/geo/device/details/:id/latest-position', access('positions.get'), pass(client, latest)),
    route('devices.searchText', 'GET', '/api/geo/device/search/:text', access('devices.search'), search(client)),
    route('devices.position', 'GET', '/api/geo/device/position/:id', access('positions.get'), pass(client, latest)),
    route('devices.tripDetails', 'GET', '/api/geo/device/trip/details', access('deviceTrips'), tripDetails(client)),
    route('devices.unlinked', 'GET', '/api/geo/device/unlinked-device', access('devices.unlinked'), unlinked(client)),
    route('devices.exists', 'GET', '/api/geo/device/exists/:uniqueId', access('devices.list'), exists(client)),
    route('devices.active', 'GET', '/api/geo/device/active', access('devices.list'), byStatus(client, 'online')),
    route('devices.activeByTenant', 'GET', '/api/geo/device/active/by-tenant', access('devices.stats'), byTenant(client)),
    route('devices.dashboard', 'GET', '/api/geo/device/dashboard/stats', access('devices.stats'), dashboard(client)),
    route('devices.smsUsed', 'GET', '/api/geo/device/dashboard/sms-used', access('devices.stats'), smsUsed(client)),
    route('devices.add', 'POST', '/api/geo/device', access('devices.create'), pass(client, target('devices.create'))),
    route('devices.change', 'PUT', '/api/geo/device/:id', access('devices.update'), pass(client, target('devices.update'))),
    route('devices.drop', 'PUT', '/api/geo/device/delete/:id', access('devices.remove'), pass(client, target('devices.remove'))),
    route(
      'devices.sendCommand',
      'POST',
      '/api/geo/device/sendCommand/:deviceId/:commandId',
      access('devices.sendCommand'),
      pass(client, send),
    ),
    sendManyRoute(client),
    route('devices.positions', 'GET', '/api/geo/position/device/:id/:from/:to', access('positions.list'), positionHistory(client)),
    route('assets.positionReport', 'POST', '/api/geo/asset/device/positions', access('positions.list'), positionReport(client)),
    listRoute(client, 'devices.hardware', { route: 'devices.hardware', path: '/api/geo/device-hardware', sort: ['make', 'ASC'] }),
  ]
}
