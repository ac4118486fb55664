import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { metadataXml, sloOf, sloUrl } from '../../support/identity-provider.ts'
import { makeWorld, type World } from '../world.ts'
import { ask, base, isIn, isRefused, messageIn, nameOf, path, signingOut, signOut, type Provider } from './signing-out.ts'

let world: World
let made: ReturnType<typeof signingOut>['made']
let refusalOf: ReturnType<typeof signingOut>['refusalOf']
let person: ReturnType<typeof signingOut>['person']
let signIn: ReturnType<typeof signingOut>['signIn']
let bring: ReturnType<typeof signingOut>['bring']
let isSignedByUs: ReturnType<typeof signingOut>['isSignedByUs']
beforeAll(async () => {
  world = await makeWorld()
  ;({ made, refusalOf, person, signIn, bring, isSignedByUs } = signingOut(world))
})
afterAll(() => world.app.close())
// A company has twenty at most.
beforeEach(() => world.app.database.admin.query('update saml_provider set "deletedAt" = now()'))

describe('signing out here', () => {
  it('goes on to the provider with a signed request that names the person and the session as the provider does', async () => {
    const provider = await made()
    expect(provider.sloUrl).toBe(sloUrl)
    const user = await person()
    const client = await signIn(provider, user, 'there-1')
    const url = await signOut(client)
    expect(url?.startsWith(`${sloUrl}?SAMLRequest=`)).toBe(true)
    expect(await isIn(client)).toBe(false)
    const request = messageIn(new URL(url ?? ''), 'SAMLRequest')
    expect(request).toContain(`>${nameOf(user)}</saml:NameID>`)
    expect(request).toContain('Format="urn:oasis:names:tc:SAML:2.0:nameid-format:persistent"')
    expect(request).toMatch(/SessionIndex[^>]*>there-1</)
    expect(request).toContain(`Destination="${sloUrl}"`)
    expect(await isSignedByUs(url ?? '', provider)).toBe(true)

    // The provider's answer counts once, and for its own request.
    const inResponseTo = /ID="([^"]+)"/.exec(request)?.[1] ?? ''
    const other = await made({ name: 'Other' })
    expect(isRefused(await bring(other, ask(other, { inResponseTo })))).toBe(true)
    expect(isRefused(await bring(provider, ask(provider, { inResponseTo, by: 'other' })))).toBe(true)
    expect((await bring(provider, ask(provider, { inResponseTo }))).pathname).toBe('/login')
    expect(isRefused(await bring(provider, ask(provider, { inResponseTo })))).toBe(true)
    expect(await refusalOf(provider)).toContain('answered before')
  })

  it('stays here where the provider knows no single logout, where a password opened the session, and where it is disabled', async () => {
    const plain = await made({ metadata: metadataXml() })
    expect(plain.sloUrl).toBeNull()
    expect(await signOut(await signIn(plain, await person()))).toBeUndefined()
    const provider = await made({ name: 'Another' })
    const user = await person()
    const disabled = await signIn(provider, user)
    expect(await signOut(await world.app.as(user))).toBeUndefined()
    expect((await world.as.admin.put(`${path}/${provider.Id}`, { isDisabled: true })).status).toBe(200)
    expect(await signOut(disabled)).toBeUndefined()
    expect(await isIn(disabled)).toBe(false)
  })

  it('takes no address from metadata that nobody should be sent to, and takes one up when metadata of before is saved again', async () => {
    expect((await made({ metadata: metadataXml({ slo: sloOf('javascript:alert(1)') }) })).sloUrl).toBeNull()
    expect((await made({ metadata: metadataXml({ slo: sloOf('http://idp.test/slo') }) })).sloUrl).toBeNull()
    const provider = await made()
    await world.app.database.admin.query('update saml_provider set "sloUrl" = null where id = $1', [provider.Id])
    const saved = await world.as.admin.put<{ samlProvider: Provider }>(`${path}/${provider.Id}`, { name: 'Again' })
    expect(saved.body.data.samlProvider.sloUrl).toBe(sloUrl)
    const { text } = await world.app.nobody.get(`/api/auth/saml/${provider.key}/metadata`)
    expect(text).toContain(
      `<SingleLogoutService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${base(provider.key)}/slo"`,
    )
    expect(text).toContain('AuthnRequestsSigned="false"')
  })
})

describe('a provider that signs somebody out', () => {
  it('ends the session it names, of that person alone, and is answered with what it gave along', async () => {
    const provider = await made({ metadata: metadataXml({ slo: sloOf(sloUrl, ' ResponseLocation="https://idp.test/slo-answers"') }) })
    const [user, other] = [await person(), await person()]
    const [first, second, others] = [
      await signIn(provider, user, 'one'),
      await signIn(provider, user, 'two'),
      await signIn(provider, other, 'one'),
    ]
    const byPassword = await world.app.as(user)
    const to = await bring(provider, ask(provider, { nameId: nameOf(user), indexes: ['one'], relayState: 'a b+c (d) ~e!', id: '_first' }))
    expect([await isIn(first), await isIn(second), await isIn(others), await isIn(byPassword)]).toEqual([false, true, true, true])
    expect(to.origin + to.pathname).toBe('https://idp.test/slo-answers')
    expect(to.searchParams.get('RelayState')).toBe('a b+c (d) ~e!')
    expect(messageIn(to, 'SAMLResponse')).toMatch(/InResponseTo="_first"[\s\S]*status:Success/)
    expect(await isSignedByUs(to.href, provider)).toBe(true)

    // Without an index: all sessions that it vouched for, and none that it did not.
    await bring(provider, ask(provider, { nameId: nameOf(user) }))
    expect([await isIn(second), await isIn(others), await isIn(byPassword)]).toEqual([false, true, true])
    // It learns whom it never vouched for.
    const nobody = await bring(provider, ask(provider, { nameId: 'n-nobody' }))
    expect(messageIn(nobody, 'SAMLResponse')).toContain('status:UnknownPrincipal')
  })

  it('is refused for anything that is not as it must be, and nobody is signed out', async () => {
    const provider = await made()
    const user = await person()
    const client = await signIn(provider, user, 'one')
    const nameId = nameOf(user)
    const cases: [string, string, RegExp][] = [
      ['is not signed', ask(provider, { nameId, isSigned: false }), /not signed/],
      ['has a signature of nothing', ask(provider, { nameId }).replace(/&Signature=.*/, '&Signature='), /not signed/],
      ['is signed by somebody else', ask(provider, { nameId, by: 'other' }), /signature/i],
      ['is signed with SHA-1', ask(provider, { nameId, algorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }), /rsa-sha1/],
      ['was changed', ask(provider, { nameId, relayState: 'a' }).replace('RelayState=a', 'RelayState=b'), /signature/i],
      ['holds two messages', `SAMLResponse=x&${ask(provider, { nameId })}`, /at once/],
      ['is for another door', ask(provider, { nameId, destination: `${base('other')}/slo` }), /Destination/],
      ['comes from another issuer', ask(provider, { nameId, issuer: 'https://other.test' }), /issuer/i],
      ['is old', ask(provider, { nameId, issued: -3_600 }), /too old/],
      ['has expired', ask(provider, { nameId, notOnOrAfter: -120 }), /expired/i],
      ['names nobody', ask(provider, { nameId: '' }), /NameID/],
      ['holds a document type', ask(provider, { nameId, before: (xml) => `<!DOCTYPE x>${xml}` }), /document type/],
      [
        'is something else',
        ask(provider, { nameId, before: (xml) => xml.replaceAll('LogoutRequest', 'AuthnRequest') }),
        /no LogoutRequest/,
      ],
      ['is nothing', 'SAMLRequest=!&SigAlg=x&Signature=x', /signed with/],
    ]
    for (const [what, query, why] of cases) {
      expect(isRefused(await bring(provider, query)), what).toBe(true)
      expect(await refusalOf(provider), what).toMatch(why)
    }
    expect(await isIn(client)).toBe(true)
    // Twice the same name is no input at all.
    const twice = await world.app.http.inject({
      method: 'GET',
      url: `/api/auth/saml/${provider.key}/slo?${ask(provider, { nameId })}&SAMLRequest=x`,
    })
    expect(twice.statusCode).toBe(422)
    // Said rightly it is taken: the cases fail for what they say.
    expect(isRefused(await bring(provider, ask(provider, { nameId })))).toBe(false)
    expect(await isIn(client)).toBe(false)
  })

  it('counts once: who replays it after a new sign-in ends nothing, five times at once either', async () => {
    const provider = await made()
    const user = await person()
    await signIn(provider, user)
    const query = ask(provider, { nameId: nameOf(user) })
    const tries = await Promise.all(Array.from({ length: 5 }, () => bring(provider, query)))
    expect(tries.filter((to) => !isRefused(to))).toHaveLength(1)
    const again = await signIn(provider, user)
    expect(isRefused(await bring(provider, query))).toBe(true)
    expect(await refusalOf(provider)).toContain('used before')
    expect(await isIn(again)).toBe(true)
  })

  it('of another company ends nobody’s session here, nor does another provider of the same company', async () => {
    const [ours, second, theirs] = [await made(), await made({ name: 'Second' }), await made({ name: 'Copper SSO' }, world.as.foreign)]
    const user = await person()
    const client = await signIn(ours, user)
    const said = { nameId: nameOf(user) }
    for (const provider of [second, theirs]) {
      const to = await bring(provider, ask(provider, said))
      expect(messageIn(to, 'SAMLResponse')).toContain('status:UnknownPrincipal')
    }
    // Meant for the other's door, brought to ours.
    expect(isRefused(await bring(ours, ask(theirs, said)))).toBe(true)
    expect((await bring({ key: 'nobody' }, ask(ours, said))).searchParams.get('problem')).toBe('unknown')
    expect(await isIn(client)).toBe(true)
  })
})
