import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Route } from '../../apps/server/src/kernel/types.ts'
import type { Client } from '../support/app.ts'
import { demoPassword } from '../support/make.ts'
import { isPublic, isRemoval, targetB } from './support/probe.ts'
import { goodInputFor, send } from './support/requests.ts'
import { securityWorld, userOf, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
beforeAll(async () => {
  world = await securityWorld()
})
afterAll(() => world.close())

/** Removals come late, so that what they take away is there for the others; what brings back comes after them. */
function rank(route: Route): number {
  const { operation, name } = route
  if (/restore|undelete/i.test(name)) return 3
  // It takes away only the file that was put there for it.
  if (operation.kind === 'detach') return 0
  // A link goes with either end of it.
  if (name === 'geo.permissions.remove' || name === 'views.leave') return 1
  // What has moved on may be changed no more.
  if (/\.move/.test(name)) return 1.5
  if (isRemoval(route)) return 2
  return ['list', 'get', 'history', 'files', 'download', 'query'].includes(operation.kind) ? 0 : 1
}

/** A session each, for some operations end the one they are made in; two are for impersonators only. */
async function clientFor({ name }: Route): Promise<Client> {
  const { app, b } = world
  // Who assessed does not approve: credit is decided by another person.
  if (name === 'leads.approveReferral') return app.as(userOf(b, 'branch'))
  const admin = await app.as(userOf(b, 'admin'), { tenant: b.company })
  if (name !== 'auth.endImpersonation' && name !== 'auth.logImpersonation') return admin
  const { body } = await admin.post<{ token: string }>('/api/auth/impersonate', {
    userName: userOf(b, 'officer').userName,
    reason: 'checking a report',
  })
  return app.client({ authorization: `Bearer ${body.data.token}` })
}

/** A file of a record needs its bytes: its own call puts one there first. */
async function inputOf(route: Route): Promise<Record<string, unknown>> {
  const input = goodInputFor(route, targetB(world))
  const { operation } = route
  if (/^auth\..*(?:SecondFactor|RecoveryCodes)$/.test(route.name)) return factorInput(route, input)
  const state = importStates[route.name]
  if (state)
    await world.app.database.admin.query('update import_run set "status" = $1, "isTrial" = true where id = $2', [state, input['id']])
  if (rank(route) === 2) return spareInput(input)
  if (operation.kind !== 'download' && operation.kind !== 'detach') return input
  const attach = world.routes.find((one) => one.operation.kind === 'attach' && one.operation.resource === operation.resource) as Route
  const { body } = await send(await clientFor(attach), attach, { id: input['recordId'] })
  return { ...input, id: (body.data?.['files'] as { Id: string }[] | undefined)?.[0]?.Id }
}

/** What an import has to be for its next step. */
const importStates: Readonly<Record<string, string>> = {
  'clients.commitImport': 'done',
  'clients.resumeImport': 'cancelled',
  'clients.cancelImport': 'running',
}

/** How a record is made that its removal needs fresh: what the geo service keeps, and what is deleted as a draft only. */
const makers: Readonly<Record<string, string>> = {
  'geo.device': 'geo.devices.create',
  'geo.driver': 'geo.drivers.create',
  'geo.event_action': 'geo.eventActions.create',
  'geo.event_io': 'geo.eventIos.create',
  'geo.geofence': 'geo.geofences.create',
  'geo.saved_command': 'geo.commands.create',
  // One that is withdrawn is not deleted.
  insurance_offer: 'insurance.create',
  // One that owes something stays.
  client: 'clients.save',
  // One that was filled in stays, as does what other records name.
  web_form: 'webForms.create',
  role: 'roles.create',
  activity_status: 'activityStatuses.create',
}

/** Three doors lead to what the geo service keeps, and it has no way back: each of these removals gets a record of its own. */
async function spareInput(input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const table = Object.keys(makers).find((key) => world.inB[key] === input['id'])
  const make = world.routes.find(({ name }) => table !== undefined && name === makers[table])
  if (!make) return input
  const { body, text } = await send(await clientFor(make), make, goodInputFor(make, targetB(world)))
  const [record] = Object.values(body.data ?? {}) as { id?: string; Id?: string }[]
  const id = record?.id ?? record?.Id
  expect(id, text).toBeDefined()
  return { ...input, id }
}

/** A code is of the authenticator that the person has set up before. */
async function factorInput({ name }: Route, input: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { app, b } = world
  const admin = userOf(b, 'admin')
  await app.database.admin.query('delete from second_factor where "userId" = $1', [admin.id])
  if (name === 'auth.secondFactor' || name === 'auth.startSecondFactor') return input
  const client = await app.as(admin, { tenant: b.company })
  const { body } = await client.post<{ secret: string }>('/api/auth/second-factor', { password: demoPassword })
  const codeOf = (turns: number) =>
    new TOTP({ secret: Secret.fromBase32(body.data.secret) }).generate({ timestamp: app.clock.now() + turns * 30_000 })
  if (name === 'auth.confirmSecondFactor') return { code: codeOf(0) }
  await client.post('/api/auth/second-factor/confirm', { code: codeOf(0) })
  return { password: demoPassword, code: codeOf(1) }
}

it('lets the right person through at least 98 % of the operations: the probes are not empty', async () => {
  const refused: string[] = []
  const routes = world.routes.filter((route) => !isPublic(route)).toSorted((x, y) => rank(x) - rank(y))
  for (const route of routes) {
    const { status, text } = await send(await clientFor(route), route, await inputOf(route))
    if (status >= 300) refused.push(`${route.name} ${status} ${text.slice(0, 220)}`)
  }
  // A stored file needs its bytes, a finished report cannot be cancelled: tested where they live.
  expect(1 - refused.length / routes.length, refused.join('\n')).toBeGreaterThanOrEqual(0.98)
}, 300_000)
