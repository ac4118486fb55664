import { afterAll, beforeAll, expect, it } from 'vitest'
import { permissionHierarchies } from '@outpost/contract/permissions'
import type { AnyResource, Route } from '../../apps/server/src/kernel/types.ts'
import type { Answer, SignedInClient } from '../support/app.ts'
import { targetSibling, type Hole } from './support/probe.ts'
import { goodInputFor, inputFor, send } from './support/requests.ts'
import type { Target } from './support/target.ts'
import { securityWorld, userOf, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
/** Every permission there is, in one branch alone; and somebody who works for the whole company. */
let inBranch: SignedInClient, whole: SignedInClient
beforeAll(async () => {
  world = await securityWorld()
  const { app, a } = world
  const role = await app.make.role({ company: a.company, name: 'Everything here', permissions: permissionHierarchies })
  inBranch = await app.as(await app.make.user({ company: a.company, tenant: a.branch, roles: [role] }))
  whole = await app.as(userOf(a, 'company-admin'))
})
afterAll(() => world.close())

const resourceOf = ({ operation }: Route): AnyResource | undefined =>
  'resource' in operation ? (operation.resource as AnyResource | undefined) : undefined
const isGood = ({ status }: Answer) => status >= 200 && status < 300
/** Users and tenants are judged record by record, see their own tests; what is filed under a tenant has its wall. */
const judged = (resource: AnyResource | undefined) => resource !== undefined && !resource.isScoped && resource.writtenBy !== 'prepared'
const writes = () =>
  world.routes.filter(
    (route) => ['create', 'update', 'remove', 'restore', 'setField'].includes(route.operation.kind) && judged(resourceOf(route)),
  )

/** Made, but as the branch's own. */
async function isFiledHere(route: Route, { body }: Answer): Promise<boolean> {
  const { rows } = await world.app.database.admin.query<Record<string, unknown>>(
    `select * from "${resourceOf(route)!.table}" where id = $1`,
    [idsIn(body.data)[0]],
  )
  const named = [resourceOf(route)!.writtenBy].flat()
  return named.some((column) => rows[0]?.[column ?? ''] === world.a.branch.id)
}

/** Ids that an answer gives, wherever they are. */
const idsIn = (value: unknown): string[] =>
  typeof value !== 'object' || value === null
    ? []
    : Object.entries(value).flatMap(([key, part]) => (key === 'Id' ? [String(part)] : idsIn(part)))

/** The company's own record of a company-wide resource, made by somebody who may. */
async function companysOwn(route: Route, target: Target): Promise<string> {
  const made = await send(whole, route, { ...goodInputFor(route, target), Id: undefined })
  expect([route.name, made.status, made.text]).toEqual([route.name, 200, made.text])
  return idsIn(made.body.data)[0] ?? ''
}

it('what belongs to the whole company is not written out of a branch, whatever the permissions', async () => {
  const holes: Hole[] = []
  const target = targetSibling(world)
  const creating = writes().filter(({ operation }) => operation.kind === 'create')
  for (const route of creating) {
    const id = await companysOwn(route, target)
    const before = (await world.app.database.admin.query(`select * from "${resourceOf(route)!.table}" where id = $1`, [id])).rows
    expect(before).toHaveLength(1)
    const made = await send(inBranch, route, { ...goodInputFor(route, target), Id: undefined })
    if (isGood(made) && !(await isFiledHere(route, made))) holes.push({ route: route.name, probe: 'create', why: `status ${made.status}` })
    for (const other of writes().filter((one) => resourceOf(one) === resourceOf(route) && one.operation.kind !== 'create')) {
      const answer = await send(inBranch, other, {
        ...goodInputFor(other, target),
        id,
        ...('ids' in inputFor(other, target) ? { ids: [id], id: undefined } : {}),
      })
      if (isGood(answer)) holes.push({ route: other.name, probe: other.operation.kind, why: `status ${answer.status}` })
    }
    expect(
      (await world.app.database.admin.query(`select * from "${resourceOf(route)!.table}" where id = $1`, [id])).rows,
      route.name,
    ).toEqual(before)
  }
  expect(holes).toEqual([])
  expect(creating.map(({ name }) => name).toSorted()).toEqual(
    expect.arrayContaining(['leads.createRule', 'roles.create', 'workingTime.createHoliday', 'config.createLabel']),
  )
})

it('every resource that is written says within whose reach', () => {
  const silent = world.routes
    .filter((route) => ['create', 'update', 'remove', 'restore', 'setField'].includes(route.operation.kind))
    .map(resourceOf)
    .filter((resource) => resource && !resource.isScoped && resource.writtenBy === undefined)
  expect([...new Set(silent.map((resource) => resource!.one))]).toEqual([])
})

it('no field that names a user takes one beyond the reach', async () => {
  const stranger = userOf(world.a, 'siblingManager').id
  const [holes, tried]: [Hole[], string[]] = [[], []]
  const target: Target = { ...targetSibling(world), side: world.a, tenantId: world.a.branch.id, userId: inBranch.user.id }
  for (const route of world.routes.filter(({ operation }) => operation.kind === 'create')) {
    for (const [name, { to, readOnly }] of Object.entries(resourceOf(route)?.fields ?? {})) {
      if (to !== 'user' || readOnly) continue
      const many = resourceOf(route)!.fields[name]!.kind === 'multiReference'
      const answer = await send(inBranch, route, {
        ...goodInputFor(route, target),
        Id: undefined,
        branchId: undefined,
        [name]: many ? [stranger] : stranger,
      })
      tried.push(`${route.name}.${name}`)
      if (isGood(answer)) holes.push({ route: route.name, probe: name, why: `status ${answer.status}` })
    }
  }
  expect(holes).toEqual([])
  expect(tried).toEqual(
    expect.arrayContaining(['cases.create.ownerUserId', 'teams.create.leaderUserId', 'leads.createRule.candidateUserIds']),
  )
})

it('a branch keeps its own: rules for itself, owners of its own', async () => {
  const rule = { name: 'Ours', method: 'LOAD', branchId: world.a.branch.id }
  const made = await inBranch.post<{ assignmentRule: { Id: string } }>('/api/leads/assignment-rules', rule)
  expect(made.status, made.text).toBe(200)
  const path = `/api/leads/assignment-rules/${made.body.data.assignmentRule.Id}`
  expect((await inBranch.put(path, { name: 'Still ours', candidateUserIds: [inBranch.user.id] })).status).toBe(200)
  expect((await inBranch.put(path, { branchId: world.a.sibling.id })).status).not.toBe(200)
  expect((await inBranch.put(path, { candidateTenantId: world.a.sibling.id })).status).not.toBe(200)
  const cases = world.routes.find(({ name }) => name === 'cases.create')!
  const here: Target = { ...targetSibling(world), filled: {}, side: world.a, tenantId: world.a.branch.id, userId: inBranch.user.id }
  // A canary of the fill has the number 1 already.
  await world.app.database.admin.query(
    'insert into record_counter ("companyId", "objectType", "last") values ($1, \'case\', 1000) on conflict ("companyId", "objectType") do update set "last" = 1000',
    [world.a.company.id],
  )
  const owned = await send(inBranch, cases, {
    ...goodInputFor(cases, here),
    Id: undefined,
    clientId: undefined,
    leadId: undefined,
    ownerUserId: inBranch.user.id,
  })
  expect(owned.status, owned.text).toBe(200)
})
