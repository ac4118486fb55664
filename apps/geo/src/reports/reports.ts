import type { GeoReportName } from '@outpost/contract/geo/reports'
import { battery } from './battery.ts'
import { crash } from './incidents/crash.ts'
import { deviceAssets } from './device-assets.ts'
import { driverBehaviour } from './incidents/driver-behaviour.ts'
import { engine } from './engine.ts'
import { alarms, events } from './events.ts'
import { fenceStays } from './fence-stays.ts'
import { fuel } from './fuel.ts'
import { hotspots } from './hotspots.ts'
import { positions } from './positions.ts'
import type { GeoReport } from './report.ts'
import { stops } from './stops.ts'
import { summary } from './summary.ts'
import { tamper } from './incidents/tamper.ts'
import { trips } from './trips.ts'
import { active, deviceUsage } from './usage.ts'
import { utilisation } from './utilisation.ts'

/** The report of each name in contract/geo-reports.ts; the compiler requires all of them. */
export const reports: Readonly<Record<GeoReportName, GeoReport>> = {
  trips: trips,
  stops: stops,
  engine: engine,
  hotspots: hotspots,
  active: active,
  'device-usage': deviceUsage,
  summary: summary,
  positions: positions,
  alarms: alarms,
  events: events,
  tamper: tamper,
  crash: crash,
  battery: battery,
  'device-asset-history': deviceAssets,
  'driver-behaviour': driverBehaviour,
  utilisation: utilisation,
  fuel: fuel,
  'fence-stays': fenceStays,
}
