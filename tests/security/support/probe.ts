import type { Route } from '../../../apps/server/src/kernel/types.ts'
import type { Answer } from '../../support/app.ts'
import { fingerprint } from './fill.ts'
import { seenWithoutCompany } from './schema-rules.ts'
import { goodInputFor, inputFor, send } from './requests.ts'
import type { Target } from './target.ts'
import { companyMark, groupMark, siblingMark, userOf, type AnyClient, type SecurityWorld } from './world.ts'

/** One probe that found a hole. */
export interface Hole {
  route: string
  probe: string
  why: string
}

export const isPublic = (route: Route) => route.access.kind === 'public'
/** These end the session or the rights of who calls them, so that the calls after them would say nothing. */
export const endsSession: readonly string[] = [
  'auth.logout',
  'auth.endSessions',
  'auth.impersonate',
  'auth.selectTenant',
  'users.changePassword',
]
/** What it removes is not there for the calls after it. */
export const isRemoval = ({ name, method }: Route) => /remove|delete|\.drop/i.test(name) || method === 'DELETE'
/** A record of these kinds is named by its id: a good answer to a stranger's id is a hole by itself. */
const namesOneRecord = new Set(['get', 'history', 'update', 'remove', 'setField', 'files', 'attach', 'download', 'detach'])

/** Company B's records as the target of a probe. */
export const targetB = ({ b, inB }: SecurityWorld): Target => ({
  side: b,
  filled: inB,
  userId: userOf(b, 'officer').id,
  tenantId: b.branch.id,
})
/** People and places of the caller's own company. */
export const targetOwn = ({ a }: SecurityWorld): Target => ({ side: a, filled: {}, userId: userOf(a, 'officer').id, tenantId: a.branch.id })
/** Records of A's other branch. */
export const targetSibling = ({ a, inSibling, inB }: SecurityWorld): Target => ({
  side: { ...a, branch: a.sibling, team: a.sibling },
  filled: { ...inB, ...inSibling },
  userId: userOf(a, 'siblingManager').id,
  tenantId: a.sibling.id,
})

export interface Attack {
  probe: string
  client: AnyClient
  target: Target
  mark: string
  headers?: Record<string, string>
  /** Instead of a sample that names the target's records. */ input?: Record<string, unknown>
}

/** Sends the route one request that names the target's records; holes are canaries in the answer, a record given or changed, and errors of the server. */
export async function attack(world: SecurityWorld, route: Route, { probe, client, target, mark, headers, input }: Attack): Promise<Hole[]> {
  // What is only handed on to the geo service says nothing of its input: samples of it would be refused there.
  const isHandedOn = route.operation.kind === 'pass'
  const answer = await send(
    client,
    route,
    input ?? { ...inputFor(route, target), ...(isHandedOn ? goodInputFor(route, target) : {}) },
    headers,
  )
  const hole = (why: string): Hole => ({ route: route.name, probe, why })
  const holes: Hole[] = []
  if (holdsMark(answer.text, mark)) holes.push(hole(`the answer holds a canary: ${around(answer.text, mark)}`))
  if (answer.status >= 500 && answer.body.code !== 'NOT_CONFIGURED' && answer.body.code !== 'GEO_UNAVAILABLE')
    holes.push(hole(`status ${answer.status}`))
  const namesOne = isHandedOn ? route.path.endsWith('/:id') : namesOneRecord.has(route.operation.kind) && route.path.includes(':')
  if (isGood(answer) && namesOne) holes.push(hole(`status ${answer.status} for a record of somebody else`))
  return holes
}

/** Texts of theirs begin with the mark; within a random token the three letters occur by chance. */
const holdsMark = (text: string, mark: string) => new RegExp(`(?<![\\w-])${mark}`).test(text)

const isGood = ({ status }: Answer) => status >= 200 && status < 300
const around = (text: string, mark: string) => text.slice(Math.max(0, text.indexOf(mark) - 30), text.indexOf(mark) + 60)

/** Runs the attacks on the routes and reports as well when anything of company B, or behind the wall of A's other branch, is not as before. */
export async function attackWatched(
  world: SecurityWorld,
  routes: readonly Route[],
  { attacks, before }: { attacks: (route: Route) => readonly Attack[]; before: Looks },
): Promise<{ holes: Hole[]; after: Looks }> {
  const holes: Hole[] = []
  for (const route of routes) for (const one of attacks(route)) holes.push(...(await attack(world, route, one)))
  const after = await lookAtOthers(world)
  const route = routes.map(({ name }) => name).join(' or ')
  for (const table of changed(before.b, after.b)) holes.push({ route, probe: 'watched', why: `${table} of the other company changed` })
  for (const table of changed(before.sibling, after.sibling))
    holes.push({ route, probe: 'watched', why: `${table} of the other branch changed` })
  return { holes, after }
}

/** All that company B holds, and what is behind the wall of A's other branch. */
export interface Looks {
  b: Record<string, string>
  sibling: Record<string, string>
}
export async function lookAtOthers({
  app: {
    database: { admin },
  },
  a,
  b,
}: SecurityWorld): Promise<Looks> {
  const [ofB, sibling] = await Promise.all([fingerprint(admin, b.company.id), fingerprint(admin, a.company.id, a.sibling.id)])
  return { b: ofB, sibling }
}

const changed = (before: Record<string, string>, after: Record<string, string>) =>
  Object.keys(before).filter((table) => before[table] !== after[table])

/**
 * Ids that mean the same thing in every company of a group: a request that puts one of them wherever an id may
 * be (path, body, list, the record's own Id) must neither reach what is behind it nor make a twin of it.
 */
export async function identityAttacks(world: SecurityWorld): Promise<Attack[]> {
  const { app, a, b, inB } = world
  const client = await app.as(userOf(a, 'admin'))
  const ids = {
    'a tenant of another company': b.company.id,
    'a user of another company': userOf(b, 'officer').id,
    'group staff': userOf(a, 'group').id,
    'staff of another group': userOf(b, 'group').id,
    'a session of another company': inB['session'] ?? '',
  }
  return Object.entries(ids).map(([name, id]) => ({
    probe: `the id of ${name}`,
    client,
    mark: name === 'group staff' ? groupMark : companyMark,
    target: { side: { ...b, team: { ...b.team, id } }, filled: new Proxy({}, { get: () => id }), userId: id, tenantId: id },
  }))
}

/** Rows of company A that bear an id of somebody else. */
export async function twins({ app, a }: SecurityWorld, ids: readonly string[]): Promise<string[]> {
  const { admin } = app.database
  const { rows: tables } = await admin.query<{ name: string }>(`
    select s.oid::regclass::text as name from (${seenWithoutCompany}) s(oid) join pg_attribute c on c.attrelid = s.oid and c.attname = 'id' and c.atttypid = 'uuid'::regtype`)
  const found = await Promise.all(
    tables.map(async ({ name }) =>
      (
        await admin.query<{ id: string }>(`select "id" from ${name} where "companyId" = $1 and "id" = any($2)`, [a.company.id, ids])
      ).rows.map(({ id }) => `${name} ${id}`),
    ),
  )
  return found.flat()
}

/**
 * The attacks of people who are signed in where they belong and reach for what is not theirs: as they are, and with the tenant that they
 * reach for as their own.
 */
export async function insiders(world: SecurityWorld): Promise<{ plain: Attack[]; withTenant: Attack[] }> {
  const { app, a, b } = world
  const [admin, manager] = [await app.as(userOf(a, 'admin')), await app.as(userOf(a, 'branch'))]
  const company = { probe: 'another company', client: admin, target: targetB(world), mark: companyMark }
  const branch = { probe: 'another branch', client: manager, target: targetSibling(world), mark: siblingMark }
  return {
    plain: [company, branch],
    withTenant: [
      { ...company, probe: 'own token, other company’s tenant', headers: { 'x-tenant-id': b.company.id } },
      { ...branch, probe: 'own token, other branch as tenant', headers: { 'x-tenant-id': a.sibling.id } },
    ],
  }
}
