import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authArea } from '../../../apps/server/src/areas/auth/index.ts'
import { geoArea } from '../../../apps/server/src/areas/geo/index.ts'
import { createGeoClient, type GeoClient } from '../../../apps/server/src/kernel/geo-client/client.ts'
import { testApp, type SignedInClient, type TestApp } from '../../support/app.ts'
import type { Area } from '../../../apps/server/src/kernel/types.ts'
import type { Machine } from '../../../apps/server/src/machine.ts'
import type { MadeTenant } from '../../support/make.ts'
import { freePort } from '../../support/port.ts'
import { killServers, startServer } from '../../support/process.ts'
import { makeDevice } from './devices.ts'

export interface LiveStack {
  app: TestApp
  /** Address of the server. */
  url: string
  client: GeoClient
  company: MadeTenant
  north: MadeTenant
  south: MadeTenant
  /** Of the whole company; of the branch north; without a right to places; of another company. */
  people: { admin: SignedInClient; local: SignedInClient; clerk: SignedInClient; foreign: SignedInClient }
  /** A registered tracker of a branch, and the port it reports to. */
  vehicle(tenant: MadeTenant): Promise<{ companyId: string; deviceId: string; uniqueId: string; port: number }>
  close(): Promise<void>
}

interface LiveOptions {
  env?: Record<string, string>
  /** Of the company; a test that needs the night takes a zone where it is night. */
  timeZone?: string | undefined
  /** The areas of the server, with the client of the geo service. */
  choose?: (machine: Machine, client: GeoClient) => Area[]
}

let imei = 358_000_000_000_000

/** The server in this process, the geo service in another; between them are Postgres and what the relay makes of it. */
export async function liveStack({
  env = {},
  timeZone,
  choose = (machine, geo) => [authArea(machine), geoArea(machine, geo)],
}: LiveOptions = {}): Promise<LiveStack> {
  const dataDir = await mkdtemp(join(tmpdir(), 'outpost-live-'))
  const { promise: ready, resolve: begin } = Promise.withResolvers<GeoClient>()
  const link: { client?: GeoClient } = {}
  const later: GeoClient = {
    call: async (ctx, call) => (await ready).call(ctx, call),
    get upstream() {
      return link.client!.upstream
    },
    close: async () => undefined,
  }
  // Reports go there by its address, so it has one before it runs.
  const geoPort = await freePort()
  const app = await testApp({
    isRelayShared: true,
    env: { GEO_URL: `http://127.0.0.1:${geoPort}`, ...env },
    areas: (machine) => choose(machine, later),
  })
  const url = await app.listen()
  const geo = await startServer({
    app: 'geo',
    database: app.database,
    dataDir,
    // Load is no fault here, as in testApp.
    env: { PORT: String(geoPort), DEVICE_PORTS: 'teltonika:0', DEVICE_HOST: '127.0.0.1', PRESSURE_LAG: '0', DATABASE_PATIENCE: '30' },
  })
  const client = createGeoClient({ url: geo.url })
  link.client = client
  begin(client)
  const port = (geo.ready as { ports: { transport: string; port: number }[] }).ports.find(({ transport }) => transport === 'tcp')?.port ?? 0
  return {
    app,
    url,
    client,
    ...(await peopleOf(app, timeZone)),
    close: async () => {
      await client.close()
      await killServers()
      await app.close()
      await rm(dataDir, { recursive: true, force: true })
    },
    async vehicle(tenant) {
      const device = await makeDevice(app.database.admin, { companyId: tenant.companyId, uniqueId: String((imei += 1)) })
      await app.database.admin.query('update geo.device set "tenantId" = $2 where "id" = $1', [device.deviceId, tenant.id])
      return { ...device, port }
    },
  }
}

async function peopleOf(app: TestApp, timeZone: string | undefined): Promise<Pick<LiveStack, 'company' | 'north' | 'south' | 'people'>> {
  const { make } = app
  const user = async (company: MadeTenant, tenant: MadeTenant, permissions: string[]) =>
    app.as(
      await make.user({
        company,
        tenant,
        firstName: 'Dina',
        lastName: 'Dispatcher',
        role: await make.role({ company, name: randomUUID(), permissions }),
      }),
      { tenant },
    )
  const [company, stranger] = [await make.company(timeZone === undefined ? {} : { timeZone }), await make.company()]
  const [north, south] = [await make.tenant({ company }), await make.tenant({ company })]
  const mayFollow = ['SALES/AGENT/POSITION']
  const people = {
    admin: await user(company, company, mayFollow),
    local: await user(company, north, mayFollow),
    clerk: await user(company, company, ['ADMIN/SETTINGS']),
    foreign: await user(stranger, stranger, mayFollow),
  }
  return { company, north, south, people }
}
