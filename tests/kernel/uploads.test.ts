import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { fail } from '@outpost/contract/errors'
import { createFiles } from '@outpost/platform/files/store'
import { anySession, defineArea, open, route } from '../../apps/server/src/kernel/area.ts'
import { openapiDocument } from '../../apps/server/src/kernel/openapi.ts'
import { command, publicCommand } from '../../apps/server/src/kernel/resource/operations.ts'
import { encodeForm, pdf, png, type FormFile } from '../support/form.ts'
import { appOf, ctxOf, makeWorld, type World } from './world.ts'

let world: World
let app: FastifyInstance
let folder: string

const input = z.strictObject({
  id: z.coerce.number(),
  amount: z.coerce.number().max(1_000),
  note: z.string().max(50).optional(),
  tags: z.array(z.string()).optional(),
  outcome: z.enum(['keep', 'leave', 'fail', 'drop']).default('keep'),
})
const area = defineArea({
  name: 'forms',
  routes: [
    route(
      'f.take',
      'POST',
      '/api/forms/:id',
      anySession,
      command(input, async (_ctx, { outcome, ...given }, { files = [] }) => {
        for (const file of files) if (outcome !== 'leave') await file.keep()
        if (outcome === 'fail') fail('CONFLICT')
        if (outcome === 'drop') await files[0]?.drop()
        return {
          data: {
            ...given,
            files: files.map(({ fieldName, name, mimeType, size }) => ({ fieldName, name, mimeType, size })),
            keys: [...new Set(await Promise.all(files.flatMap((file) => (outcome === 'keep' ? [file.keep(), file.keep()] : []))))],
          },
        }
      }),
      { upload: { files: 2, maxBytes: 1_000, types: ['png', 'pdf', 'txt'] } },
    ),
    route(
      'f.public',
      'POST',
      '/api/open-forms',
      open('test'),
      publicCommand(z.strictObject({ word: z.string() }), ({ word }, { files = [] }) => ({ data: { word, count: files.length } })),
      { upload: true },
    ),
  ],
})

beforeAll(async () => {
  world = await makeWorld()
  folder = await mkdtemp(join(tmpdir(), 'outpost-forms-'))
  app = await appOf({ areas: [area], files: createFiles({ folder }) }, { a: ctxOf(world, world.a) })
})
afterAll(async () => {
  await app.close()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const stored = async () => (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile()).length
async function send(fields: Record<string, unknown>, files: FormFile[], { filesFirst = false, url = '/api/forms/7', who = 'a' } = {}) {
  const { payload, contentType } = await encodeForm(fields, files, { filesFirst })
  const answer = await app.inject({
    method: 'POST',
    url,
    headers: { ...(who ? { authorization: who } : {}), 'content-type': contentType },
    payload,
  })
  return {
    status: answer.statusCode,
    body: answer.json<{ code?: string; message?: string; fields?: { field: string }[]; data: Record<string, unknown> }>(),
  }
}
const picture: FormFile = { name: 'a.png', bytes: png, field: 'photo' }

describe('a form with files', () => {
  it.each([false, true])(
    'gives its fields to the input and its files to the call, whichever come first (files first: %s)',
    async (filesFirst) => {
      const { status, body } = await send(
        { amount: '12.5', note: 'hello', tags: ['x', 'y'] },
        [picture, { name: '../b.pdf', bytes: pdf }],
        { filesFirst },
      )
      expect([status, body.data]).toEqual([
        200,
        {
          id: 7,
          amount: 12.5,
          note: 'hello',
          tags: ['x', 'y'],
          keys: [expect.any(String), expect.any(String)],
          files: [
            { fieldName: 'photo', name: 'a.png', mimeType: 'image/png', size: png.length },
            { fieldName: 'file', name: 'b.pdf', mimeType: 'application/pdf', size: pdf.length },
          ],
        },
      ])
    },
  )

  it('checks its fields as it checks a body', async () => {
    const before = await stored()
    for (const [fields, wrong] of [
      [{ amount: '1001' }, 'amount'],
      [{ amount: 'x' }, 'amount'],
      [{ amount: '1', colour: 'red' }, 'colour'],
      [{ amount: '1', id: '8' }, 'id'],
      [{}, 'amount'],
    ] as const) {
      const { status, body } = await send(fields, [picture])
      expect([fields, status, body.fields?.map(({ field }) => field)]).toEqual([fields, 422, [wrong]])
    }
    expect(await stored()).toBe(before)
  })

  it('asks for the session before it reads a byte', async () => {
    expect(await send({ amount: '1' }, [picture], { who: '' })).toMatchObject({ status: 401, body: { code: 'NO_SESSION' } })
  })

  it('names each limit, and keeps nothing', async () => {
    const before = await stored()
    const cases: [FormFile[], number, string][] = [
      [[picture, picture, picture], 413, 'TOO_MANY_FILES'],
      [[{ name: 'large.txt', bytes: 'a'.repeat(1_001) }], 413, 'TOO_LARGE'],
      [[picture, { name: 'a.png', bytes: '<html>' }], 415, 'UNSUPPORTED_TYPE'],
      [[{ name: 'a.csv', bytes: 'a,b' }], 415, 'UNSUPPORTED_TYPE'],
      [[{ name: 'a.txt', bytes: '' }], 422, 'INVALID'],
    ]
    for (const [files, status, code] of cases) expect(await send({ amount: '1' }, files)).toMatchObject({ status, body: { code } })
    expect(await send({ amount: '1', note: 'x'.repeat(1_100_000) }, [])).toMatchObject({ status: 413, body: { code: 'TOO_LARGE' } })
    expect(await send(Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`f${at}`, 'x'])), [])).toMatchObject({
      status: 413,
      body: { code: 'TOO_LARGE' },
    })
    expect(await stored()).toBe(before)
  })

  it('leaves the bytes that a call kept, and those only while it succeeds', async () => {
    const before = await stored()
    expect((await send({ amount: '1', outcome: 'leave' }, [picture])).status).toBe(200)
    expect((await send({ amount: '1', outcome: 'fail' }, [picture])).status).toBe(409)
    expect((await send({ amount: '1', outcome: 'drop' }, [picture])).status).toBe(200)
    expect(await stored()).toBe(before)
    expect((await send({ amount: '1' }, [picture])).status).toBe(200)
    expect(await stored()).toBe(before + 1)
  })

  it('is taken as JSON too, without files', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/forms/7',
      headers: { authorization: 'a', 'content-type': 'application/json' },
      payload: '{"amount":3}',
    })
    expect(answer.json()).toMatchObject({ data: { amount: 3, files: [] } })
  })

  it('reaches public routes as well', async () => {
    expect(await send({ word: 'hi' }, [picture], { url: '/api/open-forms', who: '' })).toMatchObject({
      status: 200,
      body: { data: { word: 'hi', count: 1 } },
    })
  })

  it('is a multipart body in the API document', () => {
    const { paths } = openapiDocument([area], '1') as {
      paths: Record<
        string,
        {
          post: {
            requestBody: {
              content: Record<string, { schema: { properties: Record<string, Record<string, unknown>>; required?: string[] } }>
            }
          }
        }
      >
    }
    const { content } = paths['/api/forms/{id}']?.post.requestBody ?? { content: {} }
    expect(Object.keys(content)).toEqual(['multipart/form-data'])
    const { properties, required } = content['multipart/form-data']?.schema ?? { properties: {} }
    expect(properties).toMatchObject({
      amount: expect.anything() as unknown,
      file: {
        type: 'array',
        maxItems: 2,
        items: { type: 'string', format: 'binary' },
        description: expect.stringContaining('png, pdf, txt') as string,
      },
    })
    expect([Object.hasOwn(properties, 'id'), required]).toEqual([false, ['amount']])
  })
})
