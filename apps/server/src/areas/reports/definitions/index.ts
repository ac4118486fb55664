import type { Area } from '../../../kernel/types.ts'
import type { ReportDefinition } from '../definition.ts'
import { exportList } from './export-list.ts'
import { fleetReports } from './fleet.ts'
import { salesAgentReport } from './sales-agent.ts'
import { userLoginReport } from './user-login.ts'

/** The reports there are, by name. `areas`: those whose lists can be exported; `geoUrl`: the geo service, if there is one. */
export function createReports(areas: readonly Area[], geoUrl?: string): ReadonlyMap<string, ReportDefinition> {
  const definitions = [userLoginReport, salesAgentReport, ...fleetReports(geoUrl), exportList(areas.flatMap((area) => area.routes))]
  return new Map(definitions.map((definition) => [definition.name, definition]))
}
