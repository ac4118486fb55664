import { promisify } from 'node:util'
import { decrypt } from 'xml-encryption'
import { elements, named, parseXml, xmlFault } from './xml.ts'

const authenticated = new Set(['http://www.w3.org/2009/xmlenc11#aes128-gcm', 'http://www.w3.org/2009/xmlenc11#aes256-gcm'])
const chained = new Set(['http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'])
const transport = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'
const method = named('EncryptionMethod')
const algorithmsOf = (path: string, node: Node): string[] => elements(path, node).map((one) => one.getAttribute('Algorithm') ?? '')
const short = (algorithm: string | undefined): string => algorithm?.split('#').at(-1) ?? 'nothing'

/**
 * What is wrong with how an assertion is encrypted, before anything is opened; undefined when all is well. RSA 1.5 reveals too much of
 * keys by its failures (Bleichenbacher), and so does CBC of plaintexts unless a signature of the response covers it.
 */
export function encryptionFault(encrypted: Element, { isResponseSigned }: { isResponseSigned: boolean }): string | undefined {
  const [data, other] = algorithmsOf(`./${named('EncryptedData')}/${method}`, encrypted)
  const keys = algorithmsOf(`.//${named('EncryptedKey')}/${method}`, encrypted)
  if (data === undefined || other !== undefined || keys.length !== 1) return 'it is not encrypted once, by one key'
  if (keys[0] !== transport) return `its key is encrypted with ${short(keys[0])}: RSA-OAEP (rsa-oaep-mgf1p) is needed`
  if (authenticated.has(data)) return undefined
  if (!chained.has(data)) return `it is encrypted with ${short(data)}: AES-GCM is needed`
  return isResponseSigned
    ? undefined
    : `it is encrypted with ${short(data)}, which needs a signed response: have the response signed too, or AES-GCM used`
}

/** The assertion inside, as a document that holds nothing else; or why it is none. */
export async function openAssertion(encrypted: Element, key: string): Promise<Document | string> {
  const text = await promisify(decrypt)(encrypted.toString(), { key })
  const fault = xmlFault(text)
  if (fault) return fault
  const document = parseXml(text)
  if (document?.documentElement.localName !== 'Assertion') return 'holds no assertion'
  return elements(`//${named('Assertion')}`, document).length === 1 ? document : 'holds several assertions'
}
