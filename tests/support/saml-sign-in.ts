import type { Client, SignedInData, TestApp } from './app.ts'
import { requestOf, respond, type Said } from './identity-provider.ts'

const publicUrl = 'http://outpost.test'

/** Signs somebody in by a provider of their company, all the way that a browser goes; stops where one of its steps is refused. */
export async function samlSignIn(app: TestApp, key: string, said: Partial<Said>): Promise<Client> {
  const begun = await app.nobody.get<{ url: string }>(`/api/auth/auth-url/saml?provider=${key}`)
  const acs = `/api/auth/saml/${key}/acs`
  const aim = { audience: `${publicUrl}/api/auth/saml/${key}/metadata`, recipient: `${publicUrl}${acs}` }
  const response = respond({ ...aim, inResponseTo: requestOf(begun.body.data.url), ...said })
  const { headers } = await app.http.inject({
    method: 'POST',
    url: acs,
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://idp.test' },
    payload: new URLSearchParams({ SAMLResponse: response, RelayState: '' }).toString(),
  })
  const code = new URL(String(headers.location), publicUrl).searchParams.get('code')
  const cookie = `outpost-saml=${begun.cookies['outpost-saml']}`
  const { status, body, text } = await app.nobody.post<SignedInData>('/api/auth/saml/login', { code }, { cookie })
  if (status !== 200 || !body.data.token) throw new Error(`sign-in by SAML: ${String(headers.location)} ${text}`)
  return app.client({ authorization: `Bearer ${body.data.token}` })
}
