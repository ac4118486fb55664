import type { FieldView } from '@outpost/contract/fields'
import { mayFollowPositions } from '@outpost/contract/geo/calls'
import { geoReportCalls, type GeoReportName } from '@outpost/contract/geo/reports'
import { z } from 'zod'
import type { ReportChart } from '@outpost/contract/report-preview'
import { geoPagesTicket, geoReportTicket } from '../../kernel/geo-client/report-ticket.ts'
import { defineReport, type ReportDefinition } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf } from '../../kernel/reports/period.ts'
import type { Ctx } from '../../kernel/types.ts'
import { fleetLinks, fleetPlaces, type Asked } from './fleet.links.ts'
import { fleetReportTexts } from './fleet-words.ts'
import { idSchema } from '../../kernel/resource/schema.ts'

const names = Object.keys(geoReportCalls) as GeoReportName[]

/** Ids as the console sends them (a JSON array), or with commas between. */
const ids = z
  .string()
  .max(20_000)
  .transform((text) =>
    text
      .replace(/[[\]"\s]/g, '')
      .split(',')
      .filter((part) => part !== ''),
  )
  .pipe(z.array(idSchema).max(300, 'may name 300 at most'))
const fleetInput = z.strictObject({
  ...periodInput,
  deviceIds: ids.optional(),
  assetIds: ids.optional(),
  types: z
    .string()
    .max(400)
    .regex(/^[A-Za-z]+(\s*,\s*[A-Za-z]+)*$/, 'holds names with commas between')
    .optional(),
  zeros: z.boolean().optional(),
  noAsset: z.boolean().optional(),
  driverIds: ids.optional(),
  noDriver: z.boolean().optional(),
  geofenceIds: ids.optional(),
  isMeasured: z.boolean().optional(),
  tripId: z.string().max(60).optional(),
  near: z.string().max(40).optional(),
  isBegun: z.boolean().optional(),
  isOpen: z.boolean().optional(),
  series: z.enum(['main', 'backup', 'level']).optional(),
  below: z.string().max(20).optional(),
  since: periodInput.startDate,
})
type FleetInput = z.infer<typeof fleetInput>

/** What a parameter of the screen asks the service for, where that has another name. */
const asksFor: ReadonlyMap<string, string> = new Map([
  ['noAsset', 'assetIds'],
  ['noDriver', 'driverIds'],
])

const several = (key: string, label: string, reference: NonNullable<FieldView['reference']>): FieldView => ({
  key,
  kind: 'multiReference',
  label,
  help: 'Left empty: all of them',
  reference,
})
const assets = several('assetIds', 'Vehicles', {
  to: 'asset',
  path: '/api/geo/asset',
  many: 'assets',
  idKey: 'Id',
  labelKey: 'registrationNumber',
})
const drivers = several('driverIds', 'Drivers', { to: 'driver', path: '/geo/drivers', many: 'drivers', idKey: 'id', labelKey: 'name' })
const fences = several('geofenceIds', 'Fences', {
  to: 'geofence',
  path: '/geo/geofences',
  many: 'geofences',
  idKey: 'id',
  labelKey: 'name',
})
/** Asked for by a link from another report only. */
const linked = (field: FieldView): FieldView => ({ ...field, visibleIf: { not: { eq: [field.key, null] } } })
const noAsset = linked({ key: 'noAsset', kind: 'boolean', label: 'Only while on no vehicle' })
const noDriver = linked({ key: 'noDriver', kind: 'boolean', label: 'Only without a known driver' })
const isMeasured = linked({ key: 'isMeasured', kind: 'boolean', label: 'Only trips with measured fuel' })
const tripId = linked({ key: 'tripId', kind: 'text', label: 'Alerts of one trip' })
const near = linked({ key: 'near', kind: 'text', label: 'At the hotspot' })
const isBegun = linked({ key: 'isBegun', kind: 'boolean', label: 'Only those that began on these days' })
const isOpen = linked({ key: 'isOpen', kind: 'boolean', label: 'Only visits that last now' })
const series = linked({
  key: 'series',
  kind: 'choice',
  label: 'Only messages that told',
  options: [
    { value: 'main', label: 'The vehicle’s battery' },
    { value: 'backup', label: 'The device’s battery' },
    { value: 'level', label: 'The charge' },
  ],
})
const below = linked({ key: 'below', kind: 'text', label: 'Only where it fell below' })
const since = linked({ key: 'since', kind: 'date', label: 'Seen from' })
const devices: FieldView = {
  key: 'deviceIds',
  kind: 'multiReference',
  label: 'Devices',
  help: 'Left empty: all of them',
  reference: { to: 'geoDevice', path: '/geo/devices', many: 'geoDevices', idKey: 'id', labelKey: 'name' },
}
const zeros: FieldView = { key: 'zeros', kind: 'boolean', label: 'Include rows with no distance or time' }
const types: FieldView = { key: 'types', kind: 'text', label: 'Types', help: 'For example sos, powerCut. Left empty: all of them' }
const fleetPeriodFields = periodFields.map((field) =>
  field.key === 'startDate' ? { ...field, help: 'Left empty: 7 days before the end' } : field,
)
/** The geo service counts both ends. */
const longestDays = 399

/** The reports of the geo service, written into files like any other; none where there is no service. */
export const fleetReports = (url: string | undefined): ReportDefinition[] =>
  url === undefined ? [] : names.map((name) => fleetReport(url, name))

function fleetReport(url: string, name: GeoReportName): ReportDefinition {
  const { title, description, definition } = fleetReportTexts[name]
  const understands = (key: string) => geoReportCalls[name].query?.includes(key) === true
  return defineReport({
    name,
    title,
    description,
    anyOf: ['CRM/REPORTS'],
    alsoAnyOf: mayFollowPositions,
    input: inputOf(understands),
    fields: [
      ...fleetPeriodFields,
      assets,
      devices,
      ...[types, zeros, drivers, noDriver, fences, isMeasured, tripId, near, isBegun, isOpen, series, below, since, noAsset].filter(
        ({ key }) => understands(asksFor.get(key) ?? key),
      ),
    ],
    ...(charts[name] ? { chart: charts[name] } : {}),
    opens: (ctx, days, row) => fleetLinks(name, row, { ...window(ctx, days), timeZone: ctx.company.timeZone, own: ownOf(days) }),
    places: fleetPlaces,
    plan: (ctx, { deviceIds, assetIds, types: wanted, zeros: hasZeros, ...given }) => {
      const period = window(ctx, given)
      const query = {
        from: period.startDate,
        to: period.endDate,
        deviceIds: some(deviceIds),
        assetIds: given.noAsset ? ['none'] : some(assetIds),
        driverIds: given.noDriver ? ['none'] : some(given.driverIds),
        geofenceIds: some(given.geofenceIds),
        isMeasured: given.isMeasured,
        tripId: given.tripId,
        near: given.near,
        isBegun: given.isBegun,
        isOpen: given.isOpen,
        series: given.series,
        below: given.below,
        since: given.since,
        types: wanted?.split(/\s*,\s*/),
        zeros: hasZeros,
      }
      return {
        title,
        definition,
        filters: [
          ...periodFilters(period),
          ...chosenWords({ deviceIds, assetIds, ...given }),
          ...(wanted ? [{ label: 'Types', value: wanted }] : []),
        ],
        geo: geoReportTicket(ctx, url, name, query),
        pages: geoPagesTicket(ctx, url, name, query),
      }
    },
  })
}

const window = (ctx: Ctx, days: { startDate?: string | undefined; endDate?: string | undefined }) =>
  periodOf(ctx, days, { usual: 7, longest: longestDays })

function chosenWords(given: Omit<FleetInput, 'types' | 'zeros'>): { label: string; value: string }[] {
  const lists = { Vehicles: given.assetIds, Devices: given.deviceIds, Drivers: given.driverIds, Fences: given.geofenceIds }
  const flags = {
    Vehicles: given.noAsset && 'none',
    Drivers: given.noDriver && 'none known',
    Fuel: given.isMeasured && 'measured',
    Trip: given.tripId && 'one',
    Hotspot: given.near,
    Visits: given.isOpen && 'last now',
    Stops: given.isBegun && 'began on these days',
    Battery: given.series && (given.below === undefined ? given.series : `${given.series} fell below ${given.below}`),
  }
  return [
    ...Object.entries(lists).flatMap(([label, list]) => (list?.length ? [{ label, value: `${list.length} chosen` }] : [])),
    ...Object.entries(flags).flatMap(([label, value]) => (value ? [{ label, value }] : [])),
  ]
}

/** Whom a report was asked for: the rows behind its numbers are theirs too. */
function ownOf({ deviceIds, assetIds, driverIds, noAsset, noDriver }: FleetInput): Asked {
  const lists = Object.entries({ deviceIds, assetIds, driverIds }).flatMap(([key, list]) => (list?.length ? [[key, list] as const] : []))
  return { ...Object.fromEntries(lists), ...(noAsset ? { noAsset } : {}), ...(noDriver ? { noDriver } : {}) }
}

/** What is drawn where it is not the first sum by device. */
const charts: Partial<Record<GeoReportName, ReportChart>> = {
  hotspots: { label: 'place', value: 'visits' },
  positions: { label: 'fixTime', value: 'speed', kind: 'line', by: ['device'] },
  alarms: { label: 'words' },
  events: { label: 'words' },
  tamper: { label: 'device' },
  crash: { label: 'device' },
  battery: { label: 'day', value: 'lowest', kind: 'line', by: ['device', 'series'] },
  utilisation: { label: 'device', value: 'used' },
  fuel: { label: 'day', value: 'litres', kind: 'line', by: ['device'] },
  'fence-stays': { label: 'geofence', value: 'duration' },
  'driver-behaviour': { label: 'driver', value: 'score' },
}

const some = (list: readonly string[] | undefined) => (list?.length ? list : undefined)

/** Only what the report understands; the others are refused by name. */
function inputOf(understands: (key: string) => boolean): z.ZodType<FleetInput> {
  const kept = Object.entries(fleetInput.shape).filter(([key]) => Object.hasOwn(periodInput, key) || understands(asksFor.get(key) ?? key))
  return z.strictObject(Object.fromEntries(kept)) as unknown as z.ZodType<FleetInput>
}
