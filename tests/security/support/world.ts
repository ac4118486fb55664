import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { createGeoPools, type GeoPools } from '@outpost/platform/db/pool'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import { createCounters } from '@outpost/platform/http/counters'
import { createHttp } from '@outpost/platform/http/create'
import { createLog, type Log } from '@outpost/platform/log'
import { systemRoles, type SystemRoleKey } from '@outpost/contract/roles'
import { addApi } from '../../../apps/geo/src/calls.ts'
import { createPlaceNames } from '../../../apps/geo/src/api/places.ts'
import type { Route } from '../../../apps/server/src/kernel/types.ts'
import { testApp, type Client, type SignedInClient, type TestApp } from '../../support/app.ts'
import type { TestDatabase } from '../../support/db.ts'
import type { Make, MadeLead, MadeRole, MadeTenant, MadeUser } from '../../support/make.ts'
import { loanTermsOf, fillTables, tablesOf, type Filled } from './fill.ts'

export interface Side {
  company: MadeTenant
  branch: MadeTenant
  sibling: MadeTenant
  team: MadeTenant
  /** A branch with nothing in it. */ spare: MadeTenant
  /** Leads of the branch for what uses a lead up; the third one is deleted. */ spareLeads: [MadeLead, MadeLead, MadeLead, MadeLead]
  /** Clients of the branch, to be merged into another one; the second is deleted. */ spareClients: [{ id: string }, { id: string }]
  /** A pipeline that nothing passes. */ sparePipeline: string
  /** Roles that nobody has. */ spareRoles: string[]
  /** A product with a version in force, in its category, and a draft of the next one. */ product: MadeProduct
  /** Drafts for the moves that end one. */ spareApplications: [string, string]
  /** A loan that waits for its payout, to be cancelled. */ spareLoan: string
  /** Loans whose payout nobody has asked for. */ unpaidLoans: string[]
  /** Running loans with an instalment ahead, of which no restructure is asked for. */ runningLoans: string[]
  /** A valid key of its API user. */ apiKey: string
  role: MadeRole
  users: Record<string, MadeUser>
}

/** Ids of a product and what belongs to it. */
export interface MadeProduct {
  id: string
  categoryId: string
  versionId: string
  draftId: string
}

/** Two companies with every role; the second and the first's other branch are full of canaries. */
export interface SecurityWorld {
  app: TestApp
  /** What the geo service reads and writes with. */
  geoPool: GeoPools['geo']
  routes: Route[]
  /** What the generated probes call: every route, or those of the area that `npm test -- <area>` names. */
  probed: Route[]
  a: Side
  b: Side
  /** Ids of the canary rows of company B, and of A's other branch. */
  inB: Filled
  inSibling: Filled
  /** Everything the server has logged. */
  logged(): string
  close(): Promise<void>
}

/** The area whose routes alone are probed in this run. */
export const probedArea = process.env.TEST_AREA

export const companyMark = 'ZZB'
export const siblingMark = 'ZZS'
export const groupMark = 'ZZG'
/** Roles of a company; the global administrator belongs to the group. */
export const companyRoles = systemRoles.map(({ key }) => key).filter((key) => key !== 'global')

export async function securityWorld(): Promise<SecurityWorld> {
  const lines: string[] = []
  const log = createLog({
    level: 'info',
    destination: new Writable({
      write: (chunk: Buffer, _, done) => {
        lines.push(chunk.toString())
        done()
      },
    }),
  })
  const geo = await geoService(log)
  const app = await testApp({ log, env: { GEO_URL: geo.url } })
  const geoPool = await geo.open(app.database)
  const [a, b] = [await makeSide(app, 'Alpha'), await makeSide(app, companyMark)]
  const { admin } = app.database
  const scoped = new Set(await tablesOf(admin, 'scope_wall'))
  const inB = await fillTables(admin, { mark: companyMark, company: b.company, tenant: b.branch, userId: b.users['admin']?.id ?? '' })
  Object.assign(inB, { api_user: userOf(b, 'apiUser').id, api_key: b.apiKey })
  await admin.query('update lead_merge set "loserId" = $2 where "companyId" = $1', [b.company.id, b.spareLeads[2].id])
  await admin.query('update client_merge set "winnerId" = $2, "loserId" = $3 where "companyId" = $1', [
    b.company.id,
    inB['client'],
    b.spareClients[1].id,
  ])
  // The work that was done is of the plan of that vehicle.
  await admin.query('update maintenance_plan set "assetId" = $2 where id = $1', [inB['maintenance_plan'], inB['asset']])
  await admin.query('update maintenance_entry set "planId" = $2, "assetId" = $3 where id = $1', [
    inB['maintenance_entry'],
    inB['maintenance_plan'],
    inB['asset'],
  ])
  // The branch works in the hours that it has.
  await admin.query('update working_hours set "calendarId" = $2 where id = $1', [inB['working_hours'], inB['working_calendar']])
  // Where a company has limits of approval, its administrators lend by one too.
  await admin.query(
    `insert into approval_limit ("companyId", "id", "roleId", "amount") select "companyId", gen_random_uuid(), "roleId", 999999999999 from user_role where "userId" = any($1)`,
    [[a, b].map((side) => userOf(side, 'admin').id)],
  )
  // Somebody who has not chosen a password yet.
  await admin.query(`update app_user set "invitation" = 'sent', "invitedAt" = now() where id = any($1)`, [
    [a, b].map((side) => userOf(side, 'product').id),
  ])
  // And people with a picture, one on each side of the wall.
  for (const side of [a, b]) await (await app.as(userOf(side, 'officer'))).upload('/api/users/picture')
  const inSibling = await fillTables(
    admin,
    { mark: siblingMark, company: a.company, tenant: a.sibling, userId: a.users['regional']?.id ?? '' },
    (table) => scoped.has(table),
  )
  const routes = app.areas.flatMap((area) => area.routes)
  const probed = probedArea === undefined ? routes : app.areas.filter(({ name }) => name === probedArea).flatMap((area) => area.routes)
  return {
    app,
    geoPool,
    routes,
    probed,
    a,
    b,
    inB,
    inSibling,
    logged: () => lines.join(''),
    close: async () => {
      await geo.close()
      await app.close()
    },
  }
}

/** The geo service's own API over the same database, under an address that is known before there is one. */
async function geoService(
  log: Log,
): Promise<{ url: string; open(database: TestDatabase): Promise<GeoPools['geo']>; close(): Promise<void> }> {
  const counters = createCounters({ log })
  const api = await createHttp({ log, counters, health: { checks: [], isOpen: () => true }, perAddress: 0, pressureLagMs: 0 })
  const server = createServer((request, response) => api.routing(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const opened: GeoPools[] = []
  return {
    url: `http://127.0.0.1:${port}`,
    open: async ({ url, secret }) => {
      const pools = createGeoPools({ url, secret, log, size: 4 })
      opened.push(pools)
      await addApi(api, {
        pool: pools.geo,
        keys: geoKeysOf({ secret }),
        log,
        services: { ...createPlaceNames(), commandQueued: () => undefined },
      })
      await api.ready()
      return pools.geo
    },
    close: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
      await api.close()
      await Promise.all([counters.close(), ...opened.map((pools) => pools.close())])
    },
  }
}

async function makeSide({ make }: TestApp, mark: string): Promise<Side> {
  const group = await make.group({ name: `${mark}-group` })
  const company = await make.company({ group, name: `${mark}-company` })
  const [branch, sibling] = [
    await make.tenant({ company, name: `${mark}-branch` }),
    await make.tenant({ company, name: `${mark}-sibling` }),
  ]
  const team = await make.tenant({ parent: branch, name: `${mark}-team` })
  const users: Record<string, MadeUser> = {}
  const everywhere = new Set<SystemRoleKey>(['admin', 'company-admin', 'md'])
  for (const role of companyRoles)
    users[role] = await make.user({ role, tenant: everywhere.has(role) ? company : branch, firstName: mark, lastName: `${mark}-user` })
  // The other branch has its own people, whose names are canaries too.
  users['siblingManager'] = await make.user({ role: 'branch', tenant: sibling, firstName: mark, lastName: `${mark}-there` })
  // Staff of the group, who work in the company without being of it.
  users['group'] = await make.user({ role: 'global', tenant: group, firstName: groupMark, lastName: `${mark}-staff` })
  const role = await make.role({ company, name: `${mark} no rights` })
  users['nobody'] = await make.user({ roles: [role], tenant: branch })
  users['apiUser'] = await make.user({ roles: [], tenant: branch, firstName: `${mark}-system`, isProgram: true, password: null })
  const spare = await make.tenant({ company, name: `${mark}-spare` })
  const spareLead = (over: object = {}) =>
    make.lead({
      tenant: branch,
      lastName: `${mark}-spare`,
      status: 'Approved',
      consentStatus: 'GRANTED',
      affordabilityOutcome: 'PASS',
      affordabilityDate: new Date(),
      ...over,
    })
  const borrower = await make.client({ tenant: branch, phonenumber: '+254712345679', trimmedPhonenumber: '254712345679' })
  const spareLoan = async (number: number, over: object = {}) =>
    (
      await make.row<{ id: string }>('loan', {
        companyId: company.id,
        id: randomUUID(),
        tenantId: branch.id,
        number,
        clientId: borrower.id,
        terms: loanTermsOf('KES'),
        principal: 1_000,
        owedAtPayout: 1_000,
        paidOut: 1_000,
        instalment: 100,
        instalments: 12,
        createdByUserId: randomUUID(),
        ...over,
      })
    ).id
  const runningLoan = async (number: number) => {
    const loanId = await spareLoan(number, { status: 'Active', disbursedOn: '2026-01-01', unpaidSince: '2099-12-31', principalOwed: 1_000 })
    await make.row('loan_instalment', {
      companyId: company.id,
      loanId,
      number: 1,
      dueOn: '2099-12-31',
      principal: 1_000,
      interest: 20,
      fee: 0,
      insurance: 0,
      balance: 0,
      dueSoFar: 1_020,
    })
    return loanId
  }
  const product = await makeProduct(make, { companyId: company.id, mark })
  const spareApplication = async (number: number) =>
    (
      await make.row<{ id: string }>('loan_application', {
        companyId: company.id,
        id: randomUUID(),
        tenantId: branch.id,
        number,
        clientId: borrower.id,
        productId: product.id,
        productVersionId: product.versionId,
        amount: 1_000,
        instalments: 12,
        instalment: 100,
        paidOut: 1_000,
        totalPaid: 1_200,
        totalCost: 200,
        quote: '{"rows":[]}',
        quotedAt: new Date(),
        createdByUserId: randomUUID(),
      })
    ).id
  const { id: sparePipeline } = await make.row<{ id: string }>('pipeline', {
    companyId: company.id,
    id: randomUUID(),
    tenantId: branch.id,
    entity: 'case',
    name: `${mark}-pipeline`,
  })
  const { id: apiKey } = await make.row<{ id: string }>('api_key', {
    companyId: company.id,
    id: randomUUID(),
    userId: users['apiUser'].id,
    name: `${mark}-key`,
    prefix: 'ABCDEFGH',
    keyHash: randomBytes(32),
    createdByUserId: users['admin']?.id,
    expiresAt: new Date(Date.now() + 86_400_000),
  })
  return {
    company,
    branch,
    sibling,
    team,
    spare,
    spareLeads: [await spareLead(), await spareLead(), await spareLead({ deletedAt: new Date() }), await spareLead()],
    spareClients: [await make.client({ tenant: branch }), await make.client({ tenant: branch, deletedAt: new Date() })],
    sparePipeline,
    spareRoles: await Promise.all(
      Array.from({ length: 20 }, async (_, index) => (await make.role({ company, name: `${mark} spare ${index}` })).id),
    ),
    product,
    spareApplications: [await spareApplication(1_000_001), await spareApplication(1_000_002)],
    spareLoan: await spareLoan(1_001),
    unpaidLoans: await Promise.all(Array.from({ length: 12 }, (_, index) => spareLoan(1_002 + index))),
    runningLoans: await Promise.all(Array.from({ length: 12 }, (_, index) => runningLoan(1_102 + index))),
    apiKey,
    role,
    users,
  }
}

async function makeProduct({ row }: Make, { companyId, mark }: { companyId: string; mark: string }): Promise<MadeProduct> {
  const own = () => ({ companyId, id: randomUUID() })
  const { id: categoryId } = await row<{ id: string }>('product_category', { ...own(), name: `${mark}-category` })
  const { id: productId } = await row<{ id: string }>('product', { ...own(), categoryId, code: `${mark}-code`, name: `${mark}-product` })
  const version = async (number: number, state: string) =>
    (
      await row<{ id: string }>('product_version', {
        ...own(),
        productId,
        number,
        state,
        annualRate: 24,
        minAmount: 100,
        maxAmount: 10_000,
        minInstalments: 1,
        maxInstalments: 12,
        effectiveFrom: '2026-01-01',
      })
    ).id
  return { id: productId, categoryId, versionId: await version(1, 'Published'), draftId: await version(2, 'Draft') }
}

export const userOf = (side: Side, key: string): MadeUser =>
  side.users[key] ??
  (() => {
    throw new Error(`there is no ${key}`)
  })()
export const clientOf = (world: SecurityWorld, side: Side, key: string): Promise<SignedInClient> => world.app.as(userOf(side, key))
export type AnyClient = Client
