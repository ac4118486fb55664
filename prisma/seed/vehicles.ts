import type pg from 'pg'
import { vehicleOf } from '../../scripts/simulate/vehicle.ts'
import { demoId } from './random.ts'
import type { DemoCompany } from './tree.ts'

export const vehicles = 12
/** Where the simulator's roads are. */
export const home = 'sunrise'

export const vehicleId = (number: number): string => demoId('vehicle', number)

/** The vehicles `npm run simulate` drives, registered with the company whose branches are where they drive. */
export async function insertVehicles(client: pg.ClientBase, company: DemoCompany): Promise<void> {
  if (company.key !== home) return
  const teams = company.branches[0]?.teams ?? []
  const rows = Array.from({ length: vehicles }, (_, number) => {
    const { uniqueId, name, protocol } = vehicleOf(number)
    const team = teams[number % teams.length]
    return {
      companyId: demoId(company.key),
      id: vehicleId(number),
      tenantId: demoId(team?.code ?? ''),
      uniqueId,
      name,
      protocol,
      category: 'car',
      model: models[protocol],
    }
  })
  await client.query(
    `insert into geo.device ("companyId", "id", "tenantId", "uniqueId", "name", "protocol", "category", "model")
    select "companyId", "id", "tenantId", "uniqueId", "name", "protocol", "category", "model" from json_populate_recordset(null::geo.device, $1::json)`,
    [JSON.stringify(rows)],
  )
}

const models = { teltonika: 'FMB920', gt06: 'GT06N', h02: 'ST-901', osmand: 'Traccar Client' } as const
