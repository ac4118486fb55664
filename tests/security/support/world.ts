import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Writable } from 'node:stream'
import { createLog } from '@outpost/platform/log'
import { systemRoles, type SystemRoleKey } from '@outpost/contract/roles'
import type { Route } from '../../../apps/server/src/kernel/types.ts'
import { testApp, type Client, type SignedInClient, type TestApp } from '../../support/app.ts'
import type { MadeLead, MadeRole, MadeTenant, MadeUser } from '../../support/make.ts'
import { fillTables, tablesOf, type Filled } from './fill.ts'

export interface Side { company: MadeTenant, branch: MadeTenant, sibling: MadeTenant, team: MadeTenant, /** A branch with nothing in it. */ spare: MadeTenant, /** Leads of the branch for what uses a lead up; the last one is deleted. */ spareLeads: [MadeLead, MadeLead, MadeLead], role: MadeRole, users: Record<string, MadeUser> }

/** Two companies with every role; the second and the first's other branch are full of canaries. */
export interface SecurityWorld {
  app: TestApp
  routes: Route[]
  a: Side
  b: Side
  /** Ids of the canary rows of company B, and of A's other branch. */
  inB: Filled
  inSibling: Filled
  /** Everything the server has logged. */
  logged(): string
  close(): Promise<void>
}

export const companyMark = 'ZZB'
export const siblingMark = 'ZZS'
/** Roles of a company; the global administrator stands in the group. */
export const companyRoles = systemRoles.map(({ key }) => key).filter((key) => key !== 'global')

export async function securityWorld(): Promise<SecurityWorld> {
  const lines: string[] = []
  const log = createLog({ level: 'info', destination: new Writable({ write: (chunk: Buffer, _, done) => { lines.push(chunk.toString()); done() } }) })
  const upstream = await fakeGeo()
  const app = await testApp({ log, env: { GEO_URL: upstream.url } })
  const [a, b] = [await makeSide(app, 'Alpha'), await makeSide(app, companyMark)]
  const { admin } = app.database
  const scoped = new Set(await tablesOf(admin, 'scope_wall'))
  const inB = await fillTables(admin, { mark: companyMark, company: b.company, tenant: b.branch, userId: b.users['admin']?.id ?? '' })
  await admin.query('update lead_merge set "loserId" = $2 where "companyId" = $1', [b.company.id, b.spareLeads[2].id])
  const inSibling = await fillTables(admin, { mark: siblingMark, company: a.company, tenant: a.sibling, userId: a.users['regional']?.id ?? '' }, (table) => scoped.has(table))
  const routes = app.areas.flatMap((area) => area.routes)
  return { app, routes, a, b, inB, inSibling, logged: () => lines.join(''),
    close: async () => {
      await app.close()
      await upstream.close()
    },
  }
}

/** A geo service that answers everything with an empty object. */
async function fakeGeo(): Promise<{ url: string, close(): Promise<void> }> {
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end('{}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: async () => { server.close(); server.closeAllConnections(); await once(server, 'close') } }
}

async function makeSide({ make }: TestApp, mark: string): Promise<Side> {
  const company = await make.company({ group: await make.group({ name: `${mark}-group` }), name: `${mark}-company` })
  const [branch, sibling] = [await make.tenant({ company, name: `${mark}-branch` }), await make.tenant({ company, name: `${mark}-sibling` })]
  const team = await make.tenant({ parent: branch, name: `${mark}-team` })
  const users: Record<string, MadeUser> = {}
  const everywhere = new Set<SystemRoleKey>(['admin', 'company-admin', 'md'])
  for (const role of companyRoles) users[role] = await make.user({ role, tenant: everywhere.has(role) ? company : branch, firstName: mark, lastName: `${mark}-user` })
  // The other branch has its own people, whose names are canaries too.
  users['siblingManager'] = await make.user({ role: 'branch', tenant: sibling, firstName: mark, lastName: `${mark}-there` })
  const role = await make.role({ company, name: `${mark} no rights` })
  users['nobody'] = await make.user({ roles: [role], tenant: branch })
  const spare = await make.tenant({ company, name: `${mark}-spare` })
  const spareLead = (over: object = {}) => make.lead({ tenant: branch, lastName: `${mark}-spare`, status: 'Approved', ...over })
  return { company, branch, sibling, team, spare, spareLeads: [await spareLead(), await spareLead(), await spareLead({ deletedAt: new Date() })], role, users }
}

export const userOf = (side: Side, key: string): MadeUser => side.users[key] ?? (() => { throw new Error(`there is no ${key}`) })()
export const clientOf = (world: SecurityWorld, side: Side, key: string): Promise<SignedInClient> => world.app.as(userOf(side, key))
export type AnyClient = Client
