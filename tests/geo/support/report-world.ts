import { randomUUID } from 'node:crypto'
import { geoReportCalls, type GeoReportName } from '@outpost/contract/geo/reports'
import { dayOf } from '@outpost/rules/time-zone'
import type { GeoReportTicket, GeoRow } from '../../../apps/server/src/kernel/geo-client/report-stream.ts'
import type { SignedInClient } from '../../support/app.ts'
import type { MadeTenant } from '../../support/make.ts'
import { geoStack, type GeoStack } from './stack.ts'

export const zone = 'Africa/Nairobi'
export const hour = 3_600_000
/** A moment of the company's calendar some days ago, at an hour of its clock. */
export const at = (daysAgo: number, clock: number) =>
  Date.parse(`${dayOf(Date.now() - daysAgo * 24 * hour, zone)}T00:00:00+03:00`) + clock * hour
export const day = (daysAgo: number) => dayOf(at(daysAgo, 12), zone)

export interface Who {
  tenant?: MadeTenant
  scope?: '*' | string[]
  permissions?: string[]
}

/** A company with its administrator, before the reports of the geo service. */
export interface ReportWorld {
  stack: GeoStack
  company: MadeTenant
  admin: SignedInClient
  sent: <Row extends object = { id: string }>(text: string, values: unknown[]) => Promise<Row[]>
  makeDevice: (name: string, of?: MadeTenant, tenant?: MadeTenant) => Promise<string>
  ticket: (name: GeoReportName, query: Record<string, string | undefined>, who?: Who) => GeoReportTicket
}

export async function makeReportWorld(): Promise<ReportWorld> {
  const stack = await geoStack()
  const company = await stack.app.make.company()
  const admin = await stack.app.as(await stack.app.make.user({ company, role: 'admin' }))
  const sent = async <Row extends object = { id: string }>(text: string, values: unknown[]) =>
    (await stack.app.database.admin.query<Row>(text, values)).rows
  return {
    stack,
    company,
    admin,
    sent,
    makeDevice: async (name, of = company, tenant = of) => {
      const [row] = await sent(
        `insert into geo.device ("companyId", "tenantId", "uniqueId", "name") values ($1, $2, $3, $4) returning "id"`,
        [of.id, tenant.id, randomUUID(), name],
      )
      return row!.id
    },
    ticket: (name, query, { tenant = company, scope = '*', permissions = ['SALES/AGENT/POSITION'] } = {}) => {
      const url = new URL(`${stack.url}${geoReportCalls[name].path}`)
      for (const [key, value] of Object.entries({ from: day(3), to: day(0), ...query }))
        if (value !== undefined) url.searchParams.set(key, value)
      const claims = { sub: admin.user.id, act: admin.user.id, cid: tenant.id, tid: tenant.id, scope, tz: zone, permissions }
      return { url: url.href, token: stack.app.services.tokens.signService('outpost-geo', claims, 60), requestId: randomUUID() }
    },
  }
}

export async function readAll(rows: AsyncIterable<GeoRow>): Promise<GeoRow[]> {
  const all: GeoRow[] = []
  for await (const row of rows) all.push(row)
  return all
}
