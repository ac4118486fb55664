import { duplicateLead, leadNotFound } from '../../apps/server/src/areas/leads/lead.errors.ts'
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { may, defineArea, route } from '../../apps/server/src/kernel/area.ts'
import { onRecordsChanged, type RecordsChanged } from '../../apps/server/src/kernel/realtime/announce.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import { create, get, list, remove, setField, update } from '../../apps/server/src/kernel/resource/operations.ts'
import { appOf, ctxOf, makeWorld, type World } from './world.ts'

const person = defineResource({
  model: 'user',
  one: 'user',
  many: 'users',
  label: 'User',
  labelMany: 'Users',
  title: 'fullName',
  fields: {
    fullName: { kind: 'text', label: 'Name', sql: `concat_ws(' ', t."firstName", t."lastName")`, readOnly: true },
    firstName: { kind: 'personName', label: 'First name' },
  },
  list: { columns: ['fullName'], sort: ['fullName', 'ASC'], size: 100 },
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
  fields: {
    firstName: { kind: 'personName', label: 'First name', required: true },
    lastName: { kind: 'personName', label: 'Last name', required: true },
    phonenumber: { kind: 'phone', label: 'Phone', required: true },
    emailAddress: { kind: 'email', label: 'E-mail' },
    idNumber: { kind: 'idNumber', label: 'ID number', sensitive: true },
    source: { kind: 'text', label: 'Source', createOnly: true },
    status: {
      kind: 'choice',
      label: 'Status',
      readOnly: true,
      options: [
        { value: 'New', label: 'New' },
        { value: 'Lost', label: 'Lost' },
      ],
    },
    state: { kind: 'choice', label: 'Class', options: ['1', '2'].map((value) => ({ value, label: `Class ${value}` })) },
    installmentAmount: { kind: 'money', label: 'Instalment' },
    latitude: { kind: 'number', label: 'Latitude', min: -90, max: 90 },
    assignedUserId: { kind: 'reference', label: 'Agent', to: 'user' },
    employer: { kind: 'text', label: 'Employer', requiredIf: { eq: ['type', 'Employed'] } },
    type: { kind: 'text', label: 'Type' },
    consentDate: { kind: 'dateTime', label: 'Consent' },
    onboarding: { kind: 'json', label: 'Onboarding', detailOnly: true },
    notes: { kind: 'longText', label: 'Notes', detailOnly: true },
  },
  list: {
    columns: ['firstName', 'lastName', 'phonenumber', 'idNumber', 'status', 'installmentAmount', 'assignedUserId'],
    search: ['firstName'],
    sort: ['dateCreated', 'DESC'],
    size: 25,
  },
  prepare: (ctx, { kind, input, before }) => {
    if (input.firstName === 'Refused') fail(duplicateLead)
    if (kind === 'remove' && before?.status === 'Lost') fail('STILL_IN_USE')
    if (kind !== 'create') return {}
    return { trimmedPhonenumber: String(input.phonenumber).replace(/\D/g, ''), createdByUserId: ctx.user.id, leadCreatedBy: 'Asha' }
  },
})

const activityType = defineResource({
  model: 'activityType',
  one: 'activityType',
  many: 'activityTypes',
  label: 'Activity type',
  labelMany: 'Activity types',
  title: 'name',
  isScoped: true,
  fields: { name: { kind: 'text', label: 'Name', required: true }, status: { kind: 'number', label: 'Status' } },
  list: { columns: ['name'], sort: ['name', 'ASC'], size: 100 },
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
  fields: { name: { kind: 'text', label: 'Name', required: true }, description: { kind: 'text', label: 'Description' } },
  list: { columns: ['name'], sort: ['name', 'ASC'], size: 100 },
  prepare: async () => {
    await new Promise((done) => setTimeout(done, 20))
    return {}
  },
})

const area = defineArea({
  name: 'test',
  resources: [lead, person, activityType, role],
  routes: [
    route('leads.list', 'GET', '/api/leads', may('SALES/LEADS'), list(lead)),
    route('leads.get', 'GET', '/api/leads/:id', may('SALES/LEADS'), get(lead)),
    route('leads.create', 'POST', '/api/leads', may('SALES/LEADS/CREATE'), create(lead)),
    route('leads.update', 'PUT', '/api/leads/:id', may('SALES/LEADS/EDIT'), update(lead)),
    route('leads.setStatus', 'PUT', '/api/leads/status/:id', may('SALES/LEADS/EDIT'), setField(lead, 'status')),
    route('leads.remove', 'POST', '/api/leads/delete', may('SALES/LEADS/DELETE'), remove(lead)),
    route('roles.create', 'POST', '/api/roles', may('SALES/LEADS'), create(role)),
    route('roles.update', 'PUT', '/api/roles/:id', may('SALES/LEADS'), update(role)),
    route('types.create', 'POST', '/api/types', may('SALES/LEADS'), create(activityType)),
    route('types.update', 'PUT', '/api/types/:id', may('SALES/LEADS'), update(activityType)),
    route('types.remove', 'DELETE', '/api/types/:id', may('SALES/LEADS'), remove(activityType)),
  ],
})

const all = ['SALES/LEADS', 'SALES/LEADS/CREATE', 'SALES/LEADS/EDIT', 'SALES/LEADS/DELETE'] as const
let world: World
let app: FastifyInstance
const changes: RecordsChanged[] = []
const stop = onRecordsChanged((change) => changes.push(change))

beforeAll(async () => {
  world = await makeWorld()
  const { a, b } = world
  app = await appOf(
    { areas: [area] },
    {
      a: ctxOf(world, a, { permissions: all }),
      b: ctxOf(world, b, { permissions: all }),
      branch: ctxOf(world, a, { permissions: all, scope: [a.branch.id], tenant: a.branch }),
      other: ctxOf(world, a, { permissions: all, scope: [a.other.id], tenant: a.other }),
      reader: ctxOf(world, a, { permissions: ['SALES/LEADS'] }),
    },
  )
})
afterAll(async () => {
  stop()
  await app.close()
  await world.close()
})

async function call(who: string, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, payload?: object) {
  const response = await app.inject({ method, url, headers: { authorization: who }, ...(payload ? { payload } : {}) })
  return {
    status: response.statusCode,
    body: response.json<
      Record<string, never> & { data: Record<string, Record<string, unknown>>; code: string; fields: { field: string; message: string }[] }
    >(),
  }
}
let phone = 700_000_000
const body = (more: object = {}) => ({ firstName: 'Wanjiku', lastName: 'Kamau', phonenumber: `0${(phone += 1)}`, ...more })
async function made(who = 'a', more: object = {}) {
  const { status, body: answer } = await call(who, 'POST', '/api/leads', body(more))
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer.data.lead as { Id: string; version: number; tenantId: string } & Record<string, unknown>
}
const oneRow = async (text: string, ...values: unknown[]) =>
  (await world.database.admin.query(text, values)).rows[0] as Record<string, unknown>

describe('create', () => {
  it('files the row under the chosen tenant with a v7 id, and answers the wire record', async () => {
    const record = await made('other', {
      emailAddress: ' Wanjiku@Example.COM ',
      installmentAmount: 1200.5,
      consentDate: '2026-11-20T08:00:00+03:00',
      onboarding: { step: 2, list: [1] },
    })
    expect(record).toMatchObject({
      firstName: 'Wanjiku',
      emailAddress: 'wanjiku@example.com',
      installmentAmount: 1200.5,
      status: 'New',
      version: 1,
      tenantId: world.a.other.id,
    })
    expect(record).toMatchObject({ consentDate: '2026-11-20T05:00:00.000Z', onboarding: { step: 2, list: [1] } })
    expect(record.Id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    expect(record.dateCreated).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(record).not.toHaveProperty('trimmedPhonenumber')
  })
  it('uses a supplied Id; the all-zero and the empty one mean none', async () => {
    const Id = randomUUID()
    expect((await made('a', { Id })).Id).toBe(Id)
    expect((await made('a', { Id: '00000000-0000-0000-0000-000000000000' })).Id).not.toMatch(/^0{8}/)
    expect((await made('a', { Id: '' })).Id).toHaveLength(36)
  })
  it('generates an id instead of one that is none', async () => {
    for (const Id of ['abc', '12345678-1234', 5, null, `${randomUUID()}x`])
      expect((await made('a', { Id })).Id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  })
  it('takes every hyphenated identifier, RFC or not, and upper case as lower case', async () => {
    const Id = `${randomUUID().slice(0, 8)}-1234-1234-1234-123456789012`
    expect((await made('a', { Id: Id.toUpperCase() })).Id).toBe(Id)
    expect((await call('a', 'GET', `/api/leads/${Id.toUpperCase()}`)).body.data.lead).toMatchObject({ Id })
    expect(
      (await call('a', 'PUT', `/api/leads/${Id.toUpperCase()}`, { Id: Id.toUpperCase(), lastName: 'Otieno' })).body.data.lead,
    ).toMatchObject({ Id, lastName: 'Otieno' })
    expect((await call('a', 'POST', '/api/leads', body({ Id: Id.toUpperCase() }))).status).toBe(409)
    expect((await call('a', 'POST', '/api/leads/delete', { id: Id.toUpperCase() })).status).toBe(200)
  })
  it('reads a choice of a text column also as a number, as the console sends options that are whole numbers', async () => {
    expect(await made('a', { state: 2 })).toMatchObject({ state: '2' })
    expect(await call('a', 'POST', '/api/leads', body({ state: 3 }))).toMatchObject({
      status: 422,
      body: { fields: [{ field: 'state', message: 'is not one of 1, 2' }] },
    })
  })
  it('reads numbers that come as text, and empty text as nothing', async () => {
    expect(await made('a', { installmentAmount: '1200.50', latitude: '-1.28' })).toMatchObject({
      installmentAmount: 1200.5,
      latitude: -1.28,
    })
    expect(await made('a', { installmentAmount: ' ', latitude: '0' })).toMatchObject({ installmentAmount: null, latitude: 0 })
  })
  it('ignores what it knows and a form does not set', async () => {
    const record = await made('a', {
      status: 'Lost',
      tenantId: world.a.other.id,
      version: 7,
      dateCreated: '2020-01-01',
      assignedUserIdLabel: 'Nobody',
    })
    expect(record).toMatchObject({ status: 'New', tenantId: world.a.branch.id, version: 1, assignedUserIdLabel: null })
    expect(record.dateCreated).not.toMatch(/^2020/)
  })
  it("refuses an Id that is taken, naming it, also in nobody else's company", async () => {
    const { Id } = await made()
    const again = await call('a', 'POST', '/api/leads', body({ Id }))
    expect(again).toMatchObject({ status: 409, body: { code: 'ALREADY_EXISTS', fields: [{ field: 'Id' }] } })
    expect((await made('b', { Id })).Id).toBe(Id)
  })
  it.each([
    ['unknown', { nickname: 'x' }, 'nickname'],
    ['columns beyond the fields', { companyId: randomUUID() }, 'companyId'],
    ['wrong type', { firstName: 5 }, 'firstName'],
    ['digits in a name', { firstName: 'R2' }, 'firstName'],
    ['blank required', { lastName: '  ' }, 'lastName'],
    ['text that is no number', { installmentAmount: 'five' }, 'installmentAmount'],
    ['a number of another base', { latitude: '0x10' }, 'latitude'],
    ['a number that is none', { latitude: '1e999' }, 'latitude'],
    ['neither yes nor no', { onboarding: {}, latitude: true }, 'latitude'],
    ['third decimal', { installmentAmount: 1.005 }, 'installmentAmount'],
    ['NUL', { notes: 'a\0b' }, 'notes'],
    ['bad e-mail', { emailAddress: 'a@b' }, 'emailAddress'],
    ['reference to nobody', { assignedUserId: randomUUID() }, 'assignedUserId'],
    ['conditionally required', { type: 'Employed' }, 'employer'],
    ['prototype', JSON.parse('{"constructor":1}') as object, 'constructor'],
  ])('answers 422 naming the field: %s', async (_, more, field) => {
    const { status, body: answer } = await call('a', 'POST', '/api/leads', body(more))
    expect([status, answer.code, answer.fields.map((one) => one.field)]).toEqual([422, 'INVALID', [field]])
  })
  it('refuses a reference to a user of another company as if there were none', async () => {
    const { body: answer } = await call('a', 'POST', '/api/leads', body({ assignedUserId: world.b.userId }))
    expect(answer.fields).toEqual([{ field: 'assignedUserId', message: 'is not an active user in your reach' }])
  })
  it('names all wrong fields at once and what prepare refuses', async () => {
    const { body: answer } = await call('a', 'POST', '/api/leads', { firstName: '', extra: 1 })
    expect(answer.fields.map((one) => one.field).sort()).toEqual(['extra', 'firstName', 'lastName', 'phonenumber'])
    expect(await call('a', 'POST', '/api/leads', body({ firstName: 'Refused' }))).toMatchObject({
      status: 400,
      body: { code: 'DUPLICATE_LEAD' },
    })
  })
  it('names the fields of a unique index', async () => {
    expect((await call('a', 'POST', '/api/types', { name: 'Visit' })).status).toBe(200)
    expect(await call('a', 'POST', '/api/types', { name: 'Visit' })).toMatchObject({
      status: 409,
      body: { code: 'ALREADY_EXISTS', fields: [{ field: 'name' }] },
    })
  })
})

describe('get', () => {
  it('shows the record with the label of its references', async () => {
    const { Id } = await made('a', { assignedUserId: world.a.userId, notes: 'long' })
    const { body: answer } = await call('a', 'GET', `/api/leads/${Id}`)
    expect(answer.data.lead).toMatchObject({ Id, assignedUserId: world.a.userId, assignedUserIdLabel: 'Asha Alpha', notes: 'long' })
  })
  it('answers 404 alike for another company, another branch and nobody', async () => {
    const { Id } = await made('branch')
    const answers = [
      await call('b', 'GET', `/api/leads/${Id}`),
      await call('other', 'GET', `/api/leads/${Id}`),
      await call('a', 'GET', `/api/leads/${randomUUID()}`),
    ]
    expect(answers.map(({ status, body: { code, message } }) => [status, code, message])).toEqual(
      answers.map(() => [404, 'LEAD_NOT_FOUND', 'lead not found']),
    )
  })
  it('answers 422 to an id that is none', async () => {
    expect(await call('a', 'GET', '/api/leads/1')).toMatchObject({ status: 422, body: { fields: [{ field: 'id' }] } })
  })
})

describe('update', () => {
  it('changes only the named fields and raises the version', async () => {
    const { Id } = await made('a', { emailAddress: 'a@example.com' })
    const { body: answer } = await call('a', 'PUT', `/api/leads/${Id}`, { lastName: 'Otieno', emailAddress: '' })
    expect(answer.data.lead).toMatchObject({ firstName: 'Wanjiku', lastName: 'Otieno', emailAddress: null, version: 2 })
  })
  it('refuses an old version with the present record', async () => {
    const { Id } = await made()
    await call('a', 'PUT', `/api/leads/${Id}`, { lastName: 'Otieno', version: 1 })
    const late = await call('a', 'PUT', `/api/leads/${Id}`, { lastName: 'Late', version: 1 })
    expect(late).toMatchObject({ status: 409, body: { code: 'CONFLICT', details: { current: { lastName: 'Otieno', version: 2 } } } })
  })
  it('lets one of two writers of the same version through', async () => {
    const { Id } = await made()
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((lastName) => call('a', 'PUT', `/api/leads/${Id}`, { lastName, version: 1 })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
  })
  it('makes writers of a row wait for each other where no counter does', async () => {
    const { Id } = (await call('a', 'POST', '/api/roles', { name: 'Auditor' })).body.data.role as { Id: string }
    const answers = await Promise.all(
      ['One', 'Two', 'Three'].map((description) => call('a', 'PUT', `/api/roles/${Id}`, { description, version: 1 })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
    await Promise.all(['Four', 'Five'].map((description) => call('a', 'PUT', `/api/roles/${Id}`, { description })))
    expect(await oneRow('select version from role where id = $1', Id)).toEqual({ version: '4' })
  })
  it.each([
    ['createOnly', { source: 'x' }, 'source'],
    ['unknown', { nickname: 'x' }, 'nickname'],
    ['emptied required', { firstName: null }, 'firstName'],
    ['other Id', { Id: randomUUID() }, 'Id'],
  ])('answers 422: %s', async (_, change, field) => {
    const { Id } = await made()
    expect((await call('a', 'PUT', `/api/leads/${Id}`, change)).body.fields).toMatchObject([{ field }])
  })
  it('takes a record back as it was read: nothing changes and nothing is audited', async () => {
    const { Id } = await made('a', {
      source: 'Road show',
      emailAddress: 'a@example.com',
      installmentAmount: 1200.5,
      latitude: -1.283333,
      consentDate: '2026-11-20T08:00:00+03:00',
      onboarding: { step: 2, list: [1], at: null },
      assignedUserId: world.a.userId,
    })
    const { version: _, ...read } = (await call('a', 'GET', `/api/leads/${Id}`)).body.data.lead as Record<string, unknown>
    const { status, body: answer } = await call('a', 'PUT', `/api/leads/${Id}`, read)
    expect([status, answer.data.lead]).toEqual([200, { ...read, version: 2, dateModified: expect.any(String) as string }])
    expect(await oneRow('select count(*)::int as n from audit_log where "objectId" = $1 and action = $2', Id, 'lead.update')).toEqual({
      n: 0,
    })
  })
  it('audits of a whole record only what changed', async () => {
    const { Id } = await made('a', { emailAddress: 'a@example.com' })
    const { version: _, ...read } = (await call('a', 'GET', `/api/leads/${Id}`)).body.data.lead as Record<string, unknown>
    await call('a', 'PUT', `/api/leads/${Id}`, { ...read, lastName: 'Otieno', status: 'Lost' })
    expect(await oneRow('select before, after from audit_log where "objectId" = $1 and action = $2', Id, 'lead.update')).toEqual({
      before: { lastName: 'Kamau' },
      after: { lastName: 'Otieno' },
    })
    expect(await oneRow('select status from lead where id = $1', Id)).toEqual({ status: 'New' })
  })
  it('refuses a body that names another id than the path', async () => {
    const [mine, other] = [await made(), await made()]
    expect((await call('a', 'PUT', `/api/leads/${mine.Id}`, { id: other.Id, lastName: 'X' })).status).toBe(422)
  })
  it('answers 404 beyond company and reach, and changes nothing', async () => {
    const { Id } = await made('branch')
    expect((await call('b', 'PUT', `/api/leads/${Id}`, { lastName: 'Stolen' })).status).toBe(404)
    expect((await call('other', 'PUT', `/api/leads/${Id}`, { lastName: 'Stolen' })).status).toBe(404)
    expect(await oneRow('select "lastName", version from lead where id = $1', Id)).toEqual({ lastName: 'Kamau', version: '1' })
  })
  it('sets a single field that forms may not, from its options only', async () => {
    const { Id } = await made()
    expect((await call('a', 'PUT', `/api/leads/status/${Id}`, { status: 'Lost' })).body.data.lead).toMatchObject({
      status: 'Lost',
      version: 2,
    })
    expect((await call('a', 'PUT', `/api/leads/status/${Id}`, { status: 'Gone' })).body.fields).toMatchObject([{ field: 'status' }])
    expect((await call('a', 'PUT', `/api/leads/status/${Id}`, { status: 'New', lastName: 'X' })).body.fields).toMatchObject([
      { field: 'lastName' },
    ])
  })
})

describe('remove', () => {
  it('marks the rows and hides them', async () => {
    const [one, two] = [await made(), await made()]
    expect((await call('a', 'POST', '/api/leads/delete', { ids: [one.Id, two.Id] })).status).toBe(200)
    expect((await call('a', 'GET', `/api/leads/${one.Id}`)).status).toBe(404)
    expect(await oneRow('select "deletedAt" is not null as gone, version from lead where id = $1', two.Id)).toEqual({
      gone: true,
      version: '2',
    })
  })
  it('removes all or none: a foreign id, one of another branch or one refused keeps every row', async () => {
    const [mine, foreign] = [await made('branch'), await made('b')]
    const lost = await made('branch')
    await call('a', 'PUT', `/api/leads/status/${lost.Id}`, { status: 'Lost' })
    expect((await call('branch', 'POST', '/api/leads/delete', { ids: [mine.Id, foreign.Id] })).status).toBe(404)
    expect((await call('branch', 'POST', '/api/leads/delete', { ids: [mine.Id, lost.Id] })).status).toBe(409)
    expect((await call('other', 'POST', '/api/leads/delete', { id: mine.Id })).status).toBe(404)
    expect((await call('branch', 'GET', `/api/leads/${mine.Id}`)).status).toBe(200)
  })
  it('asks for id or ids, 500 at most', async () => {
    const tooMany = Array.from({ length: 501 }, () => randomUUID())
    for (const payload of [{}, { id: randomUUID(), ids: [randomUUID()] }, { ids: [] }, { ids: tooMany }, { id: 'x' }]) {
      expect((await call('a', 'POST', '/api/leads/delete', payload)).status).toBe(422)
    }
  })
  it('deletes rows that are not kept, and says when others still need them', async () => {
    const type = (await call('a', 'POST', '/api/types', { name: 'Call' })).body.data.activityType as { Id: string }
    await world.database.admin.query('alter table activity disable trigger require_stream')
    await world.database.admin.query(
      'insert into activity ("companyId", "tenantId", id, name, "activityTypeId", "startDate", "endDate", "createdUserId", "createdBy") values ($1,$2,gen_random_uuid(),$3,$4,now(),now(),$5,$6)',
      [world.a.id, world.a.branch.id, 'x', type.Id, world.a.userId, 'A'],
    )
    expect(await call('a', 'DELETE', `/api/types/${type.Id}`)).toMatchObject({ status: 409, body: { code: 'STILL_IN_USE' } })
    await world.database.admin.query('delete from activity')
    expect((await call('a', 'DELETE', `/api/types/${type.Id}`)).status).toBe(200)
    expect(await oneRow('select count(*)::int as n from activity_type where id = $1', type.Id)).toEqual({ n: 0 })
  })
})

describe('what a write leaves behind', () => {
  it('audits, announces, feeds and numbers each write', async () => {
    changes.length = 0
    const { Id } = await made('branch')
    await call('branch', 'PUT', `/api/leads/${Id}`, { lastName: 'Otieno' })
    await call('branch', 'POST', '/api/leads/delete', { id: Id })
    expect(changes).toEqual(
      ['created', 'updated', 'removed'].map((op) => ({
        companyId: world.a.id,
        resource: 'lead',
        ids: [Id],
        op,
        tenantIds: [world.a.branch.id],
      })),
    )
    const audit = await world.database.admin.query(
      'select action, before, after, "userId" from audit_log where "objectId" = $1 order by seq',
      [Id],
    )
    expect(audit.rows.map((row: { action: string }) => row.action)).toEqual(['lead.create', 'lead.update', 'lead.remove'])
    expect(audit.rows[1]).toMatchObject({ before: { lastName: 'Kamau' }, after: { lastName: 'Otieno' }, userId: world.a.userId })
    expect(await oneRow('select op, "tenantId", seq from sync_feed where "entityId" = $1', Id)).toMatchObject({
      op: 'gone',
      tenantId: world.a.branch.id,
    })
    const receipts = await world.database.admin.query('select seq, "changeType" from sync_receipt where "entityId" = $1 order by seq', [Id])
    expect(receipts.rows.map((row: { changeType: string }) => row.changeType)).toEqual(['INSERT', 'UPDATE', 'DELETE'])
    expect(
      await oneRow('select "syncSeq" = (select max(seq) from sync_receipt where "entityId" = $1) as same from lead where id = $1', Id),
    ).toEqual({ same: true })
  })
  it('leaves nothing behind when the write fails', async () => {
    const before = await oneRow(
      'select (select count(*) from audit_log) as audit, (select seq from sync_stream where "companyId" = $1) as seq',
      world.a.id,
    )
    changes.length = 0
    const { Id } = await made('b')
    await call('a', 'POST', '/api/leads/delete', { ids: [Id] })
    await call('a', 'POST', '/api/leads', body({ assignedUserId: randomUUID() }))
    expect(changes.filter((change) => change.companyId === world.a.id)).toEqual([])
    const after = await oneRow(
      'select (select count(*) from audit_log where "companyId" = $1) as mine, (select seq from sync_stream where "companyId" = $1) as seq',
      world.a.id,
    )
    expect(after.seq).toBe(before.seq)
  })
})

describe('permission', () => {
  it('comes before input, and after the session', async () => {
    expect((await call('nobody', 'POST', '/api/leads', { bad: 1 })).status).toBe(401)
    expect((await call('reader', 'POST', '/api/leads', { bad: 1 })).status).toBe(403)
  })
  it('holds row-level security behind the kernel: a where-clause that forgot the company shows nothing of others', async () => {
    await made('b')
    const rows = await ctxOf(world, world.a).sql.query(sql`select 1 from lead where "companyId" = ${world.b.id}::uuid`)
    expect(rows).toEqual([])
  })
})
