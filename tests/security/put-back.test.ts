import { randomUUID } from 'node:crypto'
import { chunk } from 'es-toolkit/array/chunk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { GeoResource } from '../../apps/geo/src/api/crud/resource.ts'
import { device } from '../../apps/geo/src/api/resources/device.ts'
import { driver } from '../../apps/geo/src/api/resources/driver.ts'
import { eventAction } from '../../apps/geo/src/api/resources/event-action.ts'
import { eventIo } from '../../apps/geo/src/api/resources/event-io.ts'
import { feed } from '../../apps/geo/src/api/resources/feed.ts'
import { geofence } from '../../apps/geo/src/api/resources/geofence.ts'
import { savedCommand } from '../../apps/geo/src/api/resources/saved-command.ts'
import { ignoredNames, resourceNamed } from '../../apps/server/src/kernel/resource/define.ts'
import type { AnyResource, Route } from '../../apps/server/src/kernel/types.ts'
import type { Client } from '../support/app.ts'
import { isNightly } from '../support/size.ts'
import { quoted } from './support/fill.ts'
import { targetB } from './support/probe.ts'
import { goodInputFor, send } from './support/requests.ts'
import { inputSchema } from './support/sampler.ts'
import { securityWorld, userOf, type SecurityWorld } from './support/world.ts'

let world: SecurityWorld
let client: Client
beforeAll(async () => {
  world = await securityWorld()
  client = await world.app.as(userOf(world.b, 'admin'), { tenant: world.b.company })
  for (const pair of pairs()) good.push({ ...pair, ...(await goodRecord(pair)) })
})
afterAll(() => world.close())

type Body = Record<string, unknown>
interface Pair {
  read: Route
  write: Route
  make: Route | undefined
}
interface Good extends Pair {
  one: string
  record: Body
}
const good: Good[] = []
const placeOf = ({ path }: Route) => path.replace(/\/$/, '').replace(/:\w+/g, ':')
/** Every record that one call reads and another one writes under the same path, whatever area it is of. */
const pairs = (): Pair[] =>
  world.probed
    .filter(({ method, path }) => method === 'GET' && path.endsWith('/:id'))
    .flatMap((read) => {
      const write = world.routes.find((one) => one.method === 'PUT' && !one.options.raw && placeOf(one) === placeOf(read))
      const make = world.routes.find((one) => one.method === 'POST' && `${placeOf(one)}/:` === placeOf(read))
      return write ? [{ read, write, make }] : []
    })

/** The record in an answer, by its key: the one object that has an id. */
function recordIn(data: unknown): { one: string; record: Body } {
  const found = Object.entries(data ?? {}).find(
    (entry): entry is [string, Body] => typeof entry[1] === 'object' && entry[1] !== null && ('Id' in entry[1] || 'id' in entry[1]),
  )
  return { one: found?.[0] ?? '', record: found?.[1] ?? {} }
}
const idOf = (record: Body) => String(record['Id'] ?? record['id'])

/** A record that is good by the rules of its forms: a new one, else the canary row once it has been changed. */
async function goodRecord({ read, write, make }: Pair): Promise<{ one: string; record: Body }> {
  const [route, input] = make ? [make, goodInputFor(make, targetB(world))] : [write, goodInputFor(write, targetB(world))]
  const { status, body, text } = await send(client, route, input)
  expect(status, `${route.name} ${text}`).toBe(200)
  const answer = await send(client, read, { id: make ? idOf(recordIn(body.data).record) : input['id'] })
  expect(answer.status, `${read.name} ${answer.text}`).toBe(200)
  return recordIn(answer.body.data)
}

const stamps = ['version', 'dateModified', 'syncSeq']
/** Every table of the company without the stamps of a write; what a write queues or counts is no part of a record. */
async function everything(): Promise<Record<string, string>> {
  const { admin } = world.app.database
  const { rows: tables } = await admin.query<{ name: string }>(
    `select polrelid::regclass::text as name from pg_policy where polname = 'company_wall' and polrelid::regclass::text !~ '^(sync_|outbox|session)' order by 1`,
  )
  const parts = tables.map(
    ({ name }) => `select '${name}' as name, coalesce(md5(string_agg(r, '|' order by r)), '') as sum
    from (select (to_jsonb(t) - $2::text[])::text as r from ${quoted(name.replaceAll('"', ''))} t where "companyId" = $1) x`,
  )
  const { rows } = await admin.query<{ name: string; sum: string }>({
    name: 'everything',
    text: parts.join(' union all '),
    values: [world.b.company.id, stamps],
  })
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}

interface Sent {
  write: Route
  id: string
  bodies: readonly Body[]
}
/** Looking at every table costs more than the calls: at night after each record, by day after some, which are all named when something changed. */
const lookedAtOnce = isNightly ? 1 : 25

/** Sends bodies to the calls of records; faults are refusals and whatever is not as before. */
async function sendBack(all: readonly Sent[]): Promise<string[]> {
  const faults: string[] = []
  let before = await everything()
  for (const some of chunk(all, lookedAtOnce)) {
    for (const { write, id, bodies } of some) {
      for (const body of bodies) {
        const { status, text } = await send(client, write, { ...body, id })
        if (status !== 200) faults.push(`${write.name} ${status} ${text.slice(0, 400)}`)
      }
    }
    const after = await everything()
    const changed = Object.keys(before).filter((table) => before[table] !== after[table])
    faults.push(...changed.map((table) => `${some.map(({ write }) => write.name).join(' or ')} changes ${table}`))
    before = after
  }
  return faults
}

/** Names of the resource that a body of the route may hold and must not set. */
function names(route: Route, resource: AnyResource): string[] {
  const { properties = {} } = inputSchema(route)
  return ignoredNames(resource).filter((key) => key !== 'version' && (properties[key]?.readOnly ?? properties[key] === undefined))
}
/** The same of a call that is handed on: its record is the geo service's own, not the console's of the same name. */
const geoResources: readonly GeoResource[] = [device, driver, eventAction, eventIo, feed, geofence, savedCommand]
function geoNames(one: string): string[] {
  const resource = geoResources.find((known) => known.one === one)
  if (!resource) throw new Error(`${one} is no record of the geo service`)
  const { fields, ignores = [], update } = resource
  return [...Object.keys(fields), ...ignores].filter((key) => !Object.hasOwn(update.shape, key))
}
/** Names that the record of a pair shows and its call does not set. */
function namesOf({ one, write }: Good): string[] {
  if (write.operation.kind === 'pass') return geoNames(one)
  const resource = resourceNamed(one)
  return resource ? names(write, resource) : []
}
const holding = (keys: readonly string[], value: unknown): Body => Object.fromEntries(keys.map((key) => [key, value]))

describe('a record that was read', () => {
  it('may be sent back as it is: nothing changes and nothing is audited', async () => {
    expect(await sendBack(good.map(({ write, record }) => ({ write, id: idOf(record), bodies: [record] })))).toEqual([])
    if (world.probed.length === world.routes.length) expect(good.length).toBeGreaterThan(18)
  })

  it('is not changed by other values of what its call does not set', async () => {
    const values = [
      world.b.sibling.id,
      userOf(world.b, 'credit').id,
      'Approved',
      4_242,
      '2020-01-01T00:00:00.000Z',
      false,
      null,
      [randomUUID()],
      { Id: randomUUID() },
    ]
    const sent = good.flatMap((pair) => {
      const keys = namesOf(pair)
      return keys.length > 0 ? [{ write: pair.write, id: idOf(pair.record), bodies: values.map((value) => holding(keys, value)) }] : []
    })
    expect(await sendBack(sent)).toEqual([])
  })

  it('holds none of these values when it is made either', async () => {
    const faults: string[] = []
    for (const { make } of pairs()) {
      const resource = make && 'resource' in make.operation ? make.operation.resource : undefined
      for (const value of resource && make
        ? [world.b.sibling.id, userOf(world.b, 'credit').id, 'Hostile', 4_242, '2020-01-01T00:00:00.000Z']
        : []) {
        if (!resource || !make) continue
        const { status, body, text } = await send(client, make, {
          ...goodInputFor(make, targetB(world)),
          ...holding(names(make, resource), value),
        })
        const { record } = recordIn(body.data)
        const held = names(make, resource).filter((key) => record[key] === value)
        if (status !== 200 || held.length > 0)
          faults.push(`${make.name} ${status} ${held.join(', ')} ${status === 200 ? '' : text.slice(0, 400)}`)
      }
    }
    expect(faults).toEqual([])
  })
})
