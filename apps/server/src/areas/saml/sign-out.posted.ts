import type { SAML } from '@node-saml/node-saml'
import { AssertionRefused, decode, refuse, refuseWeak } from './response.ts'
import { checkAim, messageOf, type MessageCheck, type MessageName, type SignOutMessage } from './sign-out.message.ts'
import { elements, named, parseXml } from './xml.ts'

const what = 'the message to sign out'

/**
 * Reads a LogoutRequest or LogoutResponse of the HTTP-POST binding (SAML 2.0 bindings, 3.5): the fields of a form, of which the message
 * itself is signed. node-saml checks signature and end; what it leaves open is refused here: weak signatures, further ones, and of a
 * response issuer and status. Throws AssertionRefused. Whether it was taken before is the caller's to check.
 */
export async function readPostedSignOut({
  saml,
  form,
  issuer,
  ...aim
}: Omit<MessageCheck, 'query'> & { form: URLSearchParams; issuer: string }): Promise<SignOutMessage> {
  const fieldOf = (name: string): string => {
    const [value = '', other] = form.getAll(name)
    return other === undefined ? value : refuse(`it holds ${name} twice`)
  }
  const [request, response] = [fieldOf('SAMLRequest'), fieldOf('SAMLResponse')]
  if (request !== '' && response !== '') refuse('it is a request and a response at once')
  const name: MessageName = request === '' ? 'SAMLResponse' : 'SAMLRequest'
  const text = decode(request || response, what)
  const root = rootOf(text, name === 'SAMLRequest' ? 'LogoutRequest' : 'LogoutResponse')
  checkAim(root, aim)
  checkIssuer(root, issuer)
  const packed = Buffer.from(text, 'utf8').toString('base64')
  const nameId = name === 'SAMLRequest' ? await nameOf(saml, packed) : await checkAnswer(saml, packed, root)
  return messageOf(root, { name, nameId, relayState: fieldOf('RelayState') })
}

/** The root of a message that bears one signature, its own, by a digest that counts. */
function rootOf(text: string, wanted: string): Element {
  const document = parseXml(text) ?? refuse(`${what} is no well-formed XML`)
  const root = document.documentElement
  if (root.localName !== wanted || root.namespaceURI !== 'urn:oasis:names:tc:SAML:2.0:protocol') refuse(`it is no ${wanted}`)
  const [signature, other] = elements(`//${named('Signature')}`, document)
  if (!signature || signature.parentNode !== root) refuse(`${what} is not signed`)
  if (other) refuse(`${what} holds several signatures`)
  refuseWeak(document)
  return root
}

function checkIssuer(root: Element, issuer: string): void {
  const said = elements(`./${named('Issuer')}`, root).map((one) => (one.textContent ?? '').trim())
  if (said.length !== 1 || said[0] !== issuer)
    refuse(`${what} comes from ${said[0]?.slice(0, 200) ?? 'nobody'} and not from ${issuer} (Issuer)`)
}

async function nameOf(saml: SAML, packed: string): Promise<string> {
  const { profile } = await asRefusal(() => saml.validatePostRequestAsync({ SAMLRequest: packed }))
  return profile?.nameID?.trim() ?? ''
}

async function checkAnswer(saml: SAML, packed: string, root: Element): Promise<''> {
  const { loggedOut } = await asRefusal(() => saml.validatePostResponseAsync({ SAMLResponse: packed }))
  const status = elements(`./${named('Status', 'StatusCode')}`, root)[0]?.getAttribute('Value') ?? ''
  if (!loggedOut || !status.endsWith(':Success')) refuse(`the provider could not sign out: ${status.split(':').at(-1) || 'no status'}`)
  return ''
}

async function asRefusal<T>(check: () => Promise<T>): Promise<T> {
  try {
    return await check()
  } catch (error) {
    if (error instanceof AssertionRefused) throw error
    return refuse(`${what}: ${error instanceof Error ? error.message.slice(0, 200) : 'it could not be read'}`)
  }
}
