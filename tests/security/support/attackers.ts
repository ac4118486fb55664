import { createHmac, generateKeyPairSync } from 'node:crypto'
import { createSigner } from 'fast-jwt'
import { deriveTokenKeys } from '@outpost/platform/keys'
import type { SignedInClient } from '../../support/app.ts'
import { clientOf, userOf, type AnyClient, type SecurityWorld } from './world.ts'

/** Somebody who must not get in at all: every route that is not public answers 401. */
export interface Outsider {
  name: string
  client: AnyClient
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Nobody, garbage, an expired token, five forged ones, a disabled user, a revoked session, an ended impersonation. */
export async function outsiders(world: SecurityWorld): Promise<Outsider[]> {
  const { app, b } = world
  const admin = await clientOf(world, b, 'admin')
  const bearer = (token: string): AnyClient => app.client({ authorization: `Bearer ${token}` })
  const forged = forgeries(world, admin)
  return [
    { name: 'nobody', client: app.nobody },
    { name: 'garbage', client: bearer('garbage') },
    ...Object.entries(forged).map(([name, token]) => ({ name, client: bearer(token) })),
    { name: 'a disabled user', client: await disabledUser(world) },
    { name: 'a revoked session', client: await revokedSession(world) },
    { name: 'an ended impersonation', client: await endedImpersonation(world) },
  ]
}

function forgeries({ app }: SecurityWorld, { token }: SignedInClient): Record<string, string> {
  const [head = '', body = ''] = token.split('.')
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
  const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string }
  const keys = deriveTokenKeys(app.database.secret, 1)
  const own = keys.current.privateKey.export({ format: 'pem', type: 'pkcs8' })
  const foreign = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' })
  const publicKey = keys.accepted[0]?.publicKey.export({ format: 'pem', type: 'spki' }) ?? ''
  const sign = (key: typeof own, over: object) => createSigner({ key, algorithm: 'EdDSA', kid })({ ...claims, ...over })
  const none = `${encode({ alg: 'none', typ: 'JWT', kid })}.${body}.`
  const hmacBody = `${encode({ alg: 'HS256', typ: 'JWT', kid })}.${body}`
  return {
    'an expired token': sign(own, { exp: Math.floor(Date.now() / 1_000) - 5 }),
    'a token without signature': none,
    'a token signed with the public key': `${hmacBody}.${createHmac('sha256', publicKey).update(hmacBody).digest('base64url')}`,
    'a token of another key': sign(foreign, {}),
    'a token for another audience': sign(own, { aud: 'outpost-geo' }),
    'a refresh token as access token': sign(own, { typ: 'refresh' }),
  }
}

async function disabledUser(world: SecurityWorld): Promise<AnyClient> {
  const { app, b } = world
  const user = await app.make.user({ role: 'admin', tenant: b.company })
  const client = await app.as(user)
  await app.database.admin.query('update app_user set "status" = 0 where id = $1', [user.id])
  app.services.changed({ companyId: user.companyId, userId: user.id })
  return client
}

async function revokedSession(world: SecurityWorld): Promise<AnyClient> {
  const client = await clientOf(world, world.b, 'admin')
  await client.get('/api/auth/logout')
  return client
}

async function endedImpersonation(world: SecurityWorld): Promise<AnyClient> {
  const { app, b } = world
  const admin = await app.as(await app.make.user({ role: 'admin', tenant: b.company }))
  const begun = await admin.post<{ token: string }>('/api/auth/impersonate', {
    userName: userOf(b, 'officer').userName,
    reason: 'checking a report',
  })
  if (begun.status !== 200) throw new Error(`impersonation: ${begun.text}`)
  const client = app.client({ authorization: `Bearer ${begun.body.data.token}` })
  const ended = await client.post('/api/auth/end-impersonation')
  if (ended.status !== 200) throw new Error(`end of impersonation: ${ended.text}`)
  return client
}
