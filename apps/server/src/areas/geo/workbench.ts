import { alarms, eventTypes } from '@outpost/contract/geo/events'
import type { TileFigure } from '@outpost/contract/tiles'
import { mayAny } from '@outpost/rules/people/permission'
import { sql } from '@outpost/platform/db/sql'
import { assetState, vehicleStates, type VehicleState } from '@outpost/rules/fleet/states'
import { mainDevice } from '@outpost/rules/fleet/main-device'
import { z } from 'zod'
import { companyDay } from '../../kernel/days.ts'
import type { GeoClient } from '../../kernel/geo-client/client.ts'
import { noInput, query } from '../../kernel/resource/operations.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { asset } from './assets/asset.resource.ts'
import { mostAssets, placesShape } from './fleet-map.ts'
import { askGeo, askReport } from './calls/ask-geo.ts'
import { maintenanceOf } from './maintenance/maintenance.due.ts'

const figure = z.strictObject({ value: z.number(), period: z.string(), open: z.string() })
const answer = z.strictObject({
  tiles: z.record(z.string(), figure),
  states: z.array(z.strictObject({ label: z.string(), tone: z.string(), value: z.number(), open: z.string() })),
  places: z.array(z.strictObject({ label: z.string(), state: z.string(), latitude: z.number(), longitude: z.number(), open: z.string() })),
  events: z.array(z.strictObject({ event: z.string(), device: z.string(), at: z.iso.datetime({ offset: true }) })),
})

/** So many places are drawn on the small map, and so many events told. */
const [mostPlaces, mostEvents] = [500, 8]

/** What a dispatcher looks at first: how many vehicles do what, what waits, who is where, what is due; each number with the address of its rows. */
export const workbench = (client: GeoClient) => query(noInput, (ctx) => workbenchOf(client, ctx), answer)

async function workbenchOf(client: GeoClient, ctx: Ctx): Promise<Answer> {
  const mayReport = mayAny(ctx, ['CRM/REPORTS'])
  const [vehicles, { events, waiting }, inFences, due] = await Promise.all([
    vehiclesOf(client, ctx),
    eventsOf(client, ctx),
    mayReport ? fencesNow(client, ctx) : undefined,
    mayReport ? maintenanceOf(client, ctx) : undefined,
  ])
  const counted = (Object.keys(vehicleStates) as VehicleState[]).map(
    (state) => [state, vehicles.filter((one) => one.state === state).length] as const,
  )
  const now = (value: number, open: string): TileFigure & { period: string } => ({ value, period: 'Now', open })
  const today = companyDay(ctx)
  return {
    data: {
      tiles: {
        ...Object.fromEntries(counted.map(([state, count]) => [`fleet-${state}`, now(count, `/tracking/map?state=${state}`)])),
        'fleet-alarms': now(waiting, '/tracking/notifications'),
        ...(inFences === undefined
          ? {}
          : { 'fleet-fences': now(inFences, `/reports/standard/fence-stays?startDate=${today}&endDate=${today}&isOpen=true`) }),
        ...(due === undefined
          ? {}
          : { 'fleet-maintenance': now(due.filter(({ state }) => state !== 'later').length, '/reports/standard/maintenance-due') }),
      },
      states: counted
        .filter(([, count]) => count > 0)
        .map(([state, value]) => ({ ...vehicleStates[state], value, open: `/tracking/map?state=${state}` })),
      places: vehicles
        .flatMap(({ id, label, state, latitude, longitude }) =>
          latitude === null || longitude === null ? [] : [{ label, state, latitude, longitude, open: `/tracking/map?asset=${id}` }],
        )
        .slice(0, mostPlaces),
      events,
    },
  }
}

interface Vehicle {
  id: string
  label: string
  state: VehicleState
  latitude: number | null
  longitude: number | null
}

/** All assets of the caller as the live map shows them. */
async function vehiclesOf(client: GeoClient, ctx: Ctx): Promise<Vehicle[]> {
  const [rows, { data }] = await Promise.all([
    ctx.sql.query<{ id: string; registrationNumber: string }>(sql`
      select t."id", t."registrationNumber" from asset t where ${visibleRows(ctx, asset)} order by t."registrationNumber", t."id" limit ${mostAssets}`),
    askGeo(client, ctx, 'assets.places', { shape: placesShape }),
  ])
  const devices = Map.groupBy(data.assetPlaces, ({ assetId }) => assetId)
  return rows.map(({ id, registrationNumber }) => {
    const own = devices.get(id) ?? []
    const main = mainDevice(own, ({ latitude }) => latitude !== null)
    const { latitude = null, longitude = null } = main ?? {}
    return {
      id,
      label: registrationNumber,
      state: assetState(main, own),
      latitude,
      longitude,
    }
  })
}

const told = z.object({
  events: z.array(z.looseObject({ type: z.string(), alarm: z.string().nullish(), device: z.string(), eventTime: z.string() })),
})

/** The newest events, and how many wait for somebody to see to them: as many as the screen of notifications lists. */
async function eventsOf(client: GeoClient, ctx: Ctx) {
  const query = { severity: 'warning,critical', acknowledged: 'false' }
  const [newest, open] = await Promise.all([
    askGeo(client, ctx, 'events.list', { query: { size: String(mostEvents), severity: 'warning,critical' }, shape: told }),
    askGeo(client, ctx, 'events.list', { query: { ...query, size: '1' }, shape: told }),
  ])
  return {
    waiting: open.meta.total ?? 0,
    events: newest.data.events.map(({ type, alarm, device, eventTime }) => ({
      event: wordsOf(type, alarm),
      device,
      at: eventTime,
    })),
  }
}

/** What happened, as lists of events say it: an alarm by its own name. */
function wordsOf(type: string, alarm: string | null | undefined): string {
  const [names, name]: [Readonly<Record<string, { label: string }>>, string] = alarm ? [alarms, alarm] : [eventTypes, type]
  return (Object.hasOwn(names, name) ? names[name]?.label : undefined) ?? name
}

/** How many visits of fences last now. */
async function fencesNow(client: GeoClient, ctx: Ctx): Promise<number> {
  const today = companyDay(ctx)
  return (await askReport(client, ctx, 'fence-stays', { page: 1, size: 1, from: today, to: today, isOpen: 'true' })).meta.total
}
