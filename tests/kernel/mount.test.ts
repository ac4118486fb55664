import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { errorTable, fail } from '@outpost/contract/errors'
import type { Permission } from '@outpost/contract/permissions'
import { createCounters } from '@outpost/platform/http/counters'
import { sql } from '@outpost/platform/db/sql'
import { anySession, defineArea, may, open, route } from '../../apps/server/src/kernel/area.ts'
import { openapiDocument } from '../../apps/server/src/kernel/openapi.ts'
import { defineResource } from '../../apps/server/src/kernel/resource/define.ts'
import { command, get, list, noInput, publicCommand, query } from '../../apps/server/src/kernel/resource/operations.ts'
import type { Area, Ctx } from '../../apps/server/src/kernel/types.ts'
import { answerCheck, wrongIn } from '../support/answers.ts'
import { appOf, ctxOf, log, makeWorld, type World } from './world.ts'

let world: World
let app: FastifyInstance
const done: string[] = []

const insertLabel = (ctx: Ctx, label: string) =>
  ctx.sql.exec(sql`insert into language_label ("companyId", id, label, value) values (${ctx.company.id}, uuidv7(), ${label}, 'x')`)

const area = defineArea({
  name: 'test',
  routes: [
    route(
      't.public',
      'POST',
      '/api/public',
      open('test'),
      publicCommand(z.strictObject({ word: z.string() }), ({ word }) => ({ data: { word } })),
      { limit: 3 },
    ),
    route(
      't.echo',
      'POST',
      '/api/echo/:id',
      anySession,
      query(z.looseObject({}), (_, input) => ({ data: input })),
    ),
    route(
      't.admin',
      'GET',
      '/api/admin',
      may('ADMIN/USERS', 'ADMIN/ROLES'),
      query(noInput, () => ({ data: {} })),
    ),
    route(
      't.save',
      'POST',
      '/api/save',
      anySession,
      command(z.strictObject({ label: z.string(), outcome: z.enum(['fail', 'break', 'go']) }), async (ctx, { label, outcome }) => {
        await insertLabel(ctx, label)
        ctx.afterCommit(() => void done.push(label))
        if (outcome === 'fail') fail('CONFLICT')
        if (outcome === 'break') throw new Error('secret detail of the inside')
        return { data: { isTransaction: ctx.isTransaction }, message: 'Saved.', status: 201 }
      }),
    ),
    route(
      't.own',
      'POST',
      '/api/own',
      anySession,
      command(noInput, (ctx) => ({ data: { isTransaction: ctx.isTransaction } })),
      { ownTransaction: true },
    ),
    route(
      't.read',
      'GET',
      '/api/read',
      anySession,
      query(noInput, async (ctx) => {
        await insertLabel(ctx, 'never')
        return { data: {} }
      }),
    ),
    route(
      't.sql',
      'GET',
      '/api/sql/:what',
      anySession,
      query(z.strictObject({ what: z.enum(['value', 'other']) }), async (ctx, { what }) => {
        await ctx.sql.query(what === 'value' ? sql`select ${'x'}::uuid` : sql`select nothing from nowhere`)
        return { data: {} }
      }),
    ),
    route(
      't.file',
      'GET',
      '/api/file',
      anySession,
      query(noInput, () => ({ file: { name: 'Märchen "1".txt', mimeType: 'text/plain', body: Buffer.from('hello') } })),
      { sends: 'text/plain' },
    ),
    route(
      't.values',
      'GET',
      '/api/values',
      anySession,
      query(noInput, () => ({ data: { big: 5n, at: new Date(0), none: null } })),
    ),
    route(
      't.rows',
      'GET',
      '/api/rows/:how',
      anySession,
      query(z.strictObject({ how: z.string() }), (_, { how }) => ({
        rows: rowsThat(how),
        many: 'things',
        meta: { page: 1, size: 20_000 },
      })),
    ),
    route(
      't.limited',
      'GET',
      '/api/limited',
      anySession,
      query(noInput, () => ({ data: {} })),
      { limit: 2 },
    ),
  ],
})

async function* rowsThat(how: string): AsyncGenerator<string> {
  for (let n = 0; n < 20_000; n += 1) {
    if (how === 'break' && n === 15_000) throw new Error('midway')
    yield `{"n":${n}}`
  }
}

beforeAll(async () => {
  world = await makeWorld()
  app = await appOf(
    { areas: [area], counters: createCounters({ log }) },
    {
      a: ctxOf(world, world.a),
      roles: ctxOf(world, world.a, { permissions: ['ADMIN/ROLES'] }),
      global: ctxOf(world, world.a, { isGlobal: true }),
      parent: ctxOf(world, world.a, { permissions: ['ADMIN/USERS/CREATE'] }),
    },
  )
})
afterAll(async () => {
  await app.close()
  await world.close()
})

const call = async (who: string | undefined, method: 'GET' | 'POST', url: string, payload?: object | string) => {
  const response = await app.inject({
    method,
    url,
    headers: { ...(who ? { authorization: who } : {}), ...(payload === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(payload === undefined ? {} : { payload }),
  })
  return {
    status: response.statusCode,
    headers: response.headers,
    text: response.body,
    body: (response.headers['content-type']?.startsWith('application/json') ? response.json() : {}) as Record<string, never>,
  }
}
const labels = async () =>
  (await world.database.admin.query<{ label: string }>('select label from language_label order by label')).rows.map((row) => row.label)

describe('the chain', () => {
  it('asks for a session, then the permission, then the input', async () => {
    expect((await call(undefined, 'GET', '/api/admin')).status).toBe(401)
    expect((await call('a', 'GET', '/api/admin?bad=1')).status).toBe(403)
    expect((await call('parent', 'GET', '/api/admin')).status).toBe(403)
    expect((await call('roles', 'GET', '/api/admin?bad=1')).status).toBe(422)
    expect((await call('roles', 'GET', '/api/admin/')).status).toBe(200)
    expect((await call('global', 'GET', '/api/admin')).status).toBe(200)
  })
  it('needs no session where the route is public', async () => {
    expect((await call(undefined, 'POST', '/api/public', { word: 'hi' })).body).toEqual({ success: true, data: { word: 'hi' } })
  })
  it('merges path, query and body, and refuses a name said twice differently', async () => {
    expect((await call('a', 'POST', '/api/echo/7?b=2&empty=&_dc=1', { c: 3 })).body).toEqual({
      success: true,
      data: { id: '7', b: '2', c: 3 },
    })
    expect((await call('a', 'POST', '/api/echo/7', { id: '8' })).body).toMatchObject({ code: 'INVALID', fields: [{ field: 'id' }] })
    expect((await call('a', 'POST', '/api/echo/7', '[1]')).status).toBe(422)
    expect((await call('a', 'POST', '/api/echo/7', '{bad')).status).toBe(400)
    const polluted = await call('a', 'POST', '/api/echo/7', '{"__proto__":{"isAdmin":true},"c":1}')
    expect(polluted.text).not.toContain('isAdmin')
  })
  it('saves in one transaction and runs effects after the commit only', async () => {
    expect(await call('a', 'POST', '/api/save', { label: 'kept', outcome: 'go' })).toMatchObject({
      status: 201,
      body: { success: true, data: { isTransaction: true }, message: 'Saved.' },
    })
    expect((await call('a', 'POST', '/api/save', { label: 'failed', outcome: 'fail' })).status).toBe(409)
    expect((await call('a', 'POST', '/api/save', { label: 'broken', outcome: 'break' })).status).toBe(500)
    expect(await labels()).toEqual(['kept'])
    expect(done).toEqual(['kept'])
    expect((await call('a', 'POST', '/api/own', {})).body).toMatchObject({ data: { isTransaction: false } })
  })
  it('gives reads a connection that cannot write', async () => {
    expect((await call('a', 'GET', '/api/read')).status).toBe(500)
    expect(await labels()).not.toContain('never')
  })
})

describe('answers', () => {
  it('answer errors in one shape and reveal nothing of the inside', async () => {
    const broken = await call('a', 'POST', '/api/save', { label: 'x', outcome: 'break' })
    expect(broken.body).toEqual({
      success: false,
      code: 'UNKNOWN',
      status: 500,
      message: errorTable.UNKNOWN.message,
      requestId: expect.any(String) as string,
    })
    expect(broken.text).not.toContain('secret')
    expect((await call('a', 'GET', '/api/sql/value')).body).toMatchObject({ code: 'INVALID' })
    const other = await call('a', 'GET', '/api/sql/other')
    expect([other.status, other.text.includes('nowhere')]).toEqual([500, false])
    // A name taken twice in a statement of an area's own.
    await call('a', 'POST', '/api/save', { label: 'twice', outcome: 'go' })
    expect((await call('a', 'POST', '/api/save', { label: 'twice', outcome: 'go' })).body).toMatchObject({ code: 'ALREADY_EXISTS' })
  })
  it('write counters and times as the wire has them', async () => {
    expect((await call('a', 'GET', '/api/values')).body).toEqual({
      success: true,
      data: { big: 5, at: '1970-01-01T00:00:00.000Z', none: null },
    })
  })
  it('send files as attachments that run nothing', async () => {
    const { headers, text } = await call('a', 'GET', '/api/file')
    expect(text).toBe('hello')
    expect(headers['content-disposition']).toBe(`attachment; filename="M_rchen _1_.txt"; filename*=UTF-8''M%C3%A4rchen%20%221%22.txt`)
    expect([headers['x-content-type-options'], headers['content-security-policy']]).toEqual(['nosniff', "default-src 'none'; sandbox"])
  })
  it('stream rows as one envelope, and break the connection when they fail midway', async () => {
    const whole = (await call('a', 'GET', '/api/rows/whole')).body as unknown as { data: { things: unknown[] }; meta: object }
    expect([whole.data.things.length, whole.meta]).toEqual([20_000, { page: 1, size: 20_000 }])
    await expect(call('a', 'GET', '/api/rows/break')).rejects.toThrow()
  })
  it('limit a route by caller', async () => {
    const statuses = []
    for (const who of ['a', 'a', 'a', 'roles']) statuses.push((await call(who, 'GET', '/api/limited')).status)
    // Both callers are the same user.
    expect(statuses).toEqual([200, 200, 429, 429])
  })
})

describe('does not start', () => {
  const good = () =>
    route(
      'x.a',
      'GET',
      '/api/x/:id',
      anySession,
      query(noInput, () => ({ data: {} })),
    )
  const start = (...areas: Area[]) => appOf({ areas }, {})
  it.each([
    ['without access', { ...good(), access: undefined as never }, 'declares no access'],
    ['with no permission named', { ...good(), access: { kind: 'permission', anyOf: [] } as const }, 'names no permission'],
    ['with an unknown permission', { ...good(), access: may('ADMIN/NOTHING' as Permission) }, 'unknown permission ADMIN/NOTHING'],
    ['public with a ctx', { ...good(), access: open('x') }, 'a public route takes a public operation'],
  ])('%s', async (_, bad, message) => {
    await expect(start(defineArea({ name: 'x', routes: [bad] }))).rejects.toThrow(message)
  })
  it('with a name or an address twice', async () => {
    await expect(start(defineArea({ name: 'x', routes: [good(), { ...good(), path: '/api/y' }] }))).rejects.toThrow(
      'route x.a is declared twice',
    )
    await expect(start(defineArea({ name: 'x', routes: [good(), { ...good(), name: 'x.b', path: '/api/x/:other/' }] }))).rejects.toThrow(
      'GET /api/x/: is mounted twice',
    )
  })
})

describe('the API document', () => {
  it('names every call with its permissions and input', () => {
    const document = openapiDocument([area], '1') as { paths: Record<string, Record<string, Record<string, unknown>>> }
    expect(Object.values(document.paths).flatMap((path) => Object.keys(path))).toHaveLength(area.routes.length)
    expect(document.paths['/api/admin']?.get).toMatchObject({
      operationId: 't.admin',
      'x-permissions': ['ADMIN/USERS', 'ADMIN/ROLES'],
      'x-operation': 'query',
    })
    expect(document.paths['/api/save']?.post).toMatchObject({
      requestBody: { content: { 'application/json': { schema: { required: ['label', 'outcome'], additionalProperties: false } } } },
    })
    expect(document.paths['/api/echo/{id}']?.post).toMatchObject({ parameters: [{ name: 'id', in: 'path' }] })
    expect(document.paths['/api/public']?.post).toMatchObject({ security: [], 'x-public': 'test' })
  })
  it('says what answers hold: from the fields of a resource, or as the call says itself', () => {
    const resource = defineResource({
      model: 'languageLabel',
      one: 'word',
      many: 'words',
      label: 'Word',
      labelMany: 'Words',
      title: 'label',
      list: { columns: ['label'], sort: ['label', 'ASC'], size: 10 },
      fields: {
        label: { kind: 'text', label: 'Label', required: true },
        loud: { kind: 'text', label: 'Loud', sql: 'upper(t."label")', detailOnly: true },
      },
    })
    const words = defineArea({
      name: 'words',
      resources: [resource],
      routes: [
        route('words.list', 'GET', '/api/words', anySession, list(resource)),
        route('words.get', 'GET', '/api/words/:id', anySession, get(resource)),
        route(
          'words.count',
          'GET',
          '/api/words/count',
          anySession,
          query(noInput, () => ({ data: { count: 1 } }), z.strictObject({ count: z.int(), any: z.json().optional() })),
        ),
      ],
    })
    const { paths, components } = openapiDocument([words], '1') as {
      paths: Record<
        string,
        { get: { responses: Record<string, { content: Record<string, { schema: { properties: { data: unknown } } }> }> } }
      >
      components: { schemas: Record<string, { required: string[] }> }
    }
    const data = (path: string) => paths[path]?.get.responses['200']?.content['application/json']?.schema.properties.data
    expect(data('/api/words')).toMatchObject({
      properties: { words: { type: 'array', items: { $ref: '#/components/schemas/wordRow' } } },
      required: ['words'],
    })
    expect(data('/api/words/{id}')).toMatchObject({ properties: { word: { $ref: '#/components/schemas/word' } } })
    expect(data('/api/words/count')).toMatchObject({
      properties: { count: { type: 'integer' }, any: {} },
      required: ['count'],
      additionalProperties: false,
    })
    expect(components.schemas.word).toMatchObject({
      properties: { Id: { type: 'string', format: 'uuid' }, label: { type: 'string' }, loud: { type: ['string', 'null'] } },
    })
    expect([components.schemas.wordRow?.required.includes('loud'), components.schemas.word?.required.includes('loud')]).toEqual([
      false,
      true,
    ])
    const text = JSON.stringify({ paths, components })
    expect(
      [...text.matchAll(/"\$ref":"#\/components\/schemas\/([^"]+)"/g)].filter(([, name = '']) => !Object.hasOwn(components.schemas, name)),
      'a name leads nowhere',
    ).toEqual([])
    expect(text).not.toContain('#/$defs')
  })
  it('is what answers are held against in tests', () => {
    const count = route(
      'words.count',
      'GET',
      '/api/words/count',
      anySession,
      query(noInput, () => ({ data: {} }), z.strictObject({ count: z.int() })),
    )
    expect(wrongIn(count, { data: { count: 1 } })).toBeUndefined()
    expect(wrongIn(count, { data: { count: 'one' } })).toContain('words.count')
    expect(wrongIn(count, { data: { count: 1, more: 2 } })).toContain('more')
    expect(wrongIn(count, { json: '{"success":true,"data":{}}' })).toContain('count')
    expect(wrongIn(count, { data: {}, status: 304 })).toBeUndefined()
    const { operation, ...rest } = count
    const { answer: _, ...silent } = operation
    const page = { ...rest, operation: silent, options: { sends: ['text/html', 'image/*'] as const } }
    const text = (type: string, status?: number) => ({ text: { type, text: '', ...(status ? { status } : {}) } })
    expect(wrongIn(page, text('text/html; charset=utf-8'))).toBeUndefined()
    expect(wrongIn(page, text('image/png'))).toBeUndefined()
    expect(wrongIn(page, text('text/plain'))).toContain('answers text/plain')
    expect(wrongIn(page, text('text/plain', 404))).toBeUndefined()
    expect(wrongIn(page, { redirect: '/x' })).toContain('redirect')
    expect(wrongIn(count, text('text/html'))).toContain('words.count')
    const { check, assertNone } = answerCheck()
    assertNone()
    expect(() => check(count, { data: {} })).toThrow('words.count')
    expect(assertNone).toThrow('words.count')
  })
})
