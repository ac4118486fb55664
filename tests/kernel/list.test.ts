import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { sql } from '@outpost/platform/db/sql'
import { anySession, defineArea, route } from '../../apps/server/src/kernel/area.ts'
import { receiveChange } from '../../apps/server/src/kernel/realtime/announce.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import { list } from '../../apps/server/src/kernel/resource/operations.ts'
import { appOf, ctxOf, makeWorld, type World } from './world.ts'

const user = defineResource({
  model: 'user',
  one: 'user',
  many: 'users',
  label: 'User',
  labelMany: 'Users',
  title: 'name',
  fields: {
    name: { kind: 'text', label: 'Name', sql: `concat_ws(' ', t."firstName", t."lastName")` },
    userName: { kind: 'text', label: 'User name' },
  },
  list: { columns: ['name'], sort: ['name', 'ASC'], size: 1_000_000 },
})

const lead = defineResource({
  model: 'lead',
  one: 'lead',
  many: 'leads',
  label: 'Lead',
  labelMany: 'Leads',
  title: 'firstName',
  isScoped: true,
  isSoftDeleted: true,
  fields: {
    firstName: { kind: 'personName', label: 'First name' },
    city: { kind: 'text', label: 'Town' },
    idNumber: { kind: 'idNumber', label: 'ID number', sensitive: true },
    status: {
      kind: 'choice',
      label: 'Status',
      options: [
        { value: 'New', label: 'New' },
        { value: 'Lost', label: 'Lost' },
      ],
    },
    installmentAmount: { kind: 'money', label: 'Instalment' },
    consentDate: { kind: 'dateTime', label: 'Consent' },
    dateCreated: { kind: 'dateTime', label: 'Captured', readOnly: true },
    assignedUserId: { kind: 'reference', label: 'Agent', to: 'user' },
    notes: { kind: 'longText', label: 'Notes', detailOnly: true },
  },
  list: {
    columns: ['firstName', 'city', 'idNumber', 'status', 'installmentAmount', 'consentDate', 'dateCreated', 'assignedUserId'],
    search: ['firstName'],
    sort: ['dateCreated', 'DESC'],
    size: 25,
    dates: {
      created: { label: 'Captured', field: 'dateCreated', window: { kind: 'week' } },
      consent: { label: 'Consent', field: 'consentDate', window: { kind: 'around', back: 1, ahead: 7 } },
    },
  },
})
const errorLog = defineResource({
  model: 'errorLog',
  one: 'errorLog',
  many: 'errorLogs',
  label: 'Error',
  labelMany: 'Errors',
  title: 'entityType',
  isScoped: true,
  fields: { entityType: { kind: 'text', label: 'Kind' }, errorDetail: { kind: 'longText', label: 'Detail' } },
  list: { columns: ['entityType', 'errorDetail'], search: ['entityType', 'errorDetail'], sort: ['dateCreated', 'DESC'], size: 10_000 },
})

const area = defineArea({
  name: 'test',
  resources: [lead, user, errorLog],
  routes: [
    route('leads.list', 'GET', '/api/leads', anySession, list(lead)),
    route('leads.window', 'GET', '/api/leads/window', anySession, list(lead, { dateType: 'created', size: 1_000 })),
    route('leads.deleted', 'GET', '/api/leads/deleted', anySession, list(lead, { rows: 'deleted', many: 'deletedLeads' })),
    route(
      'leads.byCity',
      'GET',
      '/api/leads/city/:city',
      anySession,
      list(lead, {
        extra: { city: z.string(), least: z.coerce.number().optional() },
        where: (_, { city, least }) => sql`t."city" = ${city} and coalesce(t."installmentAmount", 0) >= ${least ?? 0}`,
      }),
    ),
    route('users.list', 'GET', '/api/users', anySession, list(user)),
    route('errors.list', 'GET', '/api/errors', anySession, list(errorLog)),
  ],
})

interface Page {
  success: boolean
  data: Record<string, Record<string, unknown>[]>
  meta: { page: number; size: number; total: number; estimated?: boolean }
  code?: string
  fields?: { field: string; message: string }[]
}
let world: World
let app: FastifyInstance

beforeAll(async () => {
  world = await makeWorld()
  const {
    a,
    b,
    database: { admin },
  } = world
  await admin.query('alter table lead disable trigger require_stream')
  const leads = (company: typeof a, tenantId: string, from: number, count: number) =>
    admin.query(
      `
    insert into lead ("companyId", id, "tenantId", "firstName", "lastName", "phonenumber", "trimmedPhonenumber", "createdByUserId", "leadCreatedBy", city, "idNumber", status, "installmentAmount", "assignedUserId", "dateCreated", notes)
    select $1, gen_random_uuid(), $2, 'Name' || n, 'Family', '07' || n, '2547' || n, $3, 'x', (array['Nairobi','Kisumu','50% off_\\x'])[n % 3 + 1], '1234567890' || n, case when n % 2 = 0 then 'New' else 'Lost' end,
      case when n % 5 = 0 then null else n + 0.5 end, case when n % 2 = 0 then $3::uuid end, now() - n * interval '1 day', 'secret note'
    from generate_series($4::int, $5::int) n`,
      [company.id, tenantId, company.userId, from, from + count - 1],
    )
  await leads(a, a.branch.id, 100, 60)
  await leads(a, a.other.id, 160, 40)
  await leads(b, b.branch.id, 100, 7)
  await admin.query(`update lead set "deletedAt" = now() where "firstName" = 'Name199'`)
  app = await appOf(
    { areas: [area] },
    { a: ctxOf(world, a), b: ctxOf(world, b), branch: ctxOf(world, a, { scope: [a.branch.id] }), none: ctxOf(world, a, { scope: [] }) },
  )
})
afterAll(async () => {
  await app.close()
  await world.close()
})

async function page(url: string, who = 'a'): Promise<Page & { status: number }> {
  const response = await app.inject({ url, headers: { authorization: who } })
  return { status: response.statusCode, ...response.json<Page>() }
}
const names = ({ data }: Page) => data.leads?.map((row) => row.firstName)
const filter = (...terms: object[]) => `filter=${encodeURIComponent(JSON.stringify(terms))}`

describe('a page', () => {
  it('is the newest rows with wire values', async () => {
    const answer = await page('/api/leads')
    expect(answer).toMatchObject({ success: true, meta: { page: 1, size: 25, total: 99 } })
    expect(answer.data.leads).toHaveLength(25)
    expect(answer.data.leads?.[0]).toEqual({
      Id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      tenantId: world.a.branch.id,
      version: 1,
      dateModified: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      firstName: 'Name100',
      city: 'Kisumu',
      idNumber: `${'*'.repeat(9)}0100`,
      status: 'New',
      installmentAmount: null,
      consentDate: null,
      dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
      assignedUserId: world.a.userId,
      assignedUserIdLabel: 'Asha Alpha',
    })
    expect(answer.data.leads?.[1]).toMatchObject({
      firstName: 'Name101',
      installmentAmount: 101.5,
      assignedUserId: null,
      assignedUserIdLabel: null,
    })
  })
  it('turns pages without gap or repeat', async () => {
    const pages = await Promise.all([1, 2, 3, 4, 5].map((n) => page(`/api/leads?page=${n}&size=25`)))
    const seen = pages.flatMap((one) => names(one) ?? [])
    expect(seen).toHaveLength(99)
    expect(new Set(seen).size).toBe(99)
    expect(pages.map((one) => one.data.leads?.length)).toEqual([25, 25, 25, 24, 0])
  })
  it('keeps to company, reach and living rows', async () => {
    expect((await page('/api/leads?size=1000', 'b')).meta.total).toBe(7)
    expect((await page('/api/leads?size=1000', 'branch')).data.leads?.every((row) => row.tenantId === world.a.branch.id)).toBe(true)
    expect((await page('/api/leads', 'branch')).meta.total).toBe(60)
    expect((await page('/api/leads', 'none')).meta.total).toBe(0)
    expect((await page('/api/leads/deleted')).data.deletedLeads?.map((row) => row.firstName)).toEqual(['Name199'])
  })
  it('keeps to company and reach by itself, even where row-level security were off', async () => {
    const { admin } = world.database
    await admin.query('alter table lead disable row level security')
    try {
      expect((await page('/api/leads?size=999', 'b')).data.leads).toHaveLength(7)
      expect((await page('/api/leads?size=999', 'branch')).data.leads).toHaveLength(60)
      expect((await page('/api/leads?size=999&search=NAME1', 'b')).data.leads).toHaveLength(7)
    } finally {
      await admin.query('alter table lead enable row level security')
    }
  })
  it('streams above 10,000 rows in the same shape', async () => {
    await world.database.admin.query(
      `insert into error_log ("companyId", id, "tenantId", "userId", "entityType", "errorDetail") select $1, gen_random_uuid(), $2, $3, 'x', 'd' || n from generate_series(1, 10500) n`,
      [world.a.id, world.a.branch.id, world.a.userId],
    )
    const streamed = await page('/api/errors?size=1000000')
    expect(streamed.data.errorLogs).toHaveLength(10_500)
    expect(streamed.meta).toMatchObject({ page: 1, size: 1_000_000, estimated: true })
    expect(streamed.meta.total).toBeGreaterThan(10_000)
    expect(new Set(streamed.data.errorLogs?.map((row) => row.Id)).size).toBe(10_500)
    expect((await page('/api/errors?size=10000')).data.errorLogs).toHaveLength(10_000)
    expect((await page('/api/errors?size=20000&search=d10499')).data.errorLogs).toHaveLength(1)
    expect((await page('/api/users')).data.users).toMatchObject([{ name: 'Asha Alpha' }])
  })
})

describe('sort', () => {
  it('takes listed fields in either order, any case of the word', async () => {
    expect(names(await page('/api/leads?sortField=firstName&sortOrder=asc&size=2'))).toEqual(['Name100', 'Name101'])
    expect(names(await page('/api/leads?sortField=firstName&sortOrder=DESC&size=2'))).toEqual(['Name198', 'Name197'])
    const byMoney = await page('/api/leads?sortField=installmentAmount&sortOrder=DESC&size=1')
    expect(byMoney.data.leads?.[0]?.installmentAmount).toBe(198.5)
    expect((await page('/api/leads?sortField=assignedUserId&sortOrder=ASC&size=1')).data.leads?.[0]?.assignedUserIdLabel).toBe('Asha Alpha')
  })
  it('takes several fields, each with its order, DESC where none is said', async () => {
    const cities = async (url: string) => (await page(url)).data.leads?.map((row) => [row.status, row.city, row.firstName] as const) ?? []
    const sorted = (rows: Awaited<ReturnType<typeof cities>>, signs: number[]) =>
      rows.toSorted((a, b) => signs.reduce((so, sign, at) => so || sign * (a[at]! < b[at]! ? -1 : Number(a[at]! > b[at]!)), 0))
    const all = await cities('/api/leads?sortField=status,city,firstName&sortOrder=ASC,DESC,asc&size=500')
    expect(all).toHaveLength(99)
    expect(all).toEqual(sorted(all, [1, -1, 1]))
    expect(all[0]?.[0]).toBe('Lost')
    expect(await cities('/api/leads?sortField=status,%20city,firstName&sortOrder=ASC&size=500')).toEqual(sorted(all, [1, -1, -1]))
  })
  it('turns pages of a sort with many equals without gap or repeat', async () => {
    const pages = await Promise.all(
      [1, 2, 3, 4, 5].map((n) => page(`/api/leads?page=${n}&size=20&sortField=status,city&sortOrder=DESC,ASC`)),
    )
    expect(new Set(pages.flatMap((one) => names(one) ?? [])).size).toBe(99)
  })
  it.each([
    ['status,notes', 'ASC', 'sortField'],
    ['status,status', 'ASC', 'sortField'],
    ['status,', 'ASC', 'sortField'],
    ['status', 'ASC,DESC', 'sortOrder'],
    ['status', 'UP', 'sortOrder'],
    ['firstName,city,idNumber,status,consentDate,dateCreated', '', 'sortField'],
  ])('refuses %s by %s', async (field, order, wrong) => {
    const answer = await page(`/api/leads?sortField=${field}${order ? `&sortOrder=${order}` : ''}`)
    expect(answer.status).toBe(422)
    expect(answer.fields?.[0]?.field).toMatch(new RegExp(`^${wrong}`))
  })
  it.each(['notes', 'companyId', 'trimmedPhonenumber', 'firstName;drop table lead', 't."notes"'])('refuses %s', async (field) => {
    expect(await page(`/api/leads?sortField=${encodeURIComponent(field)}`)).toMatchObject({ status: 422, fields: [{ field: 'sortField' }] })
  })
})

describe('search', () => {
  it.each(['', '%%', '%25%25', '%20%25%25%20'])('%j is no filter', async (text) => {
    expect((await page(`/api/leads?search=${text.includes('%2') ? text : encodeURIComponent(text)}`)).meta.total).toBe(99)
  })
  it('finds parts of words in any case, trimmed', async () => {
    expect(names(await page(`/api/leads?search=${encodeURIComponent('  ame101 ')}`))).toEqual(['Name101'])
    expect((await page('/api/leads?search=NAME10')).meta.total).toBe(10)
  })
  it('takes one and two characters', async () => {
    expect((await page('/api/leads?search=e9')).meta.total).toBe(0)
    expect((await page('/api/leads?search=19&size=100')).data.leads?.length).toBeGreaterThan(5)
  })
  it.each(['%1', '_ame', '\\'])('takes %s as text', async (text) => {
    expect((await page(`/api/leads?search=${encodeURIComponent(text)}`)).meta.total).toBe(0)
  })
  it('stays inside company and reach', async () => {
    expect((await page('/api/leads?search=NAME10', 'b')).data.leads).toHaveLength(7)
    expect((await page('/api/leads?search=NAME17', 'branch')).meta.total).toBe(0)
  })
  it('walks the list when the word is common', async () => {
    await world.database.admin.query(
      `insert into lead ("companyId", id, "tenantId", "firstName", "lastName", "phonenumber", "trimmedPhonenumber", "createdByUserId", "leadCreatedBy")
      select $1, gen_random_uuid(), $2, 'Common', 'Word', '0', '0', $3, 'x' from generate_series(1, 2100)`,
      [world.b.id, world.b.other.id, world.b.userId],
    )
    receiveChange({ companyId: world.b.id, resource: 'lead', ids: [], op: 'created', tenantIds: [] })
    const answer = await page('/api/leads?search=common', 'b')
    expect([answer.data.leads?.length, answer.meta.total]).toEqual([25, 2_100])
  })
})

describe('filter', () => {
  const total = async (...terms: object[]) => (await page(`/api/leads?${filter(...terms)}`)).meta.total
  it('knows the operators of each kind', async () => {
    expect(await total({ field: 'status', op: 'eq', value: 'New' })).toBe(50)
    expect(await total({ field: 'status', op: 'in', value: ['New', 'Lost'] })).toBe(99)
    expect(await total({ field: 'status', op: 'ne', value: 'New' })).toBe(49)
    expect(await total({ field: 'city', op: 'contains', value: '50% off_\\' })).toBe(33)
    expect(await total({ field: 'city', op: 'contains', value: '5%o' })).toBe(0)
    expect(await total({ field: 'installmentAmount', op: 'gte', value: 190 })).toBe(7)
    expect(await total({ field: 'installmentAmount', op: 'empty' })).toBe(20)
    expect(await total({ field: 'assignedUserId', op: 'eq', value: world.a.userId })).toBe(50)
    expect(await total({ field: 'status', op: 'eq', value: 'New' }, { field: 'installmentAmount', op: 'notEmpty' })).toBe(40)
  })
  it.each([
    [{ field: 'notes', op: 'contains', value: 'secret' }],
    [{ field: 'idNumber', op: 'contains', value: '1' }],
    [{ field: 'companyId', op: 'ne', value: 'x' }],
    [{ field: 'status', op: 'contains', value: 'x' }],
    [{ field: 'installmentAmount', op: 'eq', value: "1'; drop" }],
    [{ field: 'assignedUserId', op: 'eq', value: 'x' }],
    [{ field: 'dateCreated', op: 'gte', value: 'soon' }],
    [{ field: 'dateCreated', op: 'gte', value: '2026-02-31T99:00' }],
    [{ field: 'status', op: 'like', value: 'x' }],
    [{ field: 'status', op: 'eq' }],
    [{ field: 'status', op: 'eq', value: 'New', or: 1 }],
  ])('answers 422 to %j', async (term) => {
    const answer = await page(`/api/leads?${filter(term)}`)
    expect([answer.status, answer.fields?.[0]?.field.split('.')[0]]).toEqual([422, 'filter'])
  })
  it('joins conditions in groups of all or of any, one in the other', async () => {
    const [isNew, isLost, hasAmount] = [
      { field: 'status', op: 'eq', value: 'New' },
      { field: 'status', op: 'eq', value: 'Lost' },
      { field: 'installmentAmount', op: 'notEmpty' },
    ]
    const [news, lost, newsWith, lostWith] = [
      await total(isNew),
      await total(isLost),
      await total(isNew, hasAmount),
      await total(isLost, hasAmount),
    ]
    expect(await total({ any: [isNew, isLost] })).toBe(news + lost)
    expect(await total({ all: [isNew, hasAmount] })).toBe(newsWith)
    expect(await total({ any: [isLost, { all: [isNew, hasAmount] }] })).toBe(lost + newsWith)
    expect(await total(hasAmount, { any: [isNew, isLost] })).toBe(newsWith + lostWith)
    expect(await total({ all: [{ any: [isNew, isLost] }, { any: [hasAmount] }] })).toBe(newsWith + lostWith)
    expect(newsWith).toBeGreaterThan(0)
    // The walls hold around every group: nobody gets past them by an "or".
    expect(
      await total({
        any: [
          { field: 'status', op: 'ne', value: 'New' },
          { field: 'status', op: 'eq', value: 'New' },
        ],
      }),
    ).toBe(await total())
  })
  it.each([
    [[{ any: [] }], 'filter.0.any', 'needs a list of conditions'],
    [[{ any: 'x' }], 'filter.0.any', 'needs a list of conditions'],
    [[{ any: [{ field: 'status', op: 'eq', value: 'New' }], all: [] }], 'filter.0', 'is a group of "all" or of "any", and nothing else'],
    [
      [{ all: [{ any: [{ all: [{ field: 'status', op: 'empty' }] }] }] }],
      'filter.0.all.0.any.0',
      'is nested too deep: groups may lie in 1 other at most',
    ],
    [[{ any: [{ field: 'status', op: 'like' }] }], 'filter.0.any.0.op', undefined],
    [[{ any: [{ field: 'notes', op: 'empty' }] }], 'filter', 'notes is not a field that can be filtered'],
    [[{ any: [{ field: 'status', op: 'empty', or: 1 }] }], 'filter.0.any.0.or', 'is not known or may not be set here'],
    [
      [
        { all: Array.from({ length: 11 }, () => ({ field: 'status', op: 'notEmpty' })) },
        ...Array.from({ length: 10 }, () => ({ field: 'status', op: 'notEmpty' })),
      ],
      'filter',
      'may hold 20 conditions at most',
    ],
    [{ field: 'status', op: 'empty' }, 'filter', 'is not a list of conditions'],
    [[null], 'filter.0', undefined],
  ])('names what is wrong in %j', async (given, field, message) => {
    const answer = await page(`/api/leads?filter=${encodeURIComponent(JSON.stringify(given))}`)
    expect([answer.status, answer.fields]).toMatchObject([422, [{ field, ...(message ? { message } : {}) }]])
  })
  it('answers 422 to text that is not JSON and to unknown parameters', async () => {
    expect(await page('/api/leads?filter=x')).toMatchObject({ status: 422, fields: [{ field: 'filter', message: 'is not JSON' }] })
    expect(await page('/api/leads?sortfield=firstName')).toMatchObject({ status: 422, fields: [{ field: 'sortfield' }] })
    expect(await page('/api/leads?page=0&size=abc')).toMatchObject({ status: 422, fields: [{ field: 'page' }, { field: 'size' }] })
    expect((await page('/api/leads?size=1000001')).status).toBe(422)
  })
})

describe('date windows', () => {
  it('defaults to the current week, Monday first, where the call says so', async () => {
    const { admin } = world.database
    const set = (name: string, when: string) =>
      admin.query(`update lead set "dateCreated" = ${when} where "firstName" = $1 and "companyId" = $2`, [name, world.a.id])
    const monday = `(date_trunc('week', now() at time zone 'Africa/Nairobi') at time zone 'Africa/Nairobi')`
    await set('Name110', monday)
    await set('Name111', `${monday} - interval '1 second'`)
    await set('Name112', `${monday} + interval '7 days' - interval '1 second'`)
    await set('Name113', `${monday} + interval '7 days'`)
    expect(
      names(await page('/api/leads/window?sortOrder=ASC&sortField=dateCreated'))?.filter((name) => /11[0-3]/.test(String(name))),
    ).toEqual(['Name110', 'Name112'])
    expect((await page('/api/leads/window')).meta.size).toBe(1_000)
  })
  it("takes days in the company's time zone, both ends included", async () => {
    await world.database.admin.query(`update lead set "consentDate" = '2026-03-10T21:30:00Z' where "firstName" = 'Name120'`)
    expect((await page('/api/leads?dateType=consent&startDate=2026-03-11&endDate=2026-03-11')).meta.total).toBe(1)
    expect((await page('/api/leads?dateType=consent&startDate=2026-03-10&endDate=2026-03-10')).meta.total).toBe(0)
    expect((await page('/api/leads?dateType=consent&startDate=2026-03-10T21:00:00Z&endDate=2026-03-10T21:30:00Z')).meta.total).toBe(1)
    expect((await page('/api/leads?dateType=consent')).meta.total).toBe(0)
    expect((await page(`/api/leads?${filter({ field: 'consentDate', op: 'eq', value: '2026-03-11' })}`)).meta.total).toBe(1)
  })
  it('names a wrong type or date', async () => {
    expect(await page('/api/leads?dateType=born')).toMatchObject({
      status: 422,
      fields: [{ field: 'dateType', message: 'is not one of created, consent' }],
    })
    expect(await page('/api/leads?startDate=yesterday')).toMatchObject({ status: 422, fields: [{ field: 'startDate' }] })
    expect(await page('/api/errors?startDate=2026-01-01')).toMatchObject({ status: 422, fields: [{ field: 'startDate' }] })
  })
})

describe('parameters of its own', () => {
  it('reach the condition, typed', async () => {
    expect((await page('/api/leads/city/Kisumu')).meta.total).toBe(33)
    expect((await page('/api/leads/city/Kisumu?least=190')).data.leads?.every((row) => Number(row.installmentAmount) >= 190)).toBe(true)
    expect((await page('/api/leads/city/Kisumu?city=Nairobi')).status).toBe(422)
  })
})

describe('totals', () => {
  it('are remembered until a record changes', async () => {
    const changed = () => receiveChange({ companyId: world.a.id, resource: 'lead', ids: [], op: 'updated', tenantIds: [] })
    const total = async () => (await page('/api/leads', 'branch')).meta.total
    changed()
    const before = await total()
    await world.database.admin.query(`update lead set "deletedAt" = now() where "firstName" = 'Name151'`)
    expect(await total()).toBe(before)
    changed()
    expect(await total()).toBe(before - 1)
  })
})
