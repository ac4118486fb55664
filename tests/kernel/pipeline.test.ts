import { duplicateLead, leadNotFound } from '../../apps/server/src/areas/leads/lead.errors.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Sql, Statement } from '@outpost/platform/types'
import { addComment } from '../../apps/server/src/kernel/keeps/comments.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import { writeRecords } from '../../apps/server/src/kernel/resource/pipeline.ts'
import type { Change } from '../../apps/server/src/kernel/resource/writing.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { ctxOf, makeWorld, type World } from './world.ts'

defineResource({
  model: 'user',
  one: 'user',
  many: 'users',
  label: 'User',
  labelMany: 'Users',
  title: 'userName',
  fields: { userName: { kind: 'text', label: 'Name' } },
  list: { columns: ['userName'], sort: ['userName', 'ASC'], size: 100 },
})

const lead = defineResource({
  model: 'lead',
  one: 'lead',
  many: 'leads',
  label: 'Lead',
  labelMany: 'Leads',
  title: 'firstName',
  notFound: leadNotFound,
  isScoped: true,
  isSoftDeleted: true,
  isSynced: true,
  keeps: ['comments', 'files'],
  fields: {
    firstName: { kind: 'personName', label: 'First name', required: true },
    lastName: { kind: 'personName', label: 'Last name', required: true },
    phonenumber: { kind: 'phone', label: 'Phone', required: true },
    city: { kind: 'text', label: 'Town' },
    employer: { kind: 'text', label: 'Employer', requiredIf: { eq: ['type', 'Employed'] } },
    type: { kind: 'text', label: 'Type' },
    assignedUserId: { kind: 'reference', label: 'Agent', to: 'user' },
  },
  list: { columns: ['firstName'], sort: ['dateCreated', 'DESC'], size: 25 },
  duplicates: {
    columns: ['trimmedPhonenumber'],
    error: duplicateLead,
    find: (values) =>
      sql`select id, "tenantId", "column", value from search.lead_duplicate(${values['trimmedPhonenumber'] ?? []}::text[], '{}'::text[], '{}'::text[])`,
  },
  held: {
    find: ({ company }, ids) =>
      sql`select "id" from lead where "companyId" = ${company.id} and "id" = any(${ids}::uuid[]) and "city" = 'Held'`,
    message: 'Somebody holds it.',
  },
  prepare: (ctx, { kind, input, id }) => {
    if (input.firstName === 'Refused') fail('INVALID', { fields: [{ field: 'firstName', message: 'is refused' }] })
    if (kind !== 'create') return {}
    return { trimmedPhonenumber: input.phonenumber ?? id, createdByUserId: ctx.user.id, leadCreatedBy: 'Asha' }
  },
})

const role = defineResource({
  model: 'role',
  one: 'role',
  many: 'roles',
  label: 'Role',
  labelMany: 'Roles',
  title: 'name',
  writtenBy: 'company',
  isSoftDeleted: true,
  fields: { name: { kind: 'text', label: 'Name', required: true } },
  list: { columns: ['name'], sort: ['name', 'ASC'], size: 100 },
})

let world: World
let ctx: Ctx
beforeAll(async () => {
  world = await makeWorld()
  ctx = ctxOf(world, world.a)
})
afterAll(() => world.close())

let phone = 720_000_000
const person = (over: object = {}) => ({ firstName: 'Wanjiku', lastName: 'Kamau', phonenumber: `0${(phone += 1)}`, ...over })
const creates = (count: number, over: object = {}): Change[] =>
  Array.from({ length: count }, () => ({ kind: 'create', input: person(over) }))
const rows = async (text: string, ...values: unknown[]) =>
  (await world.database.admin.query(text, values)).rows as Record<string, unknown>[]
const auditOf = (ids: readonly string[]) =>
  rows('select "objectId", action, source, before, after from audit_log where "objectId" = any($1) order by seq', ids)

/** The same ctx in a transaction, with a count of the statements it sends. */
async function counting<Result>(run: (ctx: Ctx) => Promise<Result>): Promise<{ result: Result; statements: number }> {
  let statements = 0
  const counted = (door: Sql): Sql =>
    new Proxy(door, {
      get: (target, key) => {
        const value = Reflect.get(target, key) as unknown
        return typeof value === 'function'
          ? (...args: [Statement]) => {
              statements += 1
              return Reflect.apply(value, target, args) as unknown
            }
          : value
      },
    })
  const watched = (inner: Ctx): Ctx => ({
    ...inner,
    sql: counted(inner.sql),
    transaction: (nested) => inner.transaction((deeper) => nested(watched(deeper))),
  })
  const result = await ctx.transaction((inner) => run(watched(inner)))
  return { result, statements }
}

describe('a set of changes', () => {
  it('takes no more statements for 200 records than for one, whatever is done to them', async () => {
    await writeRecords(ctx, lead, creates(1))
    const one = await counting((inner) => writeRecords(inner, lead, creates(1)))
    const many = await counting((inner) => writeRecords(inner, lead, creates(200)))
    expect(many.statements).toBe(one.statements)
    const ids = many.result.map(({ id }) => id)
    for (const kind of ['update', 'remove', 'restore'] as const) {
      const change = (id: string): Change =>
        kind === 'update' ? { kind, id, input: { city: 'Nakuru', assignedUserId: world.a.userId } } : { kind, id }
      const single = await counting((inner) =>
        writeRecords(
          inner,
          lead,
          one.result.map(({ id }) => change(id)),
        ),
      )
      const all = await counting((inner) => writeRecords(inner, lead, ids.map(change)))
      expect([kind, all.statements]).toEqual([kind, single.statements])
    }
    expect(one.statements).toBeLessThan(9)
    const audit = await auditOf(ids)
    expect(audit).toHaveLength(800)
    expect(audit.filter(({ objectId }) => objectId === ids[7]).map(({ action }) => action)).toEqual([
      'lead.create',
      'lead.update',
      'lead.remove',
      'lead.restore',
    ])
    expect(
      await rows(
        'select count(*)::int as n from lead where id = any($1) and version = 4 and "deletedAt" is null and city = $2',
        ids,
        'Nakuru',
      ),
    ).toEqual([{ n: 200 }])
  })

  it('may do different things to different records, each with its own columns, in the order given', async () => {
    const [a, b, c] = (
      await writeRecords(ctx, lead, [...creates(1), ...creates(1, { city: 'Thika' }), ...creates(1, { employer: 'KRA', type: 'Employed' })])
    ).map(({ id }) => id) as [string, string, string]
    const verdicts = await writeRecords(
      ctx,
      lead,
      [
        { kind: 'update', id: a, input: { city: 'Embu' } },
        { kind: 'create', input: person({ firstName: 'New' }) },
        { kind: 'remove', id: b },
        { kind: 'update', id: c, input: { employer: 'County' }, version: 1 },
      ],
      { source: 'import' },
    )
    expect(verdicts.map(({ record }) => record)).toMatchObject([
      { Id: a, city: 'Embu', version: 2 },
      { firstName: 'New' },
      { Id: b },
      { Id: c, employer: 'County', type: 'Employed' },
    ])
    expect(await auditOf([a, b, c])).toMatchObject([
      { action: 'lead.create', source: 'online' },
      { action: 'lead.create' },
      { action: 'lead.create' },
      { objectId: a, action: 'lead.update', source: 'import', before: { city: null }, after: { city: 'Embu' } },
      { objectId: b, action: 'lead.remove', before: { city: 'Thika' } },
      { objectId: c, action: 'lead.update', before: { employer: 'KRA' }, after: { employer: 'County' } },
    ])
  })

  it('keeps the defaults of the table where only some rows name the column', async () => {
    const verdicts = await writeRecords(ctx, lead, [
      { kind: 'create', input: person() },
      { kind: 'create', input: person(), columns: { status: 'Contacted' } },
    ])
    expect(
      await rows(
        'select status from lead where id = any($1) order by status',
        verdicts.map(({ id }) => id),
      ),
    ).toEqual([{ status: 'Contacted' }, { status: 'New' }])
  })

  it('takes comments and files along with a record that is filed under another tenant', async () => {
    const { branch, other } = world.a
    const [moved, stays] = (await writeRecords(ctx, lead, creates(2))).map(({ id }) => id) as [string, string]
    for (const id of [moved, stays])
      await ctx.transaction((inner) => addComment(inner, lead, { id, text: 'Between us' }, { open: '/leads/:id' }))
    for (const id of [moved, stays]) {
      await world.database.admin.query(
        `insert into record_file ("companyId", id, "tenantId", "objectType", "objectId", "storageKey", name, "mimeType", size, sha256, "userId", "realUserId")
        values ($1, gen_random_uuid(), $2, 'lead', $3, 'x', 'a.pdf', 'application/pdf', 1, '\\x00', $4, $4)`,
        [world.a.id, branch.id, id, world.a.userId],
      )
    }
    await writeRecords(ctx, lead, [
      { kind: 'update', id: moved, input: { tenantId: other.id } },
      { kind: 'update', id: stays, input: { city: 'Embu' } },
    ])
    expect(
      await rows('select "objectId", "tenantId" from record_comment where "objectId" = any($1) order by "dateCreated"', [moved, stays]),
    ).toEqual([
      { objectId: moved, tenantId: other.id },
      { objectId: stays, tenantId: branch.id },
    ])
    const filed = Object.fromEntries(
      (await rows('select "objectId", "tenantId" from record_file where "objectId" = any($1)', [moved, stays])).map(
        ({ objectId, tenantId }) => [objectId, tenantId],
      ),
    )
    expect(filed).toEqual({ [moved]: other.id, [stays]: branch.id })
  })

  it('names a record once', async () => {
    const [{ id } = { id: '' }] = await writeRecords(ctx, lead, creates(1))
    await expect(
      writeRecords(ctx, lead, [
        { kind: 'update', id, input: {} },
        { kind: 'remove', id: id.toUpperCase() },
      ]),
    ).rejects.toThrow('named twice')
  })
})

describe('what a rule refuses', () => {
  const taken = () => `0${(phone += 1)}`
  async function mixture(): Promise<{ changes: Change[]; good: number[]; refused: [number, string, string | undefined][] }> {
    const [phonenumber, twin, Id] = [taken(), taken(), randomUUID()]
    const [old, gone, other] = await writeRecords(ctx, lead, [{ kind: 'create', input: person({ phonenumber }) }, ...creates(2)])
    await writeRecords(ctx, lead, [{ kind: 'remove', id: gone!.id }])
    await writeRecords(ctxOf(world, world.b), lead, [{ kind: 'create', input: person({ Id }) }])
    const changes: Change[] = [
      { kind: 'create', input: person() },
      { kind: 'create', input: person({ firstName: 'Refused' }) },
      { kind: 'create', input: person({ phonenumber }) },
      { kind: 'create', input: person({ assignedUserId: world.b.userId }) },
      { kind: 'create', input: person({ phonenumber: twin }) },
      { kind: 'create', input: person({ phonenumber: twin }) },
      { kind: 'update', id: old!.id, input: { city: 'X' }, version: 7 },
      { kind: 'update', id: gone!.id, input: { city: 'X' } },
      { kind: 'remove', id: Id },
      { kind: 'create', input: person({ type: 'Employed' }) },
      { kind: 'create', input: person({ Id: other!.id }) },
      { kind: 'create', input: person({ assignedUserId: world.a.userId }) },
    ]
    return {
      changes,
      good: [0, 4, 11],
      refused: [
        [1, 'INVALID', 'firstName'],
        [2, 'DUPLICATE_LEAD', 'phonenumber'],
        [3, 'INVALID', 'assignedUserId'],
        [5, 'DUPLICATE_LEAD', 'phonenumber'],
        [6, 'CONFLICT', undefined],
        [7, 'LEAD_NOT_FOUND', undefined],
        [8, 'LEAD_NOT_FOUND', undefined],
        [9, 'INVALID', 'employer'],
        [10, 'ALREADY_EXISTS', 'Id'],
      ],
    }
  }

  it('is given for each record, and the others are written with all they leave behind', async () => {
    const { changes, good, refused } = await mixture()
    const verdicts = await writeRecords(ctx, lead, changes, { source: 'import', onRefusal: 'report' })
    expect(
      verdicts.flatMap(({ failure }, index) =>
        failure ? [[index, failure.failure, failure.more.fields?.[0]?.field.replace('trimmedPhonenumber', 'phonenumber')]] : [],
      ),
    ).toEqual(refused)
    const written = good.map((index) => verdicts[index]!.id)
    expect(verdicts.flatMap(({ record }) => (record ? [record.Id] : []))).toEqual(written)
    expect(
      (await auditOf(verdicts.map(({ id }) => id))).filter(({ source }) => source === 'import').map(({ objectId }) => objectId),
    ).toEqual(written)
    expect(await rows('select count(*)::int as n from sync_feed where "entityId" = any($1)', written)).toEqual([{ n: 3 }])
    const [stream] = await rows(
      'select s.seq::int as seq, (select count(distinct seq)::int from sync_receipt r where r."companyId" = s."companyId") as receipts from sync_stream s where "companyId" = $1',
      world.a.id,
    )
    expect(stream?.['seq']).toBe(stream?.['receipts'])
  })

  it('keeps what something else depends on, and asks once for all that are to go', async () => {
    const made = await writeRecords(ctx, lead, [...creates(2), ...creates(1, { city: 'Held' })])
    const removals = made.map(({ id }): Change => ({ kind: 'remove', id }))
    const verdicts = await writeRecords(ctx, lead, removals, { onRefusal: 'report' })
    expect(verdicts.map(({ failure }) => failure && [failure.failure, failure.message])).toEqual([
      undefined,
      undefined,
      ['STILL_IN_USE', 'Somebody holds it.'],
    ])
    expect(
      await rows(
        'select id from lead where id = any($1) and "deletedAt" is null',
        made.map(({ id }) => id),
      ),
    ).toEqual([{ id: made[2]!.id }])
    await expect(writeRecords(ctx, lead, removals.slice(2))).rejects.toMatchObject({ failure: 'STILL_IN_USE' })
  })

  it('is the same for whoever removes and whoever brings back: what is the whole company’s asks for all of it', async () => {
    const branch = ctxOf(world, world.a, { scope: [world.a.branch.id] })
    const [made] = await writeRecords(ctx, role, [{ kind: 'create', input: { name: 'Auditor' } }])
    await expect(writeRecords(branch, role, [{ kind: 'remove', id: made!.id }])).rejects.toMatchObject({ failure: 'FORBIDDEN' })
    await writeRecords(ctx, role, [{ kind: 'remove', id: made!.id }])
    await expect(writeRecords(branch, role, [{ kind: 'restore', id: made!.id }])).rejects.toMatchObject({ failure: 'FORBIDDEN' })
    expect(await writeRecords(ctx, role, [{ kind: 'restore', id: made!.id }])).toMatchObject([{ record: { name: 'Auditor', version: 3 } }])
  })

  it('keeps everything away when all or none was asked for', async () => {
    const { changes, refused } = await mixture()
    const count = () =>
      rows('select (select count(*) from lead where "companyId" = $1) as leads, (select count(*) from audit_log) as audit', world.a.id)
    const before = await count()
    for (const [index, failure] of refused) {
      await expect(writeRecords(ctx, lead, [...creates(2), changes[index === 5 ? 4 : 0]!, changes[index]!])).rejects.toMatchObject({
        failure,
      })
    }
    expect(await count()).toEqual(before)
  })
})
