import { stringify } from 'yaml'

/**
 * The part of Helm's templates that our chart uses: values, if, with, range, else, quote, toYaml, nindent, not, ne. Throws on anything else, so
 * that the chart stays within what is tested here without Helm.
 */
export function renderTemplate(text: string, root: object): string {
  const parts = text
    .replace(/\s*\{\{-/g, '{{')
    .replace(/-\}\}\s*/g, '}}')
    .split(/\{\{(.*?)\}\}/s)
  const tokens = parts.map((part, index): Token => (index % 2 === 0 ? { text: part } : { action: part.trim() }))
  const [nodes, rest] = parse(tokens)
  if (rest.length > 0) throw new Error(`Too many ends: ${rest[0]?.action}`)
  return nodes.map((node) => draw(node, { dot: root, names: new Map([['$', root]]) })).join('')
}

interface Token {
  text?: string
  action?: string
}
type Node = { text: string } | { action: string } | { open: string; body: Node[]; other: Node[] }
interface Scope {
  dot: unknown
  names: ReadonlyMap<string, unknown>
}

function parse(tokens: readonly Token[]): [nodes: Node[], rest: readonly Token[]] {
  const nodes: Node[] = []
  let left = tokens
  for (;;) {
    const [token, ...rest] = left
    if (!token) return [nodes, []]
    left = rest
    if (token.text !== undefined) nodes.push({ text: token.text })
    else if (/^(end|else)$/.test(token.action ?? '')) return [nodes, [token, ...rest]]
    else if (/^(if|with|range) /.test(token.action ?? '')) {
      const [body, after] = parse(left)
      const [other, end] = after[0]?.action === 'else' ? parse(after.slice(1)) : [[], after]
      if (end[0]?.action !== 'end') throw new Error(`No end of ${token.action}`)
      nodes.push({ open: token.action ?? '', body, other })
      left = end.slice(1)
    } else nodes.push({ action: token.action ?? '' })
  }
}

function draw(node: Node, scope: Scope): string {
  if ('text' in node) return node.text
  if ('action' in node) return written(valueOf(node.action, scope))
  const [, word = '', rest = ''] = /^(\w+) (.*)$/s.exec(node.open) ?? []
  const body = (within: Scope) => node.body.map((one) => draw(one, within)).join('')
  const other = () => node.other.map((one) => draw(one, scope)).join('')
  if (word === 'if') return isTrue(valueOf(rest, scope)) ? body(scope) : other()
  if (word === 'with') {
    const dot = valueOf(rest, scope)
    return isTrue(dot) ? body({ ...scope, dot }) : other()
  }
  const [, first, second, from = rest] = /^(\$\w+), (\$\w+) := (.*)$/.exec(rest) ?? []
  // Helm walks through a map in the order of its keys.
  const found = valueOf(from, scope) as Record<string, unknown> | unknown[]
  const entries: [unknown, unknown][] = Array.isArray(found)
    ? found.map((one, index) => [index, one])
    : Object.entries(found).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return entries
    .map(([key, value]) => {
      const names = first && second ? new Map([...scope.names, [first, key], [second, value]]) : scope.names
      return body({ dot: value, names })
    })
    .join('')
}

/** A pipeline: each function takes what came before as its last argument. */
function valueOf(expression: string, scope: Scope): unknown {
  const [first = '', ...rest] = expression.split(' | ')
  return rest.reduce((value, call) => applied(words(call), scope, [value]), applied(words(first), scope, []))
}

const words = (text: string): string[] => text.trim().match(/"[^"]*"|\S+/g) ?? []

function applied([name = '', ...given]: string[], scope: Scope, piped: unknown[]): unknown {
  const call = functions.get(name)
  if (!call) {
    if (given.length + piped.length > 0) throw new Error(`Unknown function ${name}`)
    return read(name, scope)
  }
  return call(...given.map((one) => read(one, scope)), ...piped)
}

const functions: ReadonlyMap<string, (...given: unknown[]) => unknown> = new Map(
  Object.entries({
    quote: (value: unknown) => JSON.stringify(written(value)),
    toYaml: (value: unknown) => stringify(value).trimEnd(),
    nindent: (count: unknown, value: unknown) => `\n${written(value).replace(/^/gm, ' '.repeat(Number(count)))}`,
    not: (value: unknown) => !isTrue(value),
    ne: (one: unknown, other: unknown) => one !== other,
  }),
)

function read(term: string, { dot, names }: Scope): unknown {
  if (/^"[^"]*"$/.test(term)) return JSON.parse(term)
  if (/^\d+$/.test(term)) return Number(term)
  const [, name = '', path = ''] = /^(\$\w*)?((?:\.\w*)*)$/.exec(term) ?? []
  if (term === '' || (name === '' && path === '')) throw new Error(`Not understood: ${term}`)
  if (name !== '' && !names.has(name)) throw new Error(`Unknown name ${name}`)
  return path
    .split('.')
    .filter((key) => key !== '')
    .reduce<unknown>(
      (value, key) => {
        if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) throw new Error(`${term}: there is no ${key}`)
        return (value as Record<string, unknown>)[key]
      },
      name === '' ? dot : names.get(name),
    )
}

const written = (value: unknown): string =>
  value === null || value === undefined ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value as string)
const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== false && value !== '' && value !== 0
