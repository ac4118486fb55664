import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { anchorAudit, anchorStore, readAnchors } from '@outpost/platform/audit-anchors'
import { appendAudit } from '@outpost/platform/audit'
import { transactionIn } from '@outpost/platform/db/context'
import { geoKeysOf } from '@outpost/platform/geo-keys'
import { deriveKey } from '@outpost/platform/keys'
import { createLog } from '@outpost/platform/log'
import { sealText, unsealText, unsealWithAny } from '@outpost/platform/seal'
import { openOwnKey } from '../../apps/server/src/areas/saml/own-key.ts'
import { openSecret } from '../../apps/server/src/areas/webhooks/secret.ts'
import { createPasswords } from '../../apps/server/src/kernel/session/passwords.ts'
import { sealFeedToken } from '../../apps/geo/src/ingest/traccar/feeds.ts'
import { resealAll, sealedColumns, stillFormer } from '../../scripts/secrets/reseal.ts'
import { testApp, type TestApp } from '../support/app.ts'
import { endConnections } from '../support/connections.ts'
import type { MadeTenant, MadeUser } from '../support/make.ts'

const next = randomBytes(32).toString('hex')
const many = 3_000
let app: TestApp
let dir = ''
let company: MadeTenant
let user: MadeUser
let secret = ''
let codes: string[] = []
let calendar = ''
const webhookId = crypto.randomUUID()
const samlKey = 'abcdef'
const feedId = crypto.randomUUID()

/** The server on the same database with these secrets, as after a restart. */
async function restarted(env: { SECRET: string; SECRETS_BEFORE?: string }): Promise<TestApp['services']> {
  const { createMachine } = await import('../../apps/server/src/machine.ts')
  const { readServerEnv } = await import('../../apps/server/src/env.ts')
  const settings = {
    DATABASE_URL: app.database.url,
    DATA_DIR: dir,
    ACCESS_SECRET: app.database.secret,
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    ...env,
  }
  const machine = await createMachine(await readServerEnv(settings), { isRelayShared: false, clock: app.clock })
  closing.push(machine.close)
  return machine.services
}
const closing: (() => Promise<void>)[] = []

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'outpost-reseal-'))
  app = await testApp()
  const { admin, secret: old } = app.database
  company = await app.make.company()
  user = await app.make.user({ company, role: 'admin' })
  const client = await app.as(user)
  const begun = await client.post<{ secret: string }>('/api/auth/second-factor', { password: user.password })
  secret = begun.body.data.secret
  const confirmed = await client.post<{ recoveryCodes: string[] }>('/api/auth/second-factor/confirm', { code: totp() })
  codes = confirmed.body.data.recoveryCodes
  calendar = String(
    ((await client.post('/api/calendar/feed', {})).body.data as { calendarFeed?: { address?: string } }).calendarFeed?.address ?? '',
  )
  await admin.query(
    `insert into webhook ("companyId", "id", "name", "url", "ownerUserId", "worksInTenantId", "events", "secret", "formerSecret") values ($1, $2, 'Books', 'https://example.com', $3, $1, '{}', $4, $5)`,
    [
      company.id,
      webhookId,
      user.id,
      ...['whsec_a', 'whsec_b'].map((text) => sealText(deriveKey(old, 'webhooks'), text, webhookId).toString('base64')),
    ],
  )
  await admin.query(
    `insert into saml_provider ("companyId", "id", "name", "key", "metadata", "entityId", "ssoUrl", "certificates", "certificateEndsAt", "ownKey", "ownCertificate")
     values ($1, gen_random_uuid(), 'IdP', $2, '<x/>', 'urn:x', 'https://idp.example.com', '{}', now() + interval '1 year', $3, 'AAAA')`,
    [company.id, samlKey, sealText(deriveKey(old, 'saml keys'), 'PEM', samlKey).toString('base64')],
  )
  await admin.query(
    `insert into geo.feed ("companyId", "tenantId", "id", "name", "tokenHash", "url", "sealedToken") values ($1, $1, $2, 'Traccar', $3, 'https://traccar.example.com', $4)`,
    [company.id, feedId, randomBytes(32), sealFeedToken(geoKeysOf({ secret: old }), { companyId: company.id, feedId }, 'traccar token')],
  )
  const rows = Array.from({ length: many }, (_, n) => ({
    id: crypto.randomUUID(),
    hash: randomBytes(32).toString('hex'),
    sealed: sealText(deriveKey(old, 'provider secrets'), `secret ${n}`, `${company.id} payments.${n}`).toString('hex'),
    provider: `payments.${n}`,
  }))
  await admin.query(
    `insert into provider_connection ("companyId", "id", "provider", "keyHash", "sealedSecret", "addresses", "userId")
     select $1, id, provider, decode(hash, 'hex'), decode(sealed, 'hex'), '{}', $2 from jsonb_to_recordset($3::jsonb) as g(id uuid, provider text, hash text, sealed text)`,
    [company.id, user.id, JSON.stringify(rows)],
  )
  await transactionIn(app.database.pools.app, { company: company.id, scope: '*', user: null, tenant: null }, (sql) =>
    appendAudit(sql, [
      { companyId: company.id, userId: user.id, action: 'lead.update', objectType: 'lead', objectId: crypto.randomUUID() },
    ]),
  )
  await anchorAudit(anchorStore(dir, old), app.database.pools, { log: createLog({ level: 'silent' }) })
})
afterAll(async () => {
  for (const close of closing) await close()
  await app.close()
  await rm(dir, { recursive: true, force: true })
})

const totp = () => new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: app.clock.now() })

/** How many of the connections' secrets these keys open. */
async function readable(secrets: readonly [string, ...string[]]): Promise<number> {
  const { rows } = await app.database.admin.query<{ provider: string; sealedSecret: Buffer }>(
    `select "provider", "sealedSecret" from provider_connection where "companyId" = $1`,
    [company.id],
  )
  const [first, ...rest] = secrets.map((one) => deriveKey(one, 'provider secrets'))
  return rows.filter(({ provider, sealedSecret }) => {
    try {
      return unsealWithAny([first!, ...rest], sealedSecret, `${company.id} ${provider}`).startsWith('secret ')
    } catch {
      return false
    }
  }).length
}

it('what is sealed by the master secret is on the list of what is sealed anew', async () => {
  const { rows } = await app.database.admin.query<{ name: string }>(
    `select case table_schema when 'public' then '' else table_schema || '.' end || table_name || '.' || column_name as name
     from information_schema.columns where table_schema in ('public', 'geo') and column_name ilike '%sealed%' order by 1`,
  )
  const known = sealedColumns.map(({ table, column }) => `${table}.${column}`)
  expect(rows.map(({ name }) => name).filter((name) => !known.includes(name))).toEqual([])
})

it('with the former secret beside the new one all goes on: passwords, codes, sealed secrets, addresses, anchors, the geo service', async () => {
  const old = app.database.secret
  const services = await restarted({ SECRET: next, SECRETS_BEFORE: old })
  const { rows } = await app.database.admin.query<{ passwordHash: string }>(`select "passwordHash" from credential where "userId" = $1`, [
    user.id,
  ])
  const stored = rows[0]!.passwordHash
  expect([await services.passwords.verify(stored, user.password), services.passwords.isOutdated(stored)]).toEqual([true, true])
  expect(await services.passwords.verify(stored, 'another')).toBe(false)
  const fresh = await services.passwords.hash(user.password)
  expect([services.passwords.isOutdated(fresh), await createPasswords([old]).verify(fresh, user.password)]).toEqual([false, false])
  expect(await createPasswords([next]).verify(stored, user.password)).toBe(false)
  const row = (await app.database.admin.query<{ secret: string }>(`select "secret" from webhook where "id" = $1`, [webhookId])).rows[0]!
  expect(openSecret(webhookId, row.secret)).toBe('whsec_a')
  const saml = (await app.database.admin.query<{ ownKey: string }>(`select "ownKey" from saml_provider where "key" = $1`, [samlKey]))
    .rows[0]!
  expect(openOwnKey({ key: samlKey, ownKey: saml.ownKey })).toBe('PEM')
  expect((await readAnchors(anchorStore(dir, next, [old]))).isWhole).toBe(true)
  expect((await readAnchors(anchorStore(dir, next))).isWhole).toBe(false)
  expect(geoKeysOf({ secret: next, formerSecrets: [old] }).formerFeedKeys).toEqual([geoKeysOf({ secret: old }).feedKey])
  expect('formerFeedKeys' in geoKeysOf({ secret: next })).toBe(false)
})

const commandName = 'sealing anew'
const command = (env: Record<string, string>) =>
  spawn(process.execPath, [resolve(import.meta.dirname, '../../scripts/reseal.ts')], {
    env: { PATH: process.env.PATH, PGAPPNAME: commandName, DATABASE_URL: app.database.url, DATA_DIR: dir, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

it('kill -9 in the middle of sealing anew harms nothing; run again it ends, and the former secret is needed no more', async () => {
  const old = app.database.secret
  const settings = { SECRET: next, SECRETS_BEFORE: old, ACCESS_SECRET: old }
  // Its last batch waits for this row, so that it cannot end before it is killed.
  const last = await app.database.admin.connect()
  await last.query('begin')
  await last.query('select from provider_connection order by "companyId" desc, "id" desc limit 1 for update')
  const killed = command(settings)
  await new Promise<void>((done) => {
    killed.stdout.on('data', (chunk: Buffer) => {
      if (chunk.toString().includes('provider_connection.sealedSecret: ')) killed.kill('SIGKILL')
    })
    killed.once('exit', () => done())
  })
  // Postgres goes on with the statement of a program that is gone; what it does is counted or undone, not on its way.
  await endConnections(app.database.admin, 'datname = current_database() and application_name = $1', [commandName])
  await last.query('rollback')
  last.release()
  const [anew, all] = [await readable([next]), await readable([next, old])]
  expect([anew > 0 && anew < many, all]).toEqual([true, many])
  // A server that was started meanwhile reads both kinds.
  const again = command(settings)
  let said = ''
  again.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  again.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const code = await new Promise<number | null>((done) => again.once('exit', done))
  expect([code, said.includes(`provider_connection.sealedSecret: ${many - anew} sealed anew, ${anew} were so already`)]).toEqual([0, true])
  expect(said).toContain('geo.feed.sealedToken: 1 sealed anew')
  expect(said).not.toContain('NOT READABLE')
  for (const value of [next, old]) expect(said).not.toContain(value)
  expect(await readable([next])).toBe(many)
  expect((await readAnchors(anchorStore(dir, next))).isWhole).toBe(true)

  const services = await restarted({ SECRET: next })
  const { rows } = await app.database.admin.query<{ secret: string; formerSecret: string }>(
    `select "secret", "formerSecret" from webhook where "id" = $1`,
    [webhookId],
  )
  expect([openSecret(webhookId, rows[0]!.secret), openSecret(webhookId, rows[0]!.formerSecret)]).toEqual(['whsec_a', 'whsec_b'])
  const feed = (await app.database.admin.query<{ sealedToken: Buffer }>(`select "sealedToken" from geo.feed where "id" = $1`, [feedId]))
    .rows[0]!
  expect(unsealText(Buffer.from(geoKeysOf({ secret: next }).feedKey, 'base64'), feed.sealedToken, `${company.id} ${feedId}`)).toBe(
    'traccar token',
  )
  const factor = (
    await app.database.admin.query<{ sealedSecret: Buffer }>(`select "sealedSecret" from second_factor where "userId" = $1`, [user.id])
  ).rows[0]!
  expect(unsealText(deriveKey(services.secrets[0], 'second-factor'), factor.sealedSecret, `${company.id} ${user.id}`)).toBe(secret)
})

it('says how much still needs the former secret, and a sign-in takes one away', async () => {
  const old = app.database.secret
  const left = async () => stillFormer(await app.database.admin.connect().then((client) => (clients.push(client), client)), [next, old])
  const clients: { release(): void }[] = []
  const before = await left()
  expect(before['passwords, until their owners sign in']).toBe(1)
  expect(before['recovery codes at most, until used or made anew']).toBe(codes.length)
  const services = await restarted({ SECRET: next, SECRETS_BEFORE: old })
  const { rows } = await app.database.admin.query<{ passwordHash: string }>(`select "passwordHash" from credential where "userId" = $1`, [
    user.id,
  ])
  expect(services.passwords.isOutdated(rows[0]!.passwordHash)).toBe(true)
  await app.database.admin.query(`update credential set "passwordHash" = $1 where "userId" = $2`, [
    await services.passwords.hash(user.password),
    user.id,
  ])
  expect((await left())['passwords, until their owners sign in']).toBe(0)
  for (const client of clients) client.release()
  expect(calendar).toContain('/api/calendar/')
})

it('what no secret opens is counted and left as it is; a row that changes meanwhile is not written over', async () => {
  const client = await app.database.admin.connect()
  const strange = sealText(deriveKey('x'.repeat(32), 'webhooks'), 'lost', webhookId).toString('base64')
  await client.query(`update webhook set "formerSecret" = $1 where "id" = $2`, [strange, webhookId])
  const found = await resealAll(client, [next, app.database.secret])
  expect(found.find(({ column }) => column === 'webhook.formerSecret')).toMatchObject({ lost: 1, resealed: 0 })
  expect((await client.query(`select "formerSecret" from webhook where "id" = $1`, [webhookId])).rows[0]).toEqual({ formerSecret: strange })
  client.release()
})

it('the setting is refused when it is no secret; the anchors are not signed anew when they do not fit', async () => {
  const run = command({ SECRET: next, SECRETS_BEFORE: 'short', ACCESS_SECRET: app.database.secret })
  expect(await new Promise((done) => run.once('exit', done))).toBe(1)
  const file = join(dir, 'audit/anchors.jsonl')
  const whole = await readFile(file, 'utf8')
  await writeFile(file, whole.replace('"seq":', '"seq":9'))
  const broken = command({ SECRET: next, SECRETS_BEFORE: app.database.secret, ACCESS_SECRET: app.database.secret })
  let said = ''
  broken.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  expect([await new Promise((done) => broken.once('exit', done)), said.includes('do not fit each other')]).toEqual([1, true])
  await writeFile(file, whole)
})
