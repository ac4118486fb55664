import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { getVerifiedXml, parseDomFromString } from '@node-saml/node-saml/lib/xml.js'
import { metadataXml, signOutForm, sloOf, sloUrl } from '../../support/identity-provider.ts'
import type { Client } from '../../support/app.ts'
import { makeWorld, type World } from '../world.ts'
import { ask, base, isIn, isRefused, nameOf, path, post, publicUrl, signingOut, signOut, type Provider } from './signing-out.ts'

let world: World
let by: ReturnType<typeof signingOut>
beforeAll(async () => {
  world = await makeWorld()
  by = signingOut(world)
})
afterAll(() => world.app.close())
// A company has twenty at most.
beforeEach(() => world.app.database.admin.query('update saml_provider set "deletedAt" = now()'))

/** A provider that takes messages by forms alone. */
const made = (more: object = {}, as: Client = world.as.admin, places = '') =>
  by.made({ metadata: metadataXml({ slo: sloOf(sloUrl, places, 'HTTP-POST') }), ...more }, as)

interface Page {
  status: number
  policy: string
  action: string
  fields: Record<string, string>
  text: string
}
/** The page that hands a message of ours on, as a browser opens it. */
async function open(address: string): Promise<Page> {
  const url = new URL(address, publicUrl)
  expect(url.origin).toBe(publicUrl)
  const { statusCode, headers, body } = await world.app.http.inject({ method: 'GET', url: `${url.pathname}${url.search}` })
  const fields = Object.fromEntries(
    [...body.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(([, name, value]) => [name, value]),
  )
  return {
    status: statusCode,
    policy: String(headers['content-security-policy']),
    action: /<form method="post" action="([^"]+)">/.exec(body)?.[1] ?? '',
    fields,
    text: body,
  }
}
const xmlOf = (packed = '') => Buffer.from(packed, 'base64').toString('utf8')
/** What our signature covers; null when it is none of ours. */
const signedByUs = async (xml: string, provider: Provider): Promise<string | null> =>
  getVerifiedXml(xml, (await parseDomFromString(xml)).documentElement, [await by.ownCertificate(provider)])

describe('signing out here, where the provider takes forms', () => {
  it('goes on by a page of ours whose form takes a signed request there, once', async () => {
    const provider = await made()
    expect(provider.sloUrl).toBe(sloUrl)
    const user = await by.person()
    const client = await by.signIn(provider, user, 'there-1')
    const address = (await signOut(client)) ?? ''
    expect(address.startsWith(`${base(provider.key)}/send?id=_`)).toBe(true)
    expect(await isIn(client)).toBe(false)

    const page = await open(address)
    expect(page.status).toBe(200)
    expect(page.action).toBe(sloUrl)
    expect(page.policy).toContain("default-src 'none'")
    expect(page.policy).toMatch(/script-src 'sha256-[^']+'(;|$)/)
    expect(page.policy).toContain("form-action 'self' https: https://idp.test")
    const request = await signedByUs(xmlOf(page.fields['SAMLRequest']), provider)
    expect(request).toMatch(/^<samlp:LogoutRequest/)
    expect(request).toContain(`>${nameOf(user)}</saml:NameID>`)
    expect(request).toMatch(/SessionIndex[^>]*>there-1</)
    expect(request).toContain(`Destination="${sloUrl}"`)

    // Whoever opens it again, or under another provider's address, finds nothing of it.
    const other = await made({ name: 'Other' })
    for (const again of [address, address.replace(provider.key, other.key), `${base(provider.key)}/send?id=_none`]) {
      const { status, text } = await open(again)
      expect([status, text.includes('SAMLRequest')], again).toEqual([404, false])
    }

    // The provider's answer counts once, and for its own request.
    const inResponseTo = /ID="([^"]+)"/.exec(request ?? '')?.[1] ?? ''
    expect(isRefused(await by.bring(other, post(other, { inResponseTo })))).toBe(true)
    expect(isRefused(await by.bring(provider, post(provider, { inResponseTo, by: 'other' })))).toBe(true)
    expect(isRefused(await by.bring(provider, post(provider, { inResponseTo, issuer: 'https://other.test' })))).toBe(true)
    const denied = post(provider, { inResponseTo, status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' })
    expect(isRefused(await by.bring(provider, denied))).toBe(true)
    expect(await by.refusalOf(provider)).toContain('could not sign out: Responder')
    expect((await by.bring(provider, post(provider, { inResponseTo }))).pathname).toBe('/login')
    expect(isRefused(await by.bring(provider, post(provider, { inResponseTo })))).toBe(true)
    expect(await by.refusalOf(provider)).toContain('answered before')
  })

  it('is given out to one of five who open the page at once', async () => {
    const provider = await made()
    const address = (await signOut(await by.signIn(provider, await by.person()))) ?? ''
    const pages = await Promise.all(Array.from({ length: 5 }, () => open(address)))
    expect(pages.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('goes by the address where the provider takes both, and our metadata names both', async () => {
    const both = `${sloOf(sloUrl, '', 'HTTP-POST')}${sloOf('https://idp.test/slo-there')}`
    const provider = await by.made({ metadata: metadataXml({ slo: both }) })
    expect(provider.sloUrl).toBe('https://idp.test/slo-there')
    const url = await signOut(await by.signIn(provider, await by.person()))
    expect(url?.startsWith('https://idp.test/slo-there?SAMLRequest=')).toBe(true)
    const { text } = await world.app.nobody.get(`/api/auth/saml/${provider.key}/metadata`)
    for (const binding of ['HTTP-Redirect', 'HTTP-POST'])
      expect(text).toContain(
        `<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:${binding}" Location="${base(provider.key)}/slo"`,
      )
    // One that is not safe is none.
    expect((await by.made({ metadata: metadataXml({ slo: sloOf('http://idp.test/slo', '', 'HTTP-POST') }) })).sloUrl).toBeNull()
    // Saved again without metadata it stays what it was.
    const posted = await made()
    await world.as.admin.put(`${path}/${posted.Id}`, { name: 'Again' })
    expect(await signOut(await by.signIn(posted, await by.person()))).toContain('/send?id=')
  })
})

describe('a provider that signs somebody out by a form', () => {
  it('ends the session it names, of that person alone, and is answered by a form with what it gave along', async () => {
    const provider = await made({}, world.as.admin, ' ResponseLocation="https://idp.test/slo-answers"')
    const [user, other] = [await by.person(), await by.person()]
    const [first, second, others] = [
      await by.signIn(provider, user, 'one'),
      await by.signIn(provider, user, 'two'),
      await by.signIn(provider, other, 'one'),
    ]
    const byPassword = await world.app.as(user)
    const to = await by.bring(
      provider,
      post(provider, { nameId: nameOf(user), indexes: ['one'], relayState: 'a b+c "(d)" <e>', id: '_first' }),
    )
    expect([await isIn(first), await isIn(second), await isIn(others), await isIn(byPassword)]).toEqual([false, true, true, true])
    const page = await open(to.href)
    expect(page.action).toBe('https://idp.test/slo-answers')
    expect(page.fields['RelayState']).toBe('a b+c &quot;(d)&quot; &lt;e&gt;')
    expect(await signedByUs(xmlOf(page.fields['SAMLResponse']), provider)).toMatch(/InResponseTo="_first"[\s\S]*status:Success/)

    // Asked in an address, it is answered as it takes answers; without an index all sessions end that it vouched for.
    const inAddress = await open((await by.bring(provider, ask(provider, { nameId: nameOf(user) }))).href)
    expect(inAddress.action).toBe('https://idp.test/slo-answers')
    expect([await isIn(second), await isIn(others), await isIn(byPassword)]).toEqual([false, true, true])
    const nobody = await open((await by.bring(provider, post(provider, { nameId: 'n-nobody' }))).href)
    expect(xmlOf(nobody.fields['SAMLResponse'])).toContain('status:UnknownPrincipal')
  })

  it('is refused for anything that is not as it must be, and nobody is signed out', async () => {
    const provider = await made()
    const user = await by.person()
    const client = await by.signIn(provider, user, 'one')
    const nameId = nameOf(user)
    const evil = `<samlp:LogoutRequest xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_evil" Version="2.0" IssueInstant="${new Date().toISOString()}" Destination="${base(provider.key)}/slo"><saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">https://idp.test/metadata</saml:Issuer><saml:NameID xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${nameId}</saml:NameID>`
    const both = post(provider, { nameId })
    both.append('SAMLResponse', both.get('SAMLRequest') ?? '')
    const twice = post(provider, { nameId })
    twice.append('SAMLRequest', twice.get('SAMLRequest') ?? '')
    const cases: [string, URLSearchParams, RegExp][] = [
      ['is not signed', post(provider, { nameId, isSigned: false }), /not signed/],
      ['is signed by somebody else', post(provider, { nameId, by: 'other' }), /signature/i],
      ['is signed with SHA-1', post(provider, { nameId, algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }), /rsa-sha1|sha1/],
      ['was changed', post(provider, { nameId: 'n-other' }, (xml) => xml.replace('n-other', nameId)), /signature/i],
      ['has its signature elsewhere', post(provider, { nameId: 'n-other' }, (xml) => `${evil}${xml}</samlp:LogoutRequest>`), /not signed/],
      [
        'has a signature of something else',
        post(provider, { nameId: 'n-other' }, (xml) => {
          const signature = /<Signature[\s\S]*<\/Signature>/.exec(xml)?.[0] ?? ''
          return `${evil}${signature}<samlp:Extensions>${xml.replace(signature, '')}</samlp:Extensions></samlp:LogoutRequest>`
        }),
        /signature/i,
      ],
      [
        'has two signatures',
        post(provider, { nameId }, (xml) => xml.replace(/<Signature[\s\S]*<\/Signature>/, '$&$&')),
        /several signatures/,
      ],
      ['holds two messages', both, /at once/],
      ['holds one twice', twice, /twice/],
      ['is for another door', post(provider, { nameId, destination: `${base('other')}/slo` }), /Destination/],
      ['comes from another issuer', post(provider, { nameId, issuer: 'https://other.test' }), /issuer/i],
      ['is old', post(provider, { nameId, issued: -3_600 }), /too old/],
      ['has expired', post(provider, { nameId, notOnOrAfter: -120 }), /expired/i],
      ['names nobody', post(provider, { nameId: '' }), /NameID/],
      ['holds a document type', post(provider, { nameId }, (xml) => `<!DOCTYPE x>${xml}`), /document type/],
      [
        'is something else',
        post(provider, { nameId, before: (xml) => xml.replaceAll('LogoutRequest', 'AuthnRequest') }),
        /no LogoutRequest/,
      ],
      ['is no base 64', new URLSearchParams({ SAMLRequest: '!' }), /base 64/],
      ['is nothing', new URLSearchParams(), /base 64/],
    ]
    for (const [what, form, why] of cases) {
      expect(isRefused(await by.bring(provider, form)), what).toBe(true)
      expect(await by.refusalOf(provider), what).toMatch(why)
    }
    expect(await isIn(client)).toBe(true)
    // Said rightly it is taken: the cases fail for what they say.
    expect(isRefused(await by.bring(provider, post(provider, { nameId })))).toBe(false)
    expect(await isIn(client)).toBe(false)
  })

  it('counts once, by whatever binding it comes again, five times at once either', async () => {
    const provider = await made()
    const user = await by.person()
    await by.signIn(provider, user)
    const said = { nameId: nameOf(user), id: '_only-once' }
    const form = post(provider, said)
    const tries = await Promise.all(Array.from({ length: 5 }, () => by.bring(provider, form)))
    expect(tries.filter((to) => !isRefused(to))).toHaveLength(1)
    const again = await by.signIn(provider, user)
    for (const message of [form, ask(provider, said)]) {
      expect(isRefused(await by.bring(provider, message))).toBe(true)
      expect(await by.refusalOf(provider)).toContain('used before')
    }
    expect(await isIn(again)).toBe(true)
  })

  it('of another company ends nobody’s session here', async () => {
    const [ours, theirs] = [await made(), await made({ name: 'Copper SSO' }, world.as.foreign)]
    const user = await by.person()
    const client = await by.signIn(ours, user)
    const page = await open((await by.bring(theirs, post(theirs, { nameId: nameOf(user) }))).href)
    expect(xmlOf(page.fields['SAMLResponse'])).toContain('status:UnknownPrincipal')
    // Meant for the other's door, brought to ours.
    expect(isRefused(await by.bring(ours, post(theirs, { nameId: nameOf(user) })))).toBe(true)
    const unknown = await by.bring({ key: 'nobody' }, signOutForm({ destination: `${base('nobody')}/slo` }))
    expect(unknown.searchParams.get('problem')).toBe('unknown')
    expect(await isIn(client)).toBe(true)
  })
})
