import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { leadPartKeys } from '@outpost/rules/leads/lead-merge'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWorld, type World } from '../world.ts'
import { capture, leadAlong, phone, read, setColumns, type LeadRow } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

/** All that the database holds of some leads, but for what counts writes: version, times of change, places in the feed. */
async function everythingOf(...ids: string[]): Promise<unknown> {
  const parts = [
    `select 'lead' as kind, to_jsonb(t) - '{version,dateModified,syncSeq}'::text[] as content from lead t where id = any($1)`,
    ...['lead_address', 'activity_lead', 'onboarding_draft', 'lead_consent', 'lead_assignment'].map(
      (table) => `select '${table}', to_jsonb(t) - 'dateModified' from ${table} t where "leadId" = any($1)`,
    ),
    `select 'record_move', to_jsonb(t) from record_move t where "objectId" = any($1)`,
    `select 'sales_case', to_jsonb(t) - '{version,dateModified,syncSeq}'::text[] from sales_case t where "leadId" = any($1)`,
    `select 'stored_file', to_jsonb(t) from stored_file t where "ownerId" = any($1)`,
    `select 'client', to_jsonb(t) - '{version,dateModified,syncSeq}'::text[] from client t where "leadId" = any($1)`,
  ]
  const { rows } = await world.app.database.admin.query(`select * from (${parts.join(' union all ')}) x order by kind, content::text`, [
    ids,
  ])
  return rows
}

/** An activity of the branch with these leads; written past the guard of synced tables, as the factories do. */
async function activityWith(leadIds: string[]): Promise<string> {
  const {
    app: {
      database: { admin },
    },
    team,
    people,
  } = world
  const id = randomUUID()
  const client = await admin.connect()
  try {
    await client.query(
      `begin; select set_config('app.company', '${team.companyId}', true), set_config('app.stream', '${team.companyId}', true)`,
    )
    await client.query(
      `insert into activity ("companyId", id, "tenantId", name, "startDate", "endDate", "createdUserId", "createdBy") values ($1, $2, $3, 'Visit', now(), now(), $4, 'x')`,
      [team.companyId, id, team.id, people.officer.id],
    )
    for (const leadId of leadIds)
      await client.query('insert into activity_lead ("companyId", "activityId", "leadId", "tenantId") values ($1, $2, $3, $4)', [
        team.companyId,
        id,
        leadId,
        team.id,
      ])
    await client.query('commit')
  } finally {
    client.release()
  }
  return id
}

const road = ['Contacted', 'Consent requested', 'Qualified', 'Onboarding', 'Submitted', 'Approved']

/** An address, a case and a file of a lead. */
async function belongingsOf(leadId: string): Promise<void> {
  const { as, app, team } = world
  await app.make.row('lead_address', { companyId: team.companyId, id: randomUUID(), tenantId: team.id, leadId, city: 'Kisumu' })
  await app.make.row('stored_file', {
    companyId: team.companyId,
    id: randomUUID(),
    tenantId: team.id,
    storageKey: leadId,
    path: `x/${leadId}`,
    name: 'id.jpg',
    mimeType: 'image/jpeg',
    size: 1,
    sha256: Buffer.alloc(32),
    ownerType: 'lead',
    ownerId: leadId,
  })
  const made = await as.officer.post('/api/cases', { title: 'Papers are missing', leadId })
  expect(made.status, made.text).toBe(200)
  const task = await as.officer.post('/api/tasks', { title: 'Ring back', leadId })
  expect(task.status, task.text).toBe(200)
  await filledFormOf(leadId)
  await applicationOf(leadId)
}

/** A form filled in about the lead. */
async function filledFormOf(leadId: string): Promise<void> {
  const { admin, officer } = world.as
  const pages = [{ key: 'visit', title: 'Visit', questions: [{ key: 'note', kind: 'text', label: 'Note', required: true }] }]
  const form = await admin.post<{ webForm: { Id: string } }>('/api/web-forms', { name: `Visit ${leadId}`, about: 'lead', pages })
  expect(form.status, form.text).toBe(200)
  const { Id } = form.body.data.webForm
  expect((await admin.post(`/api/web-forms/${Id}/publish`, {})).status).toBe(200)
  const { body } = await admin.get<{ webFormVersions: { Id: string }[] }>(`/api/web-forms/${Id}/versions`)
  const formVersionId = body.data.webFormVersions[0]?.Id
  const filled = await officer.post('/api/web-forms/answers', { formVersionId, leadId, answers: { note: 'Rain' } })
  expect(filled.status, filled.text).toBe(200)
}

/** A loan application of the lead, for a product of its own. */
async function applicationOf(leadId: string): Promise<void> {
  const { app, team, people } = world
  const own = () => ({ companyId: team.companyId, id: randomUUID() })
  const category = await app.make.row<{ id: string }>('product_category', { ...own(), name: `Category ${leadId}` })
  const product = await app.make.row<{ id: string }>('product', {
    ...own(),
    categoryId: category.id,
    code: leadId.slice(-12),
    name: `Product ${leadId}`,
  })
  const version = await app.make.row<{ id: string }>('product_version', {
    ...own(),
    productId: product.id,
    number: 1,
    state: 'Published',
    annualRate: 24,
    minAmount: 100,
    maxAmount: 10_000,
    minInstalments: 1,
    maxInstalments: 12,
    effectiveFrom: '2026-01-01',
  })
  await app.make.row('loan_application', {
    ...own(),
    tenantId: team.id,
    number: Number.parseInt(leadId.slice(-6), 16),
    leadId,
    productId: product.id,
    productVersionId: version.id,
    amount: 1_000,
    instalments: 6,
    instalment: 180,
    paidOut: 1_000,
    totalPaid: 1_080,
    totalCost: 80,
    quote: '{"rows":[]}',
    quotedAt: new Date(),
    createdByUserId: people.officer.id,
  })
}

const merge = (winnerId: string, loserId: string, take: readonly string[] = []) =>
  world.as.manager.post<{ merge: { Id: string }; lead: LeadRow }>('/api/leads/merge', { winnerId, loserId, take })
const undo = (mergeId: string) => world.as.manager.post<{ kept: string[] }>(`/api/leads/merges/${mergeId}/undo`)
const leadsOf = async (activity: string) =>
  (await world.app.database.admin.query<{ leadId: string }>('select "leadId" from activity_lead where "activityId" = $1', [activity])).rows
    .map(({ leadId }) => leadId)
    .toSorted()

describe('two leads that are one person', () => {
  it('become one: the loser goes as devices see it, its number and belongings go to the winner', async () => {
    const { as } = world
    const [winner, loser] = [
      await capture(as.officer, { city: 'Thika' }),
      await capture(as.officer, { city: 'Nakuru', emailAddress: 'merge.one@example.org' }),
    ]
    const shared = await activityWith([winner.Id, loser.Id])
    const theirs = await activityWith([loser.Id])
    const { status, body, text } = await merge(winner.Id, loser.Id, ['phone', 'email'])
    expect(status, text).toBe(200)
    expect(body.data.lead).toMatchObject({
      phonenumber: loser.phonenumber,
      trimmedPhonenumber: `254${loser.phonenumber.slice(1)}`,
      emailAddress: 'merge.one@example.org',
      city: 'Thika',
    })
    expect((await as.officer.get(`/api/leads/${loser.Id}`)).status).toBe(404)
    expect([await leadsOf(shared), await leadsOf(theirs)]).toEqual([[winner.Id], [winner.Id]])
    const feed = await world.app.database.admin.query('select "entityId", op from sync_feed where "entityId" = any($1) order by seq', [
      [winner.Id, loser.Id, theirs],
    ])
    expect(feed.rows).toEqual(
      expect.arrayContaining([
        { entityId: loser.Id, op: 'gone' },
        { entityId: winner.Id, op: 'put' },
        { entityId: theirs, op: 'put' },
      ]),
    )
    const timeline = await as.officer.get<{ timeline: { what: string }[] }>(`/api/leads/${winner.Id}/timeline`)
    expect(timeline.body.data.timeline.filter(({ what }) => what === 'Captured')).toHaveLength(2)
    expect(timeline.body.data.timeline[0]?.what).toMatch(/Merged|Changed|Deleted/)
    // The winner carries the number: nobody else may.
    expect((await as.officer.post('/api/leads', { firstName: 'A', lastName: 'B', phonenumber: loser.phonenumber })).body.code).toBe(
      'DUPLICATE_LEAD',
    )
  })

  it('leaves nothing behind that names the lead, but for the papers that stay with the one they were made for', async () => {
    const {
      database: { admin },
    } = world.app
    const papers = ['lead_assignment', 'lead_consent', 'affordability_run', 'lead_merge']
    const { rows: tables } = await admin.query<{ name: string }>(`select distinct table_name as name from information_schema.columns
      where table_schema = 'public' and column_name = 'leadId' and table_name in (select relname from pg_class where relkind in ('r', 'p'))`)
    const names = tables.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['sales_case', 'client', 'activity_lead']))
    const [winner, loser] = [await capture(world.as.officer), await capture(world.as.officer)]
    await activityWith([loser.Id])
    await belongingsOf(loser.Id)
    await world.app.make.row('onboarding_draft', {
      companyId: world.company.id,
      id: randomUUID(),
      tenantId: world.team.id,
      userId: world.people.officer.id,
      leadId: loser.Id,
      data: '{}',
    })
    expect((await merge(winner.Id, loser.Id)).status).toBe(200)
    for (const name of names.filter((one) => !papers.includes(one))) {
      const count = async (id: string) => (await admin.query(`select 1 from ${name} where "leadId" = $1`, [id])).rowCount ?? 0
      expect([name, await count(loser.Id)]).toEqual([name, 0])
      if (name !== 'client') expect([name, await count(winner.Id)]).toEqual([name, 1])
    }
    expect((await admin.query('select 1 from stored_file where "ownerId" = $1', [winner.Id])).rowCount).toBe(1)
  })

  it('with a client hands on its status too', async () => {
    const { as, app } = world
    const [winner, loser] = [await capture(as.officer), await capture(as.officer)]
    await leadAlong(app, as.officer, loser.Id, road)
    await as.officer.post(`/api/leads/${loser.Id}/convert`)
    const made = await merge(winner.Id, loser.Id)
    expect([made.status, made.body.data?.lead.status], made.text).toEqual([200, 'Converted'])
    expect((await undo(made.body.data.merge.Id)).status).toBe(200)
    expect([(await read(as.officer, winner.Id)).status, (await read(as.officer, loser.Id)).status]).toEqual(['New', 'Converted'])
  })

  it('come back exactly as they were, whatever was taken', async () => {
    const { app, as } = world
    await fc.assert(
      fc.asyncProperty(fc.subarray([...leadPartKeys]), fc.boolean(), async (take, isConverted) => {
        const a = await capture(as.officer, {
          emailAddress: `a${phone()}@example.org`,
          city: 'Thika',
          notes: 'first',
          latitude: -1.033_123,
          longitude: 37.069,
        })
        const b = await capture(as.officer, { employer: 'County', idNumber: phone().slice(2), type: 'SME', lineone: 'Moi Avenue 4' })
        await setColumns(app, b.Id, {
          consentStatus: 'GRANTED',
          consentDate: new Date('2026-02-03T04:05:06.789Z'),
          totalAffordability: '1234.50',
          affordabilityOutcome: 'PASS',
          assignedUserId: world.people.officer.id,
        })
        await activityWith([a.Id, b.Id])
        await activityWith([b.Id])
        await belongingsOf(b.Id)
        if (isConverted) {
          await leadAlong(app, as.officer, b.Id, road)
          expect((await as.officer.post(`/api/leads/${b.Id}/convert`)).status).toBe(200)
        }
        const before = await everythingOf(a.Id, b.Id)
        const made = await merge(a.Id, b.Id, take)
        expect(made.status, made.text).toBe(200)
        expect(await everythingOf(a.Id, b.Id)).not.toEqual(before)
        const undone = await undo(made.body.data.merge.Id)
        expect([undone.status, undone.body.data?.kept], undone.text).toEqual([200, []])
        // Taking over a client's status and giving it back are facts of the log; beside them all is as it was.
        const { rowCount } = await app.database.admin.query(`delete from record_move where "objectId" = $1`, [a.Id])
        expect(rowCount).toBe(isConverted ? 2 : 0)
        expect(await everythingOf(a.Id, b.Id)).toEqual(before)
      }),
      { numRuns: 12 },
    )
  })

  it('keep what somebody changed since', async () => {
    const { as } = world
    const [winner, loser] = [
      await capture(as.officer, { city: 'Thika', notes: 'mine' }),
      await capture(as.officer, { city: 'Nakuru', notes: 'theirs' }),
    ]
    const { body } = await merge(winner.Id, loser.Id, ['place', 'notes'])
    await as.officer.put(`/api/leads/${winner.Id}`, { city: 'Kisumu' })
    expect((await undo(body.data.merge.Id)).body.data.kept).toEqual(['city'])
    expect([await read(as.officer, winner.Id), await read(as.officer, loser.Id)]).toMatchObject([
      { city: 'Kisumu', notes: 'mine' },
      { city: 'Nakuru', notes: 'theirs' },
    ])
  })

  it('are parted once, for 30 days, while the winner lives and the number is free', async () => {
    const { as, app } = world
    const pair = async () => [await capture(as.officer), await capture(as.officer)] as const
    const [a, b] = await pair()
    const once = (await merge(a.Id, b.Id)).body.data.merge.Id
    expect([(await undo(once)).status, (await undo(once)).status, (await undo(randomUUID())).status]).toEqual([200, 409, 404])
    const again = (await merge(a.Id, b.Id)).body.data.merge.Id
    await app.database.admin.query(`update lead_merge set "dateCreated" = now() - interval '31 days' where id = $1`, [again])
    expect((await undo(again)).body.message).toMatch(/30 days/)
    const [c, d] = await pair()
    const taken = (await merge(c.Id, d.Id)).body.data.merge.Id
    await capture(as.officer, { phonenumber: d.phonenumber })
    expect((await undo(taken)).body.code).toBe('DUPLICATE_LEAD')
    expect((await as.officer.get(`/api/leads/${d.Id}`)).status).toBe(404)
    const [e, f] = await pair()
    const gone = (await merge(e.Id, f.Id)).body.data.merge.Id
    await as.manager.post('/api/leads/delete', { id: e.Id })
    expect((await undo(gone)).status).toBe(409)
    const merges = await as.manager.get<{ merges: { state: string }[] }>(`/api/leads/${a.Id}/merges`)
    expect(merges.body.data.merges.map(({ state }) => state).toSorted()).toEqual(['FINAL', 'UNDONE'])
  })

  it('are not merged by who may not delete, with themselves, with a stranger’s, or as two clients', async () => {
    const { as, app } = world
    const [a, b] = [await capture(as.officer), await capture(as.officer)]
    expect((await as.officer.post('/api/leads/merge', { winnerId: a.Id, loserId: b.Id })).status).toBe(403)
    expect((await merge(a.Id, a.Id)).body.fields?.[0]?.field).toBe('loserId')
    expect((await merge(a.Id, b.Id, ['status'])).status).toBe(422)
    const foreign = await capture(as.elsewhere)
    expect((await merge(a.Id, foreign.Id)).body.message).toBe('lead not found')
    for (const one of [a, b]) {
      await leadAlong(app, as.officer, one.Id, road)
      await as.officer.post(`/api/leads/${one.Id}/convert`)
    }
    expect((await merge(a.Id, b.Id)).body.code).toBe('CONFLICT')
    expect((await read(as.officer, b.Id)).status).toBe('Converted')
  })
})

describe('who may be the same', () => {
  it('is found by number, or by a like name in a like place, in the caller’s reach', async () => {
    const { as, app } = world
    const me = await capture(as.officer, { firstName: 'Nyokabi', lastName: 'Gathoni', city: 'Thika', employer: 'Delta Millers' })
    const like = await capture(as.officer, { firstName: 'Nyokabi', lastName: 'Gathonni', city: 'thika' })
    const swapped = await capture(as.officer, { firstName: 'Gathoni', lastName: 'Nyokabi', city: 'Embu', employer: 'Delta Millers' })
    const other = await capture(as.officer, { firstName: 'Nyokabi', lastName: 'Waweru', city: 'Thika' })
    const hidden = await capture(as.elsewhere, { firstName: 'Nyokabi', lastName: 'Gathoni', city: 'Thika' })
    const twin = await capture(as.officer, { firstName: 'Peter', lastName: 'Otieno' })
    await setColumns(app, twin.Id, { trimmedPhonenumber: `254${me.phonenumber.slice(1)}` })
    const { body } = await as.officer.get<{ duplicates: { b: string; score: number; reasons: string }[] }>(`/api/leads/${me.Id}/duplicates`)
    const found = new Map(body.data.duplicates.map((row) => [row.b, row]))
    expect(found.get(twin.Id)?.reasons).toBe('same phone')
    expect(found.get(like.Id)?.reasons).toBe('like name, same town')
    expect(found.get(swapped.Id)?.reasons).toBe('same name, same employer')
    expect([found.has(other.Id), found.has(hidden.Id), found.has(me.Id)]).toEqual([false, false, false])
  })
})
