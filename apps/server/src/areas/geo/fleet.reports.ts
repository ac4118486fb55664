import type { FieldView } from '@outpost/contract/fields'
import { mayFollowPositions } from '@outpost/contract/geo'
import { geoReportCalls, type GeoReportName } from '@outpost/contract/geo-reports'
import { z } from 'zod'
import { geoReportTicket } from '../../kernel/geo-client/report-ticket.ts'
import { defineReport, type ReportDefinition } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf } from '../../kernel/reports/period.ts'
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
})
type FleetInput = z.infer<typeof fleetInput>

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
    fields: [...fleetPeriodFields, devices, ...(understands('types') ? [types] : []), ...(understands('zeros') ? [zeros] : [])],
    plan: (ctx, { deviceIds, assetIds, types: wanted, zeros: hasZeros, ...days }) => {
      const period = periodOf(ctx, days, { usual: 7, longest: longestDays })
      const query = {
        from: period.startDate,
        to: period.endDate,
        deviceIds: some(deviceIds),
        assetIds: some(assetIds),
        types: wanted?.split(/\s*,\s*/),
        zeros: hasZeros,
      }
      const chosen = deviceIds?.length ? [{ label: 'Devices', value: `${deviceIds.length} chosen` }] : []
      return {
        title,
        definition,
        filters: [...periodFilters(period), ...chosen, ...(wanted ? [{ label: 'Types', value: wanted }] : [])],
        geo: geoReportTicket(ctx, url, name, query),
      }
    },
  })
}

const some = (list: readonly string[] | undefined) => (list?.length ? list : undefined)

/** Only what the report understands; the others are refused by name. */
function inputOf(understands: (key: string) => boolean): z.ZodType<FleetInput> {
  const kept = Object.entries(fleetInput.shape).filter(([key]) => Object.hasOwn(periodInput, key) || understands(key))
  return z.strictObject(Object.fromEntries(kept)) as unknown as z.ZodType<FleetInput>
}
