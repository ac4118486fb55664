import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending } from '../loans/lending.ts'
import { fillTables } from '../../security/support/fill.ts'
import type { World } from '../world.ts'

let lending: Lending
let world: World
type Who = keyof World['as']
interface Merged {
  merge: { Id: string }
  client: Record<string, unknown>
}

beforeAll(async () => {
  lending = await makeLending()
  world = lending.world
})
afterAll(() => world.app.close())

const merge = (winnerId: string, loserId: string, take: readonly string[] = [], who: Who = 'manager') =>
  world.as[who].post<Merged>('/api/clients/merge', { winnerId, loserId, take })
const undo = (mergeId: string, who: Who = 'manager') => world.as[who].post<{ kept: string[] }>(`/api/clients/merges/${mergeId}/undo`)
const read = async (id: string, who: Who = 'admin') => world.as[who].get<{ client: Record<string, unknown> }>(`/api/clients/${id}`)
const merged = async (winnerId: string, loserId: string, take: readonly string[] = []) => {
  const answer = await merge(winnerId, loserId, take)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.merge.Id
}
const refused = async (...given: Parameters<typeof merge>) => {
  const { status, body } = await merge(...given)
  expect(status, body.message).toBe(409)
  return body.message
}
const leadOf = async (phonenumber: string, over: object = {}) => {
  const answer = await world.as.officer.post<{ lead: { Id: string } }>('/api/leads', {
    firstName: 'Asha',
    lastName: 'Two',
    phonenumber,
    ...over,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.lead.Id
}

/** Tables whose rows name a client, but for what stays with the one it was made of. */
async function tablesOfClients(): Promise<string[]> {
  const found =
    await lending.rows(`select table_name as name from information_schema.columns c join pg_class k on k.relname = c.table_name and k.relkind = 'r'
    where table_schema = 'public' and column_name = 'clientId' and table_name not in ('oauth_client', 'ussd_pin_try', 'affordability_run') order by 1`)
  return found.map(({ name }) => String(name))
}

/** All that the tables hold of some clients, but for what counts writes. */
async function everythingOf(ids: string[]): Promise<unknown> {
  const counters = `'{version,dateModified,syncSeq,searchText}'::text[]`
  const parts = (await tablesOfClients()).map(
    (table) => `select '${table}' as kind, to_jsonb(t) - ${counters} as content from ${table} t where t."clientId" = any($1)`,
  )
  const others = [
    `select 'client', to_jsonb(t) - ${counters} from client t where id = any($1)`,
    `select 'record_file', to_jsonb(t) from record_file t where "objectId" = any($1)`,
    `select 'stored_file', to_jsonb(t) from stored_file t where "ownerId" = any($1)`,
    `select 'tries', to_jsonb(t) from ussd_pin_try t where "clientId" = any($1)`,
    `select 'lead', to_jsonb(t) - ${counters} from lead t where id in (select "leadId" from client where id = any($1))`,
  ]
  return lending.rows(`select * from (${[...parts, ...others].join(' union all ')}) x order by kind, content::text`, ids)
}

describe('two clients who are one person', () => {
  it('become one with all that names the other, and two again exactly as they were', async () => {
    const owners = new Set([
      ...(await tablesOfClients()),
      ...[
        'client',
        'lead',
        'activity',
        'client_group',
        'collection_sheet',
        'record_file',
        'stored_file',
        'ussd_pin_try',
        'ussd_menu',
        'product',
        'product_category',
        'product_version',
        'pipeline',
        'pipeline_stage',
        'activity_type',
        'activity_status',
        'asset_category',
        'web_form',
        'web_form_version',
      ],
    ])
    const filled = await fillTables(
      world.app.database.admin,
      { mark: 'Own', company: world.company, tenant: world.team, userId: world.people.officer.id },
      (table) => owners.has(table),
    )
    const [loser, winner] = [String(filled['client']), await lending.client()]
    await lending.rows(`update record_file set "objectType" = 'client', "objectId" = $1 where id = $2`, loser, filled['record_file'])
    await lending.rows(`update stored_file set "ownerType" = 'client', "ownerId" = $1 where id = $2`, loser, filled['stored_file'])
    const before = await everythingOf([winner, loser])
    const made = await merge(winner, loser, ['name', 'phone'])
    expect(made.status, made.text).toBe(200)
    expect(made.body.data.client).toMatchObject({ Id: winner, phonenumber: expect.any(String), leadId: filled['lead'] })
    for (const table of await tablesOfClients()) {
      const count = async (id: string) => (await lending.rows(`select 1 from ${table} where "clientId" = $1`, id)).length
      expect([table, await count(loser), await count(winner)]).toEqual([table, 0, 1])
    }
    expect(await lending.rows(`select "objectId" as id from record_file where id = $1`, filled['record_file'])).toEqual([{ id: winner }])
    expect(await lending.rows(`select "ownerId" as id from stored_file where id = $1`, filled['stored_file'])).toEqual([{ id: winner }])
    expect((await read(loser)).status).toBe(404)
    const gone = await lending.rows(`select "entityId" as id, op from sync_feed where "entityId" = any($1)`, [winner, loser])
    expect(gone).toEqual(
      expect.arrayContaining([
        { id: loser, op: 'gone' },
        { id: winner, op: 'put' },
      ]),
    )
    const undone = await undo(made.body.data.merge.Id)
    expect([undone.status, undone.body.data?.kept], undone.text).toEqual([200, []])
    expect(await everythingOf([winner, loser])).toEqual(before)
    expect((await undo(made.body.data.merge.Id)).body.message).toMatch(/undone already/)
  })

  it('keep loans that run on both sides, say so, and pay on as before', async () => {
    const [winner, loser] = [await lending.client(), await lending.client()]
    const [own, other] = [
      await lending.running(dayFrom(-40), { clientId: winner }),
      await lending.running(dayFrom(-40), { clientId: loser }),
    ]
    await lending.pay(other.Id, 100, dayFrom(-1))
    const answer = await merge(winner, loser)
    expect([answer.status, answer.body.message], answer.text).toEqual([
      200,
      'The two clients are one now. Both had open loans: the client has 2 of them now.',
    ])
    const terms = encodeURIComponent(JSON.stringify([{ field: 'clientId', op: 'eq', value: winner }]))
    const list = await world.as.officer.get<{ loans: { Id: string }[] }>(`/api/loans?filter=${terms}`)
    expect(list.body.data.loans.map(({ Id }) => Id).toSorted()).toEqual([own.Id, other.Id].toSorted())
    await lending.pay(other.Id, 50, dayFrom(0))
    const timeline = await world.as.officer.get<{ timeline: { what: string }[] }>(`/api/clients/${winner}/timeline`)
    // What was paid since is on top, the merge below it, and the loans of both are told of.
    const told = timeline.body.data.timeline.map(({ what }) => what)
    expect(told[0]).toMatch(/^Payment R-/)
    expect(told.find((what) => !what.startsWith('Payment'))).toMatch(/Merged|Changed|Deleted/)
    expect(told.filter((what) => /^Loan .* opened$/.test(what))).toHaveLength(2)
    expect((await undo(answer.body.data.merge.Id)).status).toBe(200)
    // The loan goes back to its own client, and what was paid meanwhile with it.
    expect(await lending.rows(`select "clientId" as id from loan where id = $1`, other.Id)).toEqual([{ id: loser }])
    const payers = await lending.rows(`select distinct "clientId" as id from payment where "loanId" = $1`, other.Id)
    expect(payers).toEqual([{ id: loser }])
  })

  it('have their leads made one, so that consents and assessments are those of one person', async () => {
    const [a, b] = [await leadOf('0791000001'), await leadOf('0791000002')]
    const [winner, loser] = [await lending.client(world.team, { leadId: a }), await lending.client(world.team, { leadId: b })]
    await world.app.make.row('lead_consent', {
      companyId: world.company.id,
      id: randomUUID(),
      tenantId: world.team.id,
      leadId: b,
      purpose: 'MARKETING',
      textVersion: '1',
      textHash: Buffer.alloc(32),
      status: 'GRANTED',
      channel: 'SMS',
      mobileNumber: '254791000002',
      requestedByUserId: world.people.officer.id,
      requestedAt: new Date(),
      expiresAt: new Date(Date.now() + 86_400_000),
    })
    const consents = async (id: string) =>
      (await world.as.manager.get<{ consents: unknown[] }>(`/api/clients/${id}/consents`)).body.data?.consents.length
    expect(await consents(winner)).toBe(0)
    const id = await merged(winner, loser)
    expect(await consents(winner)).toBe(1)
    expect((await world.as.manager.get(`/api/leads/${b}`)).status).toBe(404)
    expect((await undo(id)).status).toBe(200)
    expect([await consents(winner), await consents(loser), (await world.as.manager.get(`/api/leads/${b}`)).status]).toEqual([0, 1, 200])
  })

  it('have one PIN: it goes with the number that it is dialled from, wrong ones count on', async () => {
    const secure = (id: string, hash: string, failures: number) =>
      Promise.all([
        world.app.make.row('ussd_pin_try', { companyId: world.company.id, clientId: id, securedAt: new Date('2026-01-01'), failures }),
        lending.rows(`select set_config('app.stream', $1, true)`, world.company.id),
      ]).then(() => hash)
    const pinned = (ussdPinHash: string) =>
      lending.client(world.team, { ussdPinHash, ussdDevice: 'x', ussdSecuredAt: new Date('2026-01-01') })
    const [winner, loser] = [await pinned('own'), await pinned('other')]
    await secure(winner, 'own', 1)
    await secure(loser, 'other', 2)
    const pin = async () =>
      lending.rows(
        `select c."ussdPinHash" as hash, t.failures from client c join ussd_pin_try t on t."clientId" = c.id where c.id = $1`,
        winner,
      )
    const first = await merged(winner, loser)
    expect(await pin()).toEqual([{ hash: 'own', failures: 1 }])
    expect((await undo(first)).status).toBe(200)
    const second = await merged(winner, loser, ['phone'])
    expect(await pin()).toEqual([{ hash: 'other', failures: 2 }])
    expect((await undo(second)).status).toBe(200)
    expect(await pin()).toEqual([{ hash: 'own', failures: 1 }])
  })

  it('are one merge, however many ask at once, and either way round', async () => {
    const [a, b] = [await lending.client(), await lending.client()]
    const answers = await Promise.all([merge(a, b), merge(a, b), merge(b, a), merge(a, b, [], 'admin'), merge(b, a, [], 'admin')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 404, 404, 404, 404])
    expect(await lending.rows(`select 1 from client_merge where "winnerId" = any($1)`, [a, b])).toHaveLength(1)
  })
})

describe('a merge of clients is refused', () => {
  it('to who may not delete, with oneself, with a stranger’s, beyond reach', async () => {
    const [a, b, far] = [await lending.client(), await lending.client(), await lending.client(world.other)]
    const foreign = await lending.client(world.stranger)
    expect((await merge(a, b, [], 'officer')).status).toBe(403)
    expect((await merge(a, a)).body.fields?.[0]?.field).toBe('loserId')
    expect((await merge(a, b, ['status'])).status).toBe(422)
    for (const [winner, loser] of [
      [a, far],
      [far, a],
      [a, foreign],
      [a, randomUUID()],
    ] as const)
      expect((await merge(winner, loser)).status).toBe(404)
    expect((await merge(a, b, [], 'foreign')).status).toBe(404)
    const id = await merged(a, b)
    expect([(await undo(id, 'officer')).status, (await undo(id, 'elsewhere')).status, (await undo(id, 'foreign')).status]).toEqual([
      403, 403, 404,
    ])
  })

  it('while something of the other lies in a branch that one does not see: nothing is left behind', async () => {
    const [winner, loser] = [await lending.client(), await lending.client()]
    const { Id } = await lending.running(dayFrom(-10), { clientId: loser })
    await lending.rows(`update loan set "tenantId" = $2 where id = $1`, Id, world.other.id)
    expect(await refused(winner, loser)).toMatch(/^1 record of the other one lie/)
    expect((await merge(winner, loser, [], 'admin')).status).toBe(200)
    expect(await lending.rows(`select "clientId" as id, "tenantId" as place from loan where id = $1`, Id)).toEqual([
      { id: winner, place: world.other.id },
    ])
  })

  it('while both sit in one group, and where the form could not be saved again', async () => {
    const [a, b, c] = [await lending.client(), await lending.client(), await lending.client()]
    const made = await world.as.manager.post('/api/client-groups', {
      name: 'Umoja',
      minMembers: 2,
      members: [a, b].map((clientId) => ({ clientId, role: 'Member' })),
    })
    expect(made.status, made.text).toBe(200)
    expect(await refused(a, b)).toBe('Both are members of Umoja. Take one of them out of the group first.')
    const kin = (count: number, from: string) =>
      Array.from({ length: count }, (_, at) => ({
        name: `${from} ${at}`.replace(/\d/g, (n) => 'abcdefghij'[Number(n)] ?? ''),
        relationship: 'Friend',
      }))
    for (const [id, name] of [
      [b, 'Peter'],
      [c, 'Paul'],
    ] as const) {
      const saved = await world.as.manager.put(`/api/clients/${id}`, { nextOfKin: kin(11, name) })
      expect(saved.status, saved.text).toBe(200)
    }
    expect(await refused(b, c)).toMatch(/Next of kin.*together they have 22, and 20 is the most/)
    // The same lines on both sides are one.
    expect((await world.as.manager.put(`/api/clients/${c}`, { nextOfKin: kin(11, 'Peter') })).status).toBe(200)
    const id = await merged(c, b)
    expect((await read(c)).body.data.client['nextOfKin']).toHaveLength(11)
    expect((await undo(id)).status).toBe(200)
    expect((await read(b)).body.data.client['nextOfKin']).toHaveLength(11)
  })
})

it('who may be the same client is found in the caller’s reach', async () => {
  const save = async (phonenumber: string, over: object, who: Who = 'officer') => {
    const answer = await world.as[who].post<{ client: { Id: string } }>('/api/clients', {
      firstName: 'Nyokabi',
      lastName: 'Gathoni',
      phonenumber,
      city: 'Thika',
      ...over,
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data.client.Id
  }
  const me = await save('0792000001', {})
  const [same, like] = [
    await save('0792000002', { contactNumber: '0792000001', city: 'Embu' }),
    await save('0792000003', { lastName: 'Gathonni' }),
  ]
  await save('0792000004', { firstName: 'Peter', lastName: 'Otieno' })
  await save('0792000005', {}, 'elsewhere')
  const { body } = await world.as.officer.get<{ duplicates: { b: string; reasons: string }[] }>(`/api/clients/${me}/duplicates`)
  expect(body.data.duplicates.map(({ b, reasons }) => [b, reasons])).toEqual(expect.arrayContaining([[like, 'like name, same town']]))
  expect(body.data.duplicates).toHaveLength(2)
  expect(body.data.duplicates.find(({ b }) => b === same)?.reasons).toMatch(/same phone/)
  expect((await world.as.elsewhere.get(`/api/clients/${me}/duplicates`)).status).toBe(404)
})
