import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { issuer, metadataXml, requestOf, respond, ssoUrl, type Said } from '../../support/identity-provider.ts'
import type { Client, SignedInData } from '../../support/app.ts'
import type { MadeUser } from '../../support/make.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
let officerRole: string
beforeAll(async () => {
  world = await makeWorld()
  officerRole = await roleOf('officer')
})
afterAll(() => world.app.close())
// A company has twenty at most.
beforeEach(() => world.app.database.admin.query('update saml_provider set "deletedAt" = now()'))

const path = '/api/saml-providers'
const acsPath = (key: string) => `/api/auth/saml/${key}/acs`
const publicUrl = 'http://outpost.test'

async function roleOf(systemRole: string): Promise<string> {
  const { rows } = await world.app.database.admin.query<{ id: string }>(
    'select id from role where "companyId" = $1 and "systemRole" = $2',
    [world.company.id, systemRole],
  )
  return rows[0]?.id ?? expect.fail(`no role ${systemRole}`)
}

interface Provider {
  Id: string
  key: string
  version: number
  entityId: string
  lastRefusal: string | null
  roleMap: { Id: string; value: string; roleId: string; roleIdLabel: string }[]
}
const made = async (more: object = {}, by: Client = world.as.admin) => {
  const answer = await by.post<{ samlProvider: Provider }>(path, { name: 'Sunrise SSO', metadata: metadataXml(), ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.samlProvider
}
const of = async ({ Id }: { Id: string }) => (await world.as.admin.get<{ samlProvider: Provider }>(`${path}/${Id}`)).body.data.samlProvider
const makes = () => ({ makesUsers: true, defaultTenantId: world.branch.id, defaultRoleId: officerRole })

/** A browser that goes to the provider: what it was asked and the cookie that it kept. */
async function begin(provider: { key: string }) {
  const { status, body, cookies, text } = await world.app.nobody.get<{ url: string; name: string }>(
    `/api/auth/auth-url/saml?provider=${provider.key}`,
  )
  expect(status, text).toBe(200)
  return { url: body.data.url, inResponseTo: requestOf(body.data.url), cookie: `outpost-saml=${cookies['outpost-saml']}` }
}
const aim = ({ key }: { key: string }) => ({
  audience: `${publicUrl}/api/auth/saml/${key}/metadata`,
  recipient: `${publicUrl}${acsPath(key)}`,
})

/** Sends a response as a browser's form does; where it goes on. */
async function send(provider: { key: string }, response: string): Promise<URLSearchParams> {
  const { statusCode, headers } = await world.app.http.inject({
    method: 'POST',
    url: acsPath(provider.key),
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.test' },
    payload: new URLSearchParams({ SAMLResponse: response, RelayState: '' }).toString(),
  })
  expect(statusCode).toBe(302)
  const to = new URL(String(headers.location), publicUrl)
  expect(String(headers.location).startsWith('/saml?')).toBe(true)
  expect(to.origin + to.pathname).toBe(`${publicUrl}/saml`)
  return to.searchParams
}
type Step = SignedInData & { step?: string; challenge?: string; enrolment?: { secret: string } }
const hand = (code: string | null, cookie: string) => world.app.nobody.post<Step>('/api/auth/saml/login', { code }, { cookie })

/** The whole way, with something said differently. */
async function enter(provider: { key: string }, said: Partial<Said> = {}) {
  const { inResponseTo, cookie } = await begin(provider)
  const to = await send(provider, respond({ ...aim(provider), inResponseTo, ...said }))
  return { to, cookie, inResponseTo, answer: to.has('code') ? await hand(to.get('code'), cookie) : undefined }
}
const person = (more: object = {}) => world.app.make.user({ company: world.company, role: 'officer', ...more })
const named = ({ emailAddress }: MadeUser) => ({ nameId: `n-${emailAddress}`, attributes: { email: [emailAddress] } })

describe('signing in by an identity provider', () => {
  it('knows the person by e-mail once and by its name for them ever after, and says SAML in the history', async () => {
    const provider = await made()
    const user = await person()
    const { answer } = await enter(provider, named(user))
    expect(answer?.status, answer?.text).toBe(200)
    expect(answer?.body.data.user.Id).toBe(user.id)
    expect(answer?.cookies).toHaveProperty('outpost')
    expect(answer?.cookies['outpost-saml']).toBe('')
    const client = world.app.client({ authorization: `Bearer ${answer?.body.data.token}` })
    const history = await client.get<{ signIns: { way: string; outcome: string }[] }>('/api/auth/sign-ins')
    expect(history.body.data.signIns[0]).toMatchObject({ way: 'saml', outcome: 'login' })
    // The address may move on: who it is, the provider's name says.
    const again = await enter(provider, { nameId: `n-${user.emailAddress}`, attributes: { email: ['else@sunrise.test'] } })
    expect(again.answer?.body.data.user.Id).toBe(user.id)
    expect(await of(provider)).toMatchObject({ lastUsedAt: expect.any(String), lastRefusal: null })
  })

  it.each(['response', 'both'] as const)('takes what is signed as it was agreed: %s', async (signs) => {
    const provider = await made({ signs })
    const user = await person()
    expect((await enter(provider, { ...named(user), signs })).answer?.status).toBe(200)
    expect((await enter(provider, { ...named(user), signs: 'assertion' })).to.get('problem')).toBe('refused')
    expect((await enter(provider, { ...named(user), signs: 'nothing' })).to.get('problem')).toBe('refused')
  })

  it('sends the browser to the provider’s address, with the provider’s name, and to nobody’s for an unknown name', async () => {
    const provider = await made({ name: 'Corporate' })
    const { body } = await world.app.nobody.get<{ url: string; name: string }>(
      `/api/auth/auth-url/saml?provider=${provider.key.toUpperCase()}`,
    )
    expect(body.data.name).toBe('Corporate')
    expect(body.data.url.startsWith(`${ssoUrl}?SAMLRequest=`)).toBe(true)
    expect(fieldsOf(await world.app.nobody.get('/api/auth/auth-url/saml?provider=none'))).toEqual(['provider'])
    // The only one there is needs no name; of two, one has to be named.
    expect((await world.app.nobody.get<{ name: string }>('/api/auth/auth-url/saml')).body.data.name).toBe('Corporate')
    await made({ name: 'Second' })
    expect(fieldsOf(await world.app.nobody.get('/api/auth/auth-url/saml'))).toEqual(['provider'])
  })

  it('asks for the second factor as after a password', async () => {
    const provider = await made()
    const role = await world.app.make.role({ company: world.company, name: 'Careful', permissions: ['SALES/LEADS'] })
    await world.app.database.admin.query('update role set "asksSecondFactor" = true where id = $1', [role.id])
    const user = await person({ role })
    const { answer } = await enter(provider, named(user))
    expect(answer?.body.data).toMatchObject({ step: 'enrol' })
    expect(answer?.body.data.token).toBeUndefined()
    expect(answer?.cookies).not.toHaveProperty('outpost')
    const totp = new TOTP({
      secret: Secret.fromBase32(answer?.body.data.enrolment?.secret ?? ''),
      algorithm: 'SHA1',
      digits: 6,
      period: 30,
    })
    const code = totp.generate({ timestamp: world.app.clock.now() })
    const done = await world.app.nobody.post<SignedInData>('/api/auth/login/step', { challenge: answer?.body.data.challenge, code })
    expect(done.body.data.user.Id).toBe(user.id)
    const { rows } = await world.app.database.admin.query(`select detail from login_event where "userId" = $1 and kind = 'login'`, [
      user.id,
    ])
    expect(rows).toEqual([{ detail: 'saml' }])
  })

  it('opens the session only in the browser that began, once, and not for a deactivated user', async () => {
    const provider = await made()
    const user = await person()
    const { inResponseTo, cookie } = await begin(provider)
    const other = await begin(provider)
    const code = (await send(provider, respond({ ...aim(provider), inResponseTo, ...named(user) }))).get('code')
    expect((await hand(code, other.cookie)).body.code).toBe('TOKEN_INVALID')
    // Shown to another browser, it is spent: whoever saw it has nothing.
    expect((await hand(code, cookie)).body.code).toBe('TOKEN_INVALID')
    const fresh = await enter(provider, named(user))
    expect(fresh.answer?.status).toBe(200)
    expect((await hand(fresh.to.get('code'), fresh.cookie)).body.code).toBe('TOKEN_INVALID')
    expect((await world.as.admin.del('/api/users/delete', { userIds: [user.id] })).status).toBe(200)
    expect((await enter(provider, named(user))).to.get('problem')).toBe('refused')
    expect((await of(provider)).lastRefusal).toContain('deactivated')
  })
})

describe('a response that is not as it must be', () => {
  const ending = (xml: string, from: string, to: string) => xml.replace(from, to)
  const cases: [string, Partial<Said>, RegExp][] = [
    ['is not signed', { signs: 'nothing' }, /signature/i],
    ['was changed after it was signed', { after: (xml) => xml.replace('n-victim', 'n-attacker') }, /signature/i],
    ['is signed by somebody else', { by: 'other' }, /signature/i],
    ['is signed with SHA-1', { algorithm: 'sha1' }, /sha1/],
    ['is for another audience', { audience: 'https://other.test/metadata' }, /audience/i],
    ['is for another recipient', { recipient: 'https://other.test/acs', destination: `${publicUrl}/api/auth/saml/KEY/acs` }, /Recipient/],
    ['was sent elsewhere', { destination: 'https://other.test/acs' }, /Destination/],
    ['has expired', { notOnOrAfter: -120 }, /expired|confirmation/i],
    ['does not hold yet', { notBefore: 600 }, /not yet valid/],
    ['comes from another issuer', { issuer: 'https://other.test' }, /other\.test/],
    ['was not asked for', { inResponseTo: null }, /asked/],
    ['answers somebody else’s request', { inResponseTo: '_nobody' }, /asked/],
    ['names nobody', { nameId: '' }, /NameID/],
    ['names somebody for one visit', { nameIdFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, /transient/],
    ['says that it failed', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, /Responder/],
    ['holds a document type', { after: (xml) => `<!DOCTYPE x [<!ENTITY y SYSTEM "file:///etc/passwd">]>${xml}` }, /document type/],
    ['holds a comment in a name', { after: (xml) => xml.replace('n-victim', 'n-<!---->victim') }, /comment/],
    ['holds a processing instruction', { before: (xml) => xml.replace('<samlp:Status>', '<?x y?><samlp:Status>') }, /processing/],
    [
      'holds two assertions',
      {
        after: (xml) => xml.replace('</samlp:Response>', `${/<saml:Assertion.*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''}</samlp:Response>`),
      },
      /exactly one/,
    ],
    ['wraps the signed assertion into another one', { after: (xml) => wrapped(xml) }, /exactly one/],
    [
      'hides the signed assertion in an extension',
      {
        after: (xml) =>
          xml.replace(/(<saml:Assertion.*<\/saml:Assertion>)/s, (whole) => `<samlp:Extensions>${whole}</samlp:Extensions>${forged(whole)}`),
      },
      /exactly one/,
    ],
    [
      'is open and encrypted at once',
      {
        before: (xml) =>
          ending(
            xml,
            '</samlp:Response>',
            '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/></samlp:Response>',
          ),
      },
      /exactly one/,
    ],
    [
      'confirms by two ways',
      { assertion: (xml) => xml.replace(/(<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>)/, '$1$1') },
      /exactly one bearer/,
    ],
    [
      'has no end',
      { assertion: (xml) => xml.replace(/<saml:SubjectConfirmationData NotOnOrAfter="[^"]+"/, '<saml:SubjectConfirmationData') },
      /NotOnOrAfter/,
    ],
    ['limits no audience', { assertion: (xml) => xml.replace(/<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, '') }, /./],
  ]
  const forged = (assertion: string) =>
    assertion
      .replace(/<Signature.*<\/Signature>/s, '')
      .replace('n-victim', 'n-attacker')
      .replace(/ID="[^"]+"/, 'ID="_forged"')
  const wrapped = (xml: string) =>
    xml.replace(/(<saml:Assertion.*<\/saml:Assertion>)/s, (whole) =>
      forged(whole).replace('</saml:Assertion>', `${whole}</saml:Assertion>`),
    )

  it('signs nobody in, and the administration reads why', async () => {
    const provider = await made({ ...makes() })
    const before = await count()
    for (const [what, said, why] of cases) {
      const fit = said.destination?.includes('KEY') ? { ...said, destination: aim(provider).recipient } : said
      const { to } = await enter(provider, { nameId: 'n-victim', attributes: { email: ['victim@sunrise.test'] }, ...fit })
      expect([...to.keys()].toSorted(), what).toEqual(['problem', 'provider'])
      expect((await of(provider)).lastRefusal, what).toMatch(why)
    }
    expect(await count()).toBe(before)
    // The same, said rightly, is taken: the cases fail for what they say.
    expect((await enter(provider, { nameId: 'n-victim', attributes: { email: ['victim@sunrise.test'] } })).answer?.status).toBe(200)
    expect(cases.length).toBeGreaterThanOrEqual(25)
  })
  const count = async () => (await world.app.database.admin.query<{ n: number }>('select count(*)::int n from app_user')).rows[0]?.n

  it('is taken once: five times at the same moment is one sign-in', async () => {
    const provider = await made()
    const user = await person()
    const { inResponseTo } = await begin(provider)
    const response = respond({ ...aim(provider), inResponseTo, ...named(user) })
    const codes = (await Promise.all(Array.from({ length: 5 }, () => send(provider, response)))).filter((to) => to.has('code'))
    expect(codes).toHaveLength(1)
    expect((await send(provider, response)).get('problem')).toBe('refused')
    expect((await of(provider)).lastRefusal).toContain('used before')
    // The same assertion to a later request, as far as a provider would sign that.
    const later = await begin(provider)
    const twice = respond({ ...aim(provider), inResponseTo: later.inResponseTo, ...named(user), assertionId: '_same' })
    expect((await send(provider, twice)).has('code')).toBe(true)
    const third = await begin(provider)
    expect(
      (await send(provider, respond({ ...aim(provider), inResponseTo: third.inResponseTo, ...named(user), assertionId: '_same' }))).has(
        'code',
      ),
    ).toBe(false)
    expect((await send({ key: 'nobody' }, response)).get('problem')).toBe('unknown')
    expect((await send(provider, 'not base 64 at all!')).get('problem')).toBe('refused')
    expect((await send(provider, Buffer.from('x'.repeat(250_000)).toString('base64'))).get('problem')).toBe('refused')
  })

  it('of another company’s provider counts for that company alone', async () => {
    const [ours, theirs] = [await made(), await made({ ...{ name: 'Copper SSO' } }, world.as.foreign)]
    const user = await person()
    const { inResponseTo } = await begin(ours)
    // Signed by the same key and meant for the other company's door.
    expect((await send(ours, respond({ ...aim(theirs), inResponseTo, ...named(user) }))).get('problem')).toBe('refused')
    const asked = await begin(ours)
    expect((await send(theirs, respond({ ...aim(theirs), inResponseTo: asked.inResponseTo, ...named(user) }))).get('problem')).toBe(
      'refused',
    )
    // Their provider names our user's address: it is nobody's there.
    expect((await enter(theirs, named(user))).to.get('problem')).toBe('refused')
    const { foreign } = world.as
    const statuses = await Promise.all([
      foreign.get(`${path}/${ours.Id}`),
      foreign.get(`${path}/${ours.Id}/timeline`),
      foreign.get(`${path}/${ours.Id}/certificates`),
      foreign.get(`${path}/${ours.Id}/setup`),
      foreign.put(`${path}/${ours.Id}`, { name: 'Mine' }),
      foreign.post(`${path}/${ours.Id}/try`, { response: 'x' }),
      foreign.post(`${path}/delete`, { ids: [ours.Id] }),
    ])
    expect(statuses.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404, 404])
    expect(
      (
        await world.as.admin.put(`${path}/${ours.Id}`, {
          roleAttribute: 'groups',
          roleMap: [{ value: 'a', roleId: await strangersRole() }],
        })
      ).status,
    ).toBe(422)
    expect(
      (await world.as.admin.put(`${path}/${ours.Id}`, { makesUsers: true, defaultTenantId: world.stranger.id, defaultRoleId: officerRole }))
        .status,
    ).toBe(422)
  })
  const strangersRole = async () => (await world.app.make.role({ company: world.stranger, name: `Theirs ${Date.now()}` })).id
})

describe('people it makes', () => {
  it('work in the chosen tenant with the roles of the attribute, which they follow at each sign-in', async () => {
    const [seller, boss] = [
      await world.app.make.role({ company: world.company, name: 'Seller', permissions: ['SALES/LEADS'] }),
      await world.app.make.role({ company: world.company, name: 'Boss', permissions: ['SALES/LEADS', 'SALES/TEAMS'] }),
    ]
    const map = [
      { value: 'sellers', roleId: seller.id },
      { value: 'Bosses', roleId: boss.id },
    ]
    const provider = await made({ makesUsers: true, defaultTenantId: world.branch.id, roleAttribute: 'groups', roleMap: map })
    expect(provider.roleMap).toMatchObject([
      { value: 'sellers', roleIdLabel: 'Seller' },
      { value: 'Bosses', roleIdLabel: 'Boss' },
    ])
    const claims = (groups: string[]) => ({
      nameId: 'n-zuri',
      attributes: { email: ['Zuri.O@sunrise.test'], givenName: ['Zuri'], sn: ["O'Neil 2"], groups },
    })
    expect((await enter(provider, claims(['visitors']))).to.get('problem')).toBe('refused')
    expect((await of(provider)).lastRefusal).toContain('visitors')
    const { answer } = await enter(provider, claims(['sellers', 'visitors']))
    const user = answer?.body.data.user
    expect(user).toMatchObject({
      emailAddress: 'zuri.o@sunrise.test',
      firstName: 'Zuri',
      lastName: "O'Neil",
      userName: 'zuri.o',
      roles: [{ name: 'Seller' }],
      tenants: [{ Id: world.branch.id }],
    })
    const again = await enter(provider, claims(['bosses', 'sellers']))
    expect(again.answer?.body.data.user.roles.map(({ name }) => name).toSorted()).toEqual(['Boss', 'Seller'])
    expect(again.answer?.body.data.user.Id).toBe(user?.Id)
    // No password came to be: that door stays shut.
    expect((await world.app.login({ emailAddress: 'zuri.o@sunrise.test', password: '' })).status).toBe(422)
    const { rows } = await world.app.database.admin.query('select 1 from credential where "userId" = $1', [user?.Id])
    expect(rows).toEqual([])
    // Whoever was here before keeps the own roles.
    const known = await person({ role: boss })
    await enter(provider, { nameId: 'n-known', attributes: { email: [known.emailAddress], groups: ['sellers'] } })
    const kept = await enter(provider, { nameId: 'n-known', attributes: { email: [known.emailAddress], groups: ['sellers'] } })
    expect(kept.answer?.body.data.user.roles.map(({ name }) => name)).toEqual(['Boss'])
  })

  it('never become more than whoever set the provider up: not by the mapping, not by a role that grew, not as somebody else', async () => {
    const admin = await roleOf('admin')
    expect(
      fieldsOf(
        await world.as.admin.post(path, {
          name: 'x',
          metadata: metadataXml(),
          makesUsers: true,
          defaultTenantId: world.branch.id,
          defaultRoleId: admin,
        }),
      ),
    ).toEqual(['roleMap'])
    // An administrator with fewer rights than others.
    await world.app.database.admin.query(
      `delete from role_permission where "companyId" = $1 and "roleId" = $2 and hierarchy = 'LOAN/DISBURSEMENTS'`,
      [world.company.id, admin],
    )
    const lesser = await world.app.as(await world.app.make.user({ company: world.company, role: 'admin' }))
    const payer = await world.app.make.role({ company: world.company, name: 'Payer', permissions: ['LOAN/DISBURSEMENTS'] })
    const body = { name: 'x', metadata: metadataXml(), makesUsers: true, defaultTenantId: world.branch.id, roleAttribute: 'groups' }
    expect((await lesser.post(path, { ...body, roleMap: [{ value: 'pay', roleId: payer.id }] })).status).toBe(403)
    const grows = await world.app.make.role({ company: world.company, name: 'Grows', permissions: ['SALES/LEADS'] })
    const provider = await made({ ...body, roleMap: [{ value: 'pay', roleId: grows.id }] }, lesser)
    await world.app.database.admin.query(
      `insert into role_permission ("companyId", "roleId", hierarchy) values ($1, $2, 'LOAN/DISBURSEMENTS')`,
      [world.company.id, grows.id],
    )
    const claims = { nameId: 'n-new', attributes: { email: ['new@sunrise.test'], groups: ['pay'] } }
    expect((await enter(provider, claims)).to.get('problem')).toBe('refused')
    expect((await of(provider)).lastRefusal).toContain('LOAN/DISBURSEMENTS')
    const holder = await person({ role: payer })
    expect((await enter(provider, named(holder))).to.get('problem')).toBe('refused')
    // Only administrators decide it, in person, for the whole company.
    const clerk = await world.app.make.role({ company: world.company, name: 'Settings clerk', permissions: ['ADMIN/SETTINGS'] })
    const other = await world.app.as(await person({ role: clerk }))
    expect((await other.post(path, { name: 'x', metadata: metadataXml() })).status).toBe(403)
    expect((await other.put(`${path}/${provider.Id}`, { name: 'x' })).status).toBe(403)
    expect((await world.as.officer.get(path)).status).toBe(403)
  })

  it('are not recognised by e-mail, and not made, where that is switched off', async () => {
    const provider = await made({ linksByEmail: false })
    const user = await person()
    expect((await enter(provider, named(user))).to.get('problem')).toBe('refused')
    expect((await enter(provider, { nameId: 'n', attributes: { email: ['nobody@sunrise.test'] } })).to.get('problem')).toBe('refused')
  })
})

describe('the provider', () => {
  it('is read from its metadata, shows its certificates and says what to enter on the other side', async () => {
    const provider = await made({ metadata: metadataXml({ by: ['idp', 'other'] }) })
    expect(provider).toMatchObject({ entityId: issuer, ssoUrl, certificateEndsAt: expect.any(String) })
    expect(provider.key).toMatch(/^sunrise-sso-[0-9a-f]{6}$/)
    const { body } = await world.as.admin.get<{ certificates: { subject: string; state: string }[] }>(`${path}/${provider.Id}/certificates`)
    expect(body.data.certificates.map(({ subject, state }) => [subject, state])).toEqual([
      ['CN=idp.idp.test', 'live'],
      ['CN=other.idp.test', 'live'],
    ])
    const setup = await world.as.admin.get<{ setup: { value: string }[] }>(`${path}/${provider.Id}/setup`)
    expect(setup.body.data.setup.map(({ value }) => value)).toEqual([
      aim(provider).audience,
      aim(provider).recipient,
      `${publicUrl}/api/auth/saml/${provider.key}/slo`,
      `${publicUrl}/saml?provider=${provider.key}`,
    ])
    const own = await world.app.nobody.get(`/api/auth/saml/${provider.key}/metadata`)
    expect(own.headers['content-type']).toContain('application/samlmetadata+xml')
    for (const part of [`entityID="${aim(provider).audience}"`, `Location="${aim(provider).recipient}"`, 'WantAssertionsSigned="true"'])
      expect(own.text).toContain(part)
    // Read and sent back, nothing changes but the version.
    const read = await of(provider)
    expect((await world.as.admin.put(`${path}/${provider.Id}`, { ...read, name: 'Renamed' })).status).toBe(200)
    expect((await world.as.admin.put(`${path}/${provider.Id}`, { name: 'Late', version: read.version })).status).toBe(409)
    expect((await of(provider)).key).toBe(provider.key)
  })

  it('is refused with metadata that says less, more or worse than needed', async () => {
    const bad: [string, string][] = [
      ['no XML', 'hello'],
      ['an entity', `<!DOCTYPE x [<!ENTITY a "b">]>${metadataXml().replace(/^.*\n/, '')}`],
      ['a bomb', `<a>${'<b>'.repeat(5_000)}</a>`],
      ['no provider', '<x/>'],
      ['no certificate', metadataXml({ by: [] })],
      ['a short key', metadataXml({ by: ['weak'] })],
      ['another binding', metadataXml({ binding: 'HTTP-POST' })],
      ['a script', metadataXml({ url: 'javascript:alert(1)' })],
      ['no https', metadataXml({ url: 'http://idp.test/sso' })],
      ['no name', metadataXml({ entityId: '' })],
    ]
    for (const [what, metadata] of bad)
      expect(fieldsOf(await world.as.admin.post(path, { name: 'x', metadata })), what).toEqual(['metadata'])
    expect(
      fieldsOf(await world.as.admin.post(path, { name: 'x', metadata: metadataXml(), makesUsers: true, defaultRoleId: officerRole })),
    ).toEqual(['defaultTenantId'])
    expect(
      fieldsOf(await world.as.admin.post(path, { name: 'x', metadata: metadataXml(), makesUsers: true, defaultTenantId: world.branch.id })),
    ).toEqual(['defaultRoleId'])
    expect(
      fieldsOf(await world.as.admin.post(path, { name: 'x', metadata: metadataXml(), roleMap: [{ value: 'a', roleId: officerRole }] })),
    ).toEqual(['roleAttribute'])
  })

  it('says what a response would give, and does none of it', async () => {
    const provider = await made({ ...makes() })
    const attempt = async (response: string) =>
      (await world.as.admin.post<Record<string, unknown>>(`${path}/${provider.Id}/try`, { response })).body.data
    const attributes = { email: ['trial@sunrise.test'], groups: ['a', 'b'] }
    const old = respond({ ...aim(provider), nameId: 'n-trial', attributes, notOnOrAfter: -3_600, notBefore: -7_200 })
    expect(await attempt(old)).toMatchObject({
      isAccepted: true,
      refusal: null,
      nameId: 'n-trial',
      email: 'trial@sunrise.test',
      wouldMake: true,
      user: null,
      roles: [{ Id: officerRole }],
      tenant: { Id: world.branch.id, name: 'Nairobi' },
      attributes: [
        { name: 'email', values: ['trial@sunrise.test'] },
        { name: 'groups', values: ['a', 'b'] },
      ],
    })
    const user = await person()
    const xml = Buffer.from(respond({ ...aim(provider), ...named(user) }), 'base64').toString('utf8')
    expect(await attempt(xml)).toMatchObject({ isAccepted: true, by: 'email', wouldMake: false, roles: null, user: { Id: user.id } })
    expect(await attempt(respond({ ...aim(provider), by: 'other' }))).toMatchObject({
      isAccepted: false,
      nameId: null,
      refusal: expect.stringMatching(/signature/i),
    })
    const { rows } = await world.app.database.admin.query(`select 1 from app_user where "emailAddress" = 'trial@sunrise.test'`)
    expect(rows).toEqual([])
    // What was tried may still be used for real.
    expect((await enter(provider, { nameId: 'n-trial', attributes })).answer?.status).toBe(200)
  })

  it('that is disabled or deleted, or whose certificate has ended, signs nobody in; a company has at most twenty', async () => {
    const provider = await made()
    const user = await person()
    const { inResponseTo } = await begin(provider)
    expect((await world.as.admin.put(`${path}/${provider.Id}`, { isDisabled: true })).status).toBe(200)
    expect((await send(provider, respond({ ...aim(provider), inResponseTo, ...named(user) }))).get('problem')).toBe('unknown')
    expect((await world.app.nobody.get(`/api/auth/auth-url/saml?provider=${provider.key}`)).status).toBe(422)
    expect((await world.app.nobody.get(`/api/auth/saml/${provider.key}/metadata`)).status).toBe(404)
    for (let more = 1; more < 20; more += 1) await made({ name: `Provider ${more}` })
    expect((await world.as.admin.post(path, { name: 'x', metadata: metadataXml() })).body.code).toBe('QUOTA_REACHED')
    expect((await world.as.admin.put(`${path}/${provider.Id}`, { isDisabled: false })).status).toBe(200)
    expect((await enter(provider, named(user))).answer?.status).toBe(200)
    world.app.clock.move(101 * 365.25 * 86_400)
    const late = await begin(provider)
    expect((await send(provider, respond({ ...aim(provider), inResponseTo: late.inResponseTo, ...named(user) }))).get('problem')).toBe(
      'refused',
    )
    world.as.admin = await world.app.as(world.people.admin)
    expect((await of(provider)).lastRefusal).toContain('expired')
  })
})
