import { createHash, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { defineArea } from '../../apps/server/src/kernel/area.ts'
import { makeLinkToken } from '../../apps/server/src/kernel/public/link.ts'
import type { PageView } from '../../apps/server/src/kernel/public/page-view.ts'
import { publicPage } from '../../apps/server/src/kernel/public/page.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { testApp, type TestApp } from '../support/app.ts'
import { encodeForm } from '../support/form.ts'
import type { MadeTenant } from '../support/make.ts'

let app: TestApp
let company: MadeTenant, stranger: MadeTenant

/* A resource of this test: appointments that people outside confirm by a link, once, and look at as often as they like. */
const columns = { table: 'test_appointment', hash: 'tokenHash', expires: 'expiresAt' }
const confirmed: PageView = { title: 'Thank you, your appointment is confirmed' }
const asked = async (ctx: Ctx, id: string): Promise<PageView> => {
  const { place } = await ctx.sql.one<{ place: string }>(
    sql`select "place" from test_appointment where "companyId" = ${ctx.company.id}::uuid and "id" = ${id}::uuid`,
  )
  return {
    title: 'Confirm your appointment',
    paragraphs: [`${ctx.company.name} expects you.`],
    facts: { Place: place },
    form: {
      fields: {
        name: { kind: 'personName', label: 'Your name', required: true, maxLength: 40, help: 'As in your passport' },
        time: {
          kind: 'choice',
          label: 'When',
          required: true,
          options: [
            { value: 'morning', label: 'Morning' },
            { value: 'noon', label: 'Noon' },
          ],
        },
        note: { kind: 'longText', label: 'Note' },
        isCalled: { kind: 'boolean', label: 'Call me before' },
      },
      buttons: [{ label: 'Confirm', isMain: true }],
    },
  }
}
const input = z.strictObject({
  name: z.string().trim().min(1, 'is required').max(40),
  time: z.enum(['morning', 'noon'], 'Choose one'),
  note: z.string().max(200).optional(),
  isCalled: z.literal('true').optional(),
})
async function confirm(ctx: Ctx, id: string, { name, time }: z.infer<typeof input>): Promise<PageView> {
  if (time === 'noon') fail('CONFLICT', { message: 'We are closed at noon.' })
  await ctx.sql.exec(
    sql`insert into test_confirmation ("companyId", "id", "appointmentId", "name") values (${ctx.company.id}::uuid, uuidv7(), ${id}::uuid, ${name})`,
  )
  return confirmed
}
const why = 'somebody outside confirms an appointment'
const area = defineArea({
  name: 'appointments',
  routes: [
    ...publicPage('appointments.page', '/appointments/:token', {
      link: { ...columns, used: 'usedAt' },
      why,
      input,
      submit: confirm,
      show: ({ ctx, id, state }) => (state === 'open' ? asked(ctx, id) : undefined),
    }),
    ...publicPage('appointments.again', '/appointments/again/:token', {
      link: columns,
      why,
      input,
      submit: confirm,
      show: ({ ctx, id, state }) => (state === 'open' ? asked(ctx, id) : undefined),
      limit: 3,
    }),
  ],
})

beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine), area], env: { RATE_LIMITS: 'on' } })
  await app.database.admin.query(`
    create table test_appointment ("companyId" uuid, "id" uuid, "place" text, "tokenHash" bytea, "expiresAt" timestamptz, "usedAt" timestamptz, primary key ("companyId", "id"));
    create table test_confirmation ("companyId" uuid, "id" uuid, "appointmentId" uuid, "name" text, primary key ("companyId", "id"));
    call ctx.protect('test_appointment', 'company', 'select, update');
    call ctx.protect('test_confirmation', 'company', 'select, insert')`)
  company = await app.make.company({ name: 'Savanna <b>Credit</b>' })
  stranger = await app.make.company()
})
afterAll(() => app.close())

/** A link of the company, and the appointment that it is for. */
async function makeLink({ place = 'Nairobi', days = 7, of = company } = {}): Promise<{ id: string; token: string }> {
  const [id, token] = [randomUUID(), makeLinkToken(of.id)]
  await app.database.admin.query(
    `insert into test_appointment ("companyId", "id", "place", "tokenHash", "expiresAt") values ($1, $2, $3, $4, now() + $5 * interval '1 day')`,
    [of.id, id, place, createHash('sha256').update(token).digest(), days],
  )
  return { id, token }
}
let caller = 0
/** Everybody calls from an address of their own, because the limit counts addresses. */
const nextAddress = () => `10.1.${Math.floor((caller += 1) / 250)}.${1 + (caller % 250)}`
async function get(
  token: string,
  { path = '/appointments', from = nextAddress(), method = 'GET' as 'GET' | 'HEAD' | 'PUT' | 'DELETE' } = {},
) {
  const { statusCode, payload, headers } = await app.http.inject({ method, url: `${path}/${token}`, remoteAddress: from })
  return { status: statusCode, html: payload, headers }
}
async function post(token: string, fields: Record<string, string>, path = '/appointments') {
  const { payload, contentType } = await encodeForm(fields, [])
  const answer = await app.http.inject({
    method: 'POST',
    url: `${path}/${token}`,
    payload,
    headers: { 'content-type': contentType },
    remoteAddress: nextAddress(),
  })
  return { status: answer.statusCode, html: answer.payload, headers: answer.headers }
}
const good = { name: 'Amina', time: 'morning' }
const confirmations = async (id: string) => {
  const { rows } = await app.database.admin.query<{ name: string }>('select "name" from test_confirmation where "appointmentId" = $1', [id])
  return rows.map(({ name }) => name)
}
const headingOf = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]

describe('a public page', () => {
  it('is plain HTML in the company’s name, which loads and runs nothing and is not indexed', async () => {
    const { token } = await makeLink()
    const { status, html, headers } = await get(token)
    expect([status, headers['content-type'], headingOf(html)]).toEqual([200, 'text/html; charset=utf-8', 'Confirm your appointment'])
    expect(html).toContain('<header>Savanna &lt;b&gt;Credit&lt;/b&gt;</header>')
    expect(html).toContain('<dt>Place</dt><dd>Nairobi</dd>')
    expect(html).not.toMatch(/<script|<img|<link|\bsrc=|\bon\w+=|https?:/)
    expect(html).toContain('prefers-color-scheme:dark')
    const style = /<style>([\s\S]*)<\/style>/.exec(html)?.[1] ?? ''
    expect(headers['content-security-policy']).toBe(
      `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    )
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow, noarchive',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
    expect(headers['set-cookie']).toBeUndefined()
  })

  it('has the colours of the host’s theme', async () => {
    const { token } = await makeLink()
    const colour = async (host: string) => {
      const { payload } = await app.http.inject({ url: `/appointments/${token}`, headers: { host }, remoteAddress: nextAddress() })
      return /--topBar:(#\w+)/.exec(payload)?.[1]
    }
    expect([await colour('savanna.example.com:8080'), await colour('elsewhere.test')]).toEqual(['#392a11', '#142d4f'])
  })

  it('changes nothing by being opened, however often and in whatever way', async () => {
    const { id, token } = await makeLink()
    const row = async () => (await app.database.admin.query('select * from test_appointment where id = $1', [id])).rows
    const before = await row()
    for (const method of ['GET', 'HEAD', 'GET'] as const) expect((await get(token, { method })).status).toBe(200)
    for (const method of ['PUT', 'DELETE'] as const) expect((await get(token, { method })).status).toBe(404)
    expect(await row()).toEqual(before)
    expect(await confirmations(id)).toEqual([])
  })

  it('shows what is wrong beside the fields, keeps what was typed, and takes it once corrected', async () => {
    const { id, token } = await makeLink()
    const wrong = await post(token, { name: '', note: '"><script>alert(1)</script>', time: 'never', isCalled: 'true' })
    expect([wrong.status, headingOf(wrong.html)]).toEqual([422, 'Confirm your appointment'])
    expect(wrong.html).toContain('<p class="problem" role="alert">Please correct what is marked below.</p>')
    expect(wrong.html).toContain('<p class="error" id="name-error">is required</p>')
    expect(wrong.html).toContain('aria-describedby="name-help name-error" aria-invalid="true"')
    expect(wrong.html).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</textarea>')
    expect(wrong.html).toContain('name="isCalled" value="true" checked')
    expect(wrong.html).not.toContain('<script')
    expect((await post(token, { ...good, colour: 'red' })).status).toBe(422)
    expect(await confirmations(id)).toEqual([])
    const taken = await post(token, { ...good, note: '' })
    expect([taken.status, headingOf(taken.html)]).toEqual([200, confirmed.title])
    expect(await confirmations(id)).toEqual(['Amina'])
  })

  it('says why a good form was refused, and the link still counts', async () => {
    const { id, token } = await makeLink()
    const refused = await post(token, { ...good, time: 'noon' })
    expect([refused.status, /role="alert">(.*?)</.exec(refused.html)?.[1]]).toEqual([409, 'We are closed at noon.'])
    expect((await post(token, good)).status).toBe(200)
    expect(await confirmations(id)).toEqual(['Amina'])
  })

  it('is answered once, also by five at the same moment', async () => {
    const { id, token } = await makeLink()
    const answers = await Promise.all(Array.from({ length: 5 }, () => post(token, good)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await confirmations(id)).toEqual(['Amina'])
    for (const { status, html } of [await post(token, good), await get(token)])
      expect([status, headingOf(html)]).toEqual([expect.any(Number), 'This link has been used already'])
    expect(await confirmations(id)).toEqual(['Amina'])
  })

  it('is answered as often as one likes where its link counts many times', async () => {
    const { id, token } = await makeLink()
    for (const name of ['Amina', 'Baraka']) expect((await post(token, { ...good, name }, '/appointments/again')).status).toBe(200)
    expect((await confirmations(id)).toSorted()).toEqual(['Amina', 'Baraka'])
  })

  it('says in plain words that a link has expired, and takes nothing by it', async () => {
    const { id, token } = await makeLink({ days: -1 })
    const [shown, sent] = [await get(token), await post(token, good)]
    expect([shown.status, sent.status]).toEqual([410, 400])
    for (const { html } of [shown, sent]) {
      expect(headingOf(html)).toBe('This link has expired')
      expect(html).toContain('<p>Ask Savanna &lt;b&gt;Credit&lt;/b&gt; for a new one.</p>')
    }
    expect(await confirmations(id)).toEqual([])
  })

  it('reveals nothing about links that are foreign, altered or invented: all look the same', async () => {
    const { id, token } = await makeLink()
    const [companyId = '', secret = ''] = token.split('.')
    const altered = `${secret.slice(0, -2)}${secret.endsWith('AA') ? 'BB' : 'AA'}`
    const wrong = [
      `${companyId}.${altered}`,
      `${stranger.id}.${secret}`,
      `${randomUUID()}.${secret}`,
      `${companyId}.`,
      secret,
      `${token}A`,
      token.toUpperCase(),
      'x'.repeat(60),
      'x'.repeat(500),
      `${companyId}.${(await makeLink({ of: stranger })).token.split('.')[1]}`,
    ]
    const pages = new Set<string>()
    for (const one of wrong) {
      for (const { status, html } of [await get(one), await post(one, good)]) {
        expect([one, status, headingOf(html)]).toEqual([one, 404, 'This link is not valid any more'])
        pages.add(html)
      }
    }
    expect(pages.size).toBe(1)
    expect(await confirmations(id)).toEqual([])
  })

  it('asks for patience in plain words when one address calls too often', async () => {
    const { token } = await makeLink()
    const again = (from: string) => get(token, { path: '/appointments/again', from })
    for (let call = 0; call < 3; call += 1) expect((await again('10.9.9.9')).status).toBe(200)
    const { status, html, headers } = await again('10.9.9.9')
    expect([status, headingOf(html), headers['content-type']]).toEqual([429, 'This did not work', 'text/html; charset=utf-8'])
    expect(html).toContain('Too many requests. Wait a moment and try again.')
    expect((await again('10.9.9.8')).status).toBe(200)
  })

  it('keeps the hash of its link alone', async () => {
    const { id, token } = await makeLink()
    const { rows } = await app.database.admin.query<{ row: object }>('select to_jsonb(t) as row from test_appointment t where id = $1', [
      id,
    ])
    expect(JSON.stringify(rows[0]?.row)).not.toContain(token.split('.')[1])
  })
})
