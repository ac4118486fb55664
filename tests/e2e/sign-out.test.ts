import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { metadataXml, requestOf, respond, signOutForm, sloOf } from '../support/identity-provider.ts'
import { demoPassword } from '../../prisma/seed/tree.ts'
import type { Person } from '../support/browser.ts'
import { usePeople } from './support/people.ts'

const { meet } = usePeople()
const outpost = inject('outpostUrl')
const issuer = 'https://forms.idp.test/metadata'
const nameId = 'n-forms'

/** An identity provider that takes and gives messages by forms alone (HTTP-POST binding); its people are signed in already. */
let provider: Server
let own = ''
/** What browsers brought to it by a form. */
const brought: URLSearchParams[] = []
/** Where Outpost takes messages, as its metadata says and as it is reached. */
let place = { audience: '', acs: '', slo: '' }
const reached = (address: string) => `${outpost}${new URL(address).pathname}`

beforeAll(async () => {
  provider = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve))
  own = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
})
afterAll(() => new Promise((resolve) => void provider.close(resolve)))

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const asked = new URL(request.url ?? '/', own)
  response.setHeader('content-type', 'text/html')
  if (asked.pathname === '/sso') {
    const { audience, acs: recipient } = place
    const attributes = { email: ['forms@sunrise.test'], firstName: ['Njoki'], lastName: ['Forms'] }
    const sent = respond({ issuer, audience, recipient, inResponseTo: requestOf(asked.href), nameId, sessionIndex: 'there', attributes })
    return void response.end(form(reached(recipient), new URLSearchParams({ SAMLResponse: sent }), 'Go back to Outpost'))
  }
  if (asked.pathname === '/slo' && request.method === 'POST') {
    const fields = new URLSearchParams(await text(request))
    brought.push(fields)
    if (fields.has('SAMLResponse')) return void response.end('<title>Signed out</title><h1>Signed out everywhere</h1>')
    const inResponseTo = /ID="([^"]+)"/.exec(xmlOf(fields.get('SAMLRequest')))?.[1] ?? ''
    return void response.end(form(reached(place.slo), signOutForm({ issuer, destination: place.slo, inResponseTo }), 'Signed out here'))
  }
  if (asked.pathname === '/leave') {
    const message = signOutForm({ issuer, destination: place.slo, nameId, indexes: ['there'], relayState: 'from the portal' })
    return void response.end(form(reached(place.slo), message, 'Sign out everywhere'))
  }
  response.end('')
}

const xmlOf = (packed: string | null) => Buffer.from(packed ?? '', 'base64').toString('utf8')
const form = (action: string, fields: URLSearchParams, label: string) =>
  `<title>Portal</title><form method="post" action="${action}">${[...fields].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`).join('')}<button>${label}</button></form>`

/** A call of the administrator's; what it answers. */
async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
  const response = await fetch(`${outpost}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-native': '1', ...(token === '' ? {} : { authorization: `Bearer ${token}` }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const { data, message } = (await response.json()) as { data: Data; message?: string }
  expect([path, response.status, message]).toEqual([path, 200, message])
  return data
}
let token = ''
let made = { Id: '', key: '' }

async function makeProvider(): Promise<void> {
  ;({ token } = await call<{ token: string }>('POST', '/api/auth/login', { email: 'admin@sunrise.test', password: demoPassword }))
  const idOf = (rows: { Id: string; name: string }[], wanted: string) => rows.find(({ name }) => name === wanted)?.Id
  const { tenants } = await call<{ tenants: { Id: string; name: string }[] }>('GET', '/api/tenants')
  const { roles } = await call<{ roles: { Id: string; name: string }[] }>('GET', '/api/roles')
  const { samlProvider } = await call<{ samlProvider: typeof made }>('POST', '/api/saml-providers', {
    name: 'Portal of forms',
    metadata: metadataXml({ entityId: issuer, url: `${own}/sso`, slo: sloOf(`${own}/slo`, '', 'HTTP-POST') }),
    makesUsers: true,
    defaultTenantId: idOf(tenants, 'Sunrise Credit'),
    defaultRoleId: idOf(roles, 'Loan Officer'),
  })
  made = samlProvider
  const described = await (await fetch(`${outpost}/api/auth/saml/${made.key}/metadata`)).text()
  const acs = /AssertionConsumerService[^>]*Location="([^"]+)"/.exec(described)?.[1] ?? ''
  place = { acs, audience: acs.replace(/acs$/, 'metadata'), slo: acs.replace(/acs$/, 'slo') }
}
// Where a company has one provider alone nobody is asked which: other tests rely on it.
afterAll(async () => {
  if (made.Id !== '') await call('POST', '/api/saml-providers/delete', { ids: [made.Id] })
})

async function signIn({ page }: Person): Promise<void> {
  await page.goto(`/saml?provider=${made.key}`)
  await page.getByRole('button', { name: 'Continue with Portal of forms' }).click()
  await page.getByRole('button', { name: 'Go back to Outpost' }).click()
  await page.waitForURL((now) => now.pathname === '/agents/landingpage')
}

it('a browser carries the messages of a single logout by forms, both ways', async () => {
  await makeProvider()
  const person = await meet({ width: 360, height: 740 })
  const { page } = person
  person.allow(/WebSocket|401/, 'what was under way ends with the session')
  await signIn(person)

  // Out of Outpost: its own page sends the form by itself, the provider answers by one, and the sign-in is shown.
  await page.goto('/logout')
  await page.getByRole('button', { name: 'Signed out here' }).click()
  await page.waitForURL((now) => now.pathname === '/login')
  expect(brought.length).toBe(1)
  expect(xmlOf(brought[0]?.get('SAMLRequest') ?? null)).toMatch(/<samlp:LogoutRequest[\s\S]*<Signature[\s\S]*n-forms[\s\S]*>there</)
  await page.goto('/agents/landingpage')
  await page.waitForURL((now) => now.pathname === '/login')

  // Out of the provider: Outpost ends the session and answers by a form, with what came along.
  await signIn(person)
  await page.goto(`${own}/leave`)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('heading', { name: 'Signed out everywhere' }).waitFor()
  const answered = brought.at(-1)
  expect([answered?.get('RelayState'), /status:(\w+)"/.exec(xmlOf(answered?.get('SAMLResponse') ?? null))?.[1]]).toEqual([
    'from the portal',
    'Success',
  ])
  await page.goto(`${outpost}/agents/landingpage`)
  await page.waitForURL((now) => now.pathname === '/login')
  await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
})
