import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = new URL('../../apps/console/src/', import.meta.url).pathname
/** What people in the field and dispatchers see every day: no text here may be left out of a language. */
const spokenScreens = [
  'shell',
  'view',
  'map',
  'custom/fleet',
  ...[
    'my-work',
    'activity-visit',
    'needs-attention',
    'route-plans',
    'onboarding-wizard',
    'calendar',
    'agents',
    'home',
    'web-forms/fill',
  ].map((name) => `custom/${name}`),
]
const files = globSync(
  spokenScreens.map((folder) => `${folder}/**/*.tsx`),
  { cwd: root },
)
/** Sentences of the fleet are made beside its components too. */
const sources = [...files, ...globSync('custom/fleet/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'))]

/** Attributes that people read or hear. */
const spoken = new Set([
  'title',
  'label',
  'aria-label',
  'placeholder',
  'alt',
  'description',
  'okText',
  'cancelText',
  'extra',
  'what',
  'body',
])
/** Units and the beginning of an address are the same in every language. */
const unspoken = /\bkm(?:\/h)?\b|https:\/\//g
const hasWord = (text: string) => /\p{L}{2,}/u.test(text.replace(unspoken, '')) && !/^\s*\(?(?:Ctrl|Alt)\+/.test(text)
const isText = (node: ts.Node): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral => ts.isStringLiteralLike(node)

/** Texts of a file that reach the page without t(). */
function literalsIn(name: string, source: string): string[] {
  const found: string[] = []
  const note = (node: ts.Node | undefined): void => {
    if (!node) return
    if (isText(node)) {
      if (hasWord(node.text)) found.push(`${name}: ${node.text}`)
    } else if (ts.isTemplateExpression(node)) {
      if ([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].some(hasWord)) found.push(`${name}: ${node.getText()}`)
    } else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(note)
    else if (ts.isParenthesizedExpression(node)) note(node.expression)
    else if (ts.isBinaryExpression(node) && ['&&', '||', '??'].includes(node.operatorToken.getText())) note(node.right)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isJsxElement(node) && /^(?:code|kbd|option)$/.test(node.openingElement.tagName.getText())) return
    if (ts.isJsxText(node) && hasWord(node.text)) found.push(`${name}: ${node.text.trim()}`)
    if (ts.isJsxExpression(node) && !ts.isJsxAttribute(node.parent)) note(node.expression)
    if (ts.isJsxAttribute(node) && spoken.has(node.name.getText()))
      note(node.initializer && ts.isJsxExpression(node.initializer) ? node.initializer.expression : node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX))
  return found
}

/** The originals that a file hands to t(). */
function originalsIn(name: string, source: string): string[] {
  const found: string[] = []
  const note = (node: ts.Node | undefined): void => {
    if (!node) return
    if (isText(node)) found.push(node.text)
    else if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(note)
  }
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && node.expression.getText() === 't') note(node.arguments[0])
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(name, source, ts.ScriptTarget.Latest, true, name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS))
  return found.filter(hasWord)
}

const read = (file: string) => readFileSync(`${root}${file}`, 'utf8')

describe('texts of shell, field and fleet screens', () => {
  it('go through t(), all of them', () => {
    expect(files.length).toBeGreaterThan(40)
    expect(files.flatMap((file) => literalsIn(file, read(file)))).toEqual([])
  })

  it('are found where they do not', () => {
    const source = `const a = (x) => <p title={x ? 'Good morning' : t('Hello')} className="o-card">Nothing new <b>{\`\${x} waiting\`}</b><kbd>Esc</kbd></p>`
    expect(literalsIn('a', source)).toEqual(['a: Good morning', 'a: Nothing new', 'a: `${x} waiting`'])
  })

  it.each(['fr', 'pt', 'sw'])('are all there in %s', (code) => {
    const bundle = JSON.parse(read(`languages/${code}.json`)) as Record<string, string>
    const originals = sources.flatMap((file) => originalsIn(file, read(file)))
    expect(originals.length).toBeGreaterThan(500)
    expect([...new Set(originals.filter((text) => !(text in bundle) && !(`${text}_other` in bundle)))]).toEqual([])
  })
})
