import { DOMParser } from '@xmldom/xmldom'
import { select } from 'xpath'

/** Characters of a metadata document or a response at most. */
export const maxXml = 200_000
/** Elements at most: what is deeper or wider is no honest document. */
const maxTags = 4_000

/**
 * What is refused before any parser sees it: document types and entities (nothing outside is ever read), processing
 * instructions, comments and CDATA, which readers of signed texts have cut values at. Undefined when all is well.
 */
export function xmlFault(text: string): string | undefined {
  if (text.length > maxXml) return `is longer than ${maxXml} characters`
  const body = text.replace(/^\uFEFF?\s*<\?xml [^?<>]*\?>/, '')
  if (/<!/.test(body)) return 'holds a document type, a comment or CDATA'
  if (/<\?/.test(body)) return 'holds a processing instruction'
  if ((body.match(/</g)?.length ?? 0) > maxTags) return 'has too many elements'
  return undefined
}

/** The document, or undefined when the text is no well-formed XML. */
export function parseXml(text: string): Document | undefined {
  let isBroken = false
  const fail = (): void => void (isBroken = true)
  try {
    const parser = new DOMParser({ errorHandler: { warning: fail, error: fail, fatalError: fail } })
    const document: Document = parser.parseFromString(text, 'text/xml')
    return isBroken ? undefined : document
  } catch {
    return undefined
  }
}

/** Elements that an XPath finds. */
export function elements(path: string, node: Node): Element[] {
  const found = select(path, node)
  return Array.isArray(found) ? found.filter((one): one is Element => one.nodeType === 1) : []
}

/** A step of an XPath by local name, as prefixes differ. */
export const named = (...names: string[]): string => names.map((name) => `*[local-name()='${name}']`).join('/')
