import type pg from 'pg'
import { vehicleOf } from '../../scripts/simulate/vehicle.ts'
import { demoId } from './random.ts'
import { insertRows } from './rows.ts'
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
  await insertAssets(client, company, rows)
}

const makes = ['Toyota', 'Isuzu', 'Nissan', 'Mazda'] as const
const icons = ['car', 'truck', 'van', 'car', 'motorbike', 'bus'] as const
/** The last two vehicles are on no asset yet: their trackers wait to be adopted. */
const unlinked = 2

/** An asset for each vehicle but the last, in two categories, with the tracker that is on it since yesterday. */
async function insertAssets(
  client: pg.ClientBase,
  company: DemoCompany,
  devices: readonly { companyId: string; id: string; tenantId: string; name: string }[],
): Promise<void> {
  const companyId = demoId(company.key)
  const categories = ['Pool cars', 'Collateral'].map((name) => ({ companyId, id: demoId(`asset category ${name}`), name }))
  await insertRows(client, 'asset_category', categories)
  const mounted = devices.slice(0, devices.length - unlinked)
  const takeLoan = await lateLoans(client, companyId)
  await insertRows(
    client,
    'asset',
    mounted.map(({ tenantId, name }, number) => ({
      ...(number % 2 === 1 ? secured(takeLoan(tenantId), number === 1) : secured()),
      companyId,
      id: demoId('asset', number),
      tenantId,
      registrationNumber: name.toUpperCase(),
      make: makes[number % makes.length],
      mapIcon: icons[number % icons.length],
      colour: number % 2 === 0 ? 'White' : 'Silver',
      year: 2016 + (number % 8),
      categoryId: categories[number % 2]?.id,
    })),
  )
  await client.query(
    `insert into geo.device_asset ("companyId", "deviceId", "assetId", "since")
    select "companyId", "deviceId", "assetId", now() - interval '2 days' from json_populate_recordset(null::geo.device_asset, $1::json)`,
    [JSON.stringify(mounted.map(({ id }, number) => ({ companyId, deviceId: id, assetId: demoId('asset', number) })))],
  )
}

/** What a vehicle secures: a loan of another person than its owner, or those of its client. */
const secured = (loan?: LateLoan, isAnothers = false) => ({
  clientId: isAnothers ? null : (loan?.clientId ?? null),
  loanId: isAnothers ? (loan?.id ?? null) : null,
})

interface LateLoan {
  id: string
  clientId: string
  tenantId: string
}

/** Takes a loan for a vehicle to secure, each once: the one of its team that is late the longest, else of another team. */
async function lateLoans(client: pg.ClientBase, companyId: string): Promise<(tenantId: string) => LateLoan | undefined> {
  const { rows } = await client.query<LateLoan>(
    `select "id", "clientId", "tenantId" from loan where "companyId" = $1 and "status" = 'Active' order by "unpaidSince" nulls last, "number"`,
    [companyId],
  )
  return (tenantId) => {
    const own = rows.findIndex((loan) => loan.tenantId === tenantId)
    return rows.splice(Math.max(0, own), 1)[0]
  }
}

const models = { teltonika: 'FMB920', gt06: 'GT06N', h02: 'ST-901', osmand: 'Traccar Client' } as const
