import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import ts from 'typescript'
import { describe, expect, it, test } from 'vitest'
import { sentencesIn, shapeOf } from '../support/told-sentences.ts'

const root = resolve(import.meta.dirname, '../..')
/** Areas whose calls people make in the field. */
const field = [
  'activities',
  'agents',
  'applications',
  'cases',
  'clients',
  'collection-sheets',
  'leads',
  'plans',
  'sync',
  'targets',
  'tasks',
  'web-forms',
]

/** Both branches of a choice, and what stands by itself; sentences with values in them are put together at the server. */
function constants(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isConditionalExpression(node)) return [...constants(node.whenTrue), ...constants(node.whenFalse)]
  return ts.isParenthesizedExpression(node) || ts.isAsExpression(node) ? constants(node.expression) : []
}

/** What the answers, refusals and news of a file say, word for word. */
export function toldBy(text: string): string[] {
  const file = ts.createSourceFile('told.ts', text, ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node) => {
    if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'message') found.push(...constants(node.initializer))
    if (ts.isCallExpression(node) && node.expression.getText(file) === 'failField')
      found.push(...node.arguments.slice(1).flatMap(constants))
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found.filter((told) => /\p{L}{2}/u.test(told))
}

const fieldSources = `apps/server/src/areas/{${field.join()}}/**/*.ts`
const read = (path: string) => readFileSync(resolve(root, path), 'utf8')
const readTexts = (path: string) => JSON.parse(read(`apps/console/src/languages/${path}.json`)) as Record<string, string>
const sourcesOf = (paths: string | readonly string[]) => globSync(paths, { cwd: root }).filter((path) => !path.endsWith('.test.ts'))
const told = sourcesOf(fieldSources).flatMap((path) => toldBy(read(path)))

test.each(['fr', 'pt', 'sw'])('what the server says to people in the field is there in %s, where it says it word for word', (code) => {
  const bundle = { ...readTexts(code), ...readTexts(`told/${code}`) }
  expect(told.length).toBeGreaterThan(100)
  expect([...new Set(told)].filter((text) => !Object.hasOwn(bundle, text))).toEqual([])
})

test('what the server says word for word is there in French, wherever it says it', () => {
  const bundle = { ...readTexts('fr'), ...readTexts('told/fr') }
  const all = sourcesOf(['apps/server/src/{areas,kernel}/**/*.ts', 'packages/{rules,contract}/src/**/*.ts']).flatMap((path) =>
    toldBy(read(path)),
  )
  expect(all.length).toBeGreaterThan(500)
  expect([...new Set(all)].filter((text) => !Object.hasOwn(bundle, text))).toEqual([])
})

test('the rule sees what it is for', () => {
  expect(
    toldBy("fail('INVALID', { message: one ? 'Given back' : `Gone` }); notify(ctx, { message: `${n} leads` }); failField('a', 'is gone')"),
  ).toEqual(['Given back', 'Gone', 'is gone'])
})

/** What a file says; each is taken apart once. */
const sentences = new Map<string, string[]>()
function sentencesOf(path: string): string[] {
  const found = sentences.get(path) ?? sentencesIn(read(path))
  sentences.set(path, found)
  return found
}
/** Sentences with places, by the file that says them. */
const saidBy = (paths: readonly string[]) => sourcesOf(paths).flatMap((path) => sentencesOf(path).map((sentence) => ({ path, sentence })))

/** Where nobody is spoken to who reads the console. */
const silent = [
  // To programmers, at the start.
  'env.ts',
  'kernel/{declared,mount,openapi}.ts',
  'kernel/workflow/states.ts',
  'kernel/screens/{names,search-functions}.ts',
  // Pages, messages and letters for clients and others outside, whose language nobody knows.
  'kernel/public/**/*.ts',
  'areas/**/*.letters.ts',
  'areas/ussd/machine.ts',
  'areas/leads/lead.pdf.ts',
  'areas/leads/consent/lead.consent-{job,page}.ts',
  'areas/ip-addresses/break-glass.{job,page}.ts',
  'areas/geo/shares/share-page.ts',
  'areas/notifications/mail.job.ts',
  'areas/saml/sign-out.send.ts',
  // Words of reports, which are whole in the bundles (field-words.test.ts); formats and keys in files.
  'kernel/reports/time-in-state.ts',
  'kernel/reports/writer/sheet-xml.ts',
  'areas/saml/own-key.ts',
].map((path) => `apps/server/src/${path}`)
/** The same in files that speak to people at the console too: documents, messages to clients, entries of books. */
const sentElsewhere = new Set([
  'Adds files to a {{}}',
  'sign-out {{}}',
  'Payment R-{{}} in suspense',
  'We received {{}} on {{}} for loan {{}} (receipt {{}}).',
  'Still owed: {{}}.',
  '{{}}: your loan {{}}',
  '{{}} asks to send you offers of its loans and services by phone, SMS and e-mail. You may say no, and you may withdraw later. You will not be asked again.',
  '{{}} asks to check your credit record and to keep your details for this loan application. You may say no, and you may withdraw later.',
])
const everywhere = [
  'apps/server/src/**/*.ts',
  'packages/{rules,contract}/src/**/*.ts',
  'packages/platform/src/failures.ts',
  'packages/platform/src/http/create.ts',
  // What the geo service answers and explains; what it says to trackers is for whoever reads their frames.
  'apps/geo/src/{api,commands,doctor,fences,motion,reports,rules}/**/*.ts',
]
const inTheField = [fieldSources, 'apps/server/src/kernel/**/*.ts', 'packages/rules/src/{activities,forms}/**/*.ts']

/** Of the sentences, those that a language cannot say; the exceptions left out. */
function unsaid(code: string, paths: readonly string[]): string[] {
  const quiet = new Set(sourcesOf(silent))
  const texts = [readTexts(code), readTexts(`told/${code}`)].flatMap((texts) => Object.keys(texts))
  const known = new Set([...texts, ...Object.values(readTexts('told/en'))].map(shapeOf))
  return saidBy(paths)
    .filter(({ path, sentence }) => !known.has(sentence) && !quiet.has(path) && !sentElsewhere.has(sentence))
    .map(({ path, sentence }) => `${path}: ${sentence}`)
}

describe('what the server says with names, numbers and dates in it', () => {
  it('is there in French, all of it', () => {
    expect(saidBy(everywhere).length).toBeGreaterThan(550)
    expect(unsaid('fr', everywhere)).toEqual([])
  })

  it.each(['pt', 'sw'])('is there in %s where people in the field meet it', (code) => {
    expect(saidBy(inTheField).length).toBeGreaterThan(200)
    expect(unsaid(code, inTheField)).toEqual([])
  })

  it('is found in refusals, news and parts of them, with every wording of a choice', () => {
    const source = `
      fail('INVALID', { message: \`Limit is \${limit}.\` })
      notify({ message: \`\${n} \${n === 1 ? 'lead' : 'leads'} gone\${late ? \`, \${late} too late\` : ''}\` })
      const parts = counted(n, 'open lead', 'open leads')
      failField('a', \`may be \${most} \` + 'at most')
      db.query(sql\`select \${a} from lead where b\`); throw new Error(\`no such \${a} here\`); log.warn(\`went to \${a} then\`)
      const page = \`<p class="a">read \${this} now</p>\`; const path = \`/sales/leads/\${id}\``
    expect(sentencesIn(source)).toEqual([
      'Limit is {{}}.',
      '{{}} lead gone, {{}} too late',
      '{{}} lead gone',
      '{{}} leads gone, {{}} too late',
      '{{}} leads gone',
      '{{}} open lead',
      '{{}} open leads',
      'may be {{}} at most',
    ])
  })

  it('has no key that is another one by the names of its places alone', () => {
    const shapes = Object.keys(readTexts('told/fr'))
      .filter((key) => !/_(?:many|other)$/.test(key))
      .map(shapeOf)
    expect(shapes.filter((shape, index) => shapes.indexOf(shape) !== index)).toEqual([])
  })
})
