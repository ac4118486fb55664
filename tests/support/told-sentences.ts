import ts from 'typescript'
import { originalOf } from '../../apps/console/src/languages/told.ts'

/** A place in a sentence, whatever its value is called at the server. */
const place = '{{}}'
const isJoined = (node: ts.Node): node is ts.BinaryExpression =>
  ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken
const isWrapped = (node: ts.Node): node is ts.ParenthesizedExpression | ts.AsExpression | ts.SatisfiesExpression =>
  ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isSatisfiesExpression(node)
const pairs = (starts: readonly string[], ends: readonly string[]) => starts.flatMap((start) => ends.map((end) => start + end))

/** Every wording of an expression: both branches of a choice in it, a place for what is only known when it runs. */
function wordings(node: ts.Expression): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (isWrapped(node)) return wordings(node.expression)
  if (ts.isConditionalExpression(node)) return [...wordings(node.whenTrue), ...wordings(node.whenFalse)]
  if (isJoined(node)) return pairs(wordings(node.left), wordings(node.right))
  if (!ts.isTemplateExpression(node)) return [place]
  return node.templateSpans.reduce(
    (told, { expression, literal }) =>
      pairs(
        told,
        wordings(expression).map((one) => one + literal.text),
      ),
    [node.head.text],
  )
}

/** The outermost expression that a template is a part of. */
function whole(node: ts.Expression): ts.Expression {
  const { parent } = node
  if (ts.isTemplateSpan(parent)) return whole(parent.parent)
  if (isWrapped(parent) || isJoined(parent)) return whole(parent)
  return ts.isConditionalExpression(parent) && parent.condition !== node ? whole(parent) : node
}

/** Properties of statements, addresses and entries of books, which are no talk. */
const unspoken = new Set(['sql', 'from', 'where', 'name', 'field', 'summary', 'application_name', 'value', 'html', 'what', 'text', 'note'])
/** Errors of programmers, the log, statements, names of turns, addresses of screens. */
const unheard =
  /^(?:.*\blog\.\w+|trusted|raw|identifier|sql|batched|literal|quoted|escape|numbered|takeTurn|.*\.query|resolve|opens|ofPanel|opensOfPanel)$/

function isSpoken({ parent }: ts.Node, file: ts.SourceFile): boolean {
  if (ts.isTaggedTemplateExpression(parent)) return false
  if (ts.isNewExpression(parent)) return parent.expression.getText(file) === 'Failure'
  if (ts.isPropertyAssignment(parent)) return !unspoken.has(parent.name.getText(file))
  return !(ts.isCallExpression(parent) && unheard.test(parent.expression.getText(file)))
}

/** Statements, pages, headers and addresses are made of templates too. */
const isOfPrograms = (told: string): boolean =>
  /<[a-z!/?]|"[a-zA-Z]+"|="|'\{\{\}\}'|\b[a-z]\.\{\{\}\}|^data:|[{;]$|::\w+$|^\S*$|^\/|\/\/\{\{\}\}|\}\}\/:/.test(told) ||
  /^\s*(?:select|insert into|update|delete|case|when|with|alter|grant|revoke|create|declare|begin|set|and|or|exists|coalesce|concat)\b[ (]/.test(
    told,
  )
const isSentence = (told: string, isMessage: boolean): boolean =>
  told.includes(place) && (told.match(/\p{L}{2,}/gu)?.length ?? 0) > (isMessage ? 0 : 1)
const isMessage = ({ parent }: ts.Node, file: ts.SourceFile): boolean =>
  ts.isPropertyAssignment(parent) && parent.name.getText(file) === 'message'

/** `counted(n, 'open lead', 'open leads')`: a part of a sentence. */
const countedBy = (node: ts.Node, file: ts.SourceFile): string[] =>
  ts.isCallExpression(node) && node.expression.getText(file) === 'counted'
    ? node.arguments.slice(1).flatMap((word) => (ts.isStringLiteralLike(word) ? [`${place} ${word.text}`] : []))
    : []

/** The sentences with places that a file of the server says to people, each place as `{{}}`. */
export function sentencesIn(text: string): string[] {
  const file = ts.createSourceFile('told.ts', text, ts.ScriptTarget.Latest, true)
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    for (const part of countedBy(node, file)) found.add(part)
    if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent)) {
      const outer = whole(node)
      if (isSpoken(outer, file))
        for (const told of wordings(outer).map((one) => one.replaceAll(/(?:\{\{\}\})+/g, place)))
          if (isSentence(told, isMessage(outer, file)) && !isOfPrograms(told)) found.add(told)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return [...found]
}

/** A key of a bundle as the shape of its sentence: without names of places and suffix of its plural. */
export const shapeOf = (key: string): string =>
  originalOf(key)
    .replaceAll(/\{\{\w+\}\}/g, place)
    .replaceAll(/(?:\{\{\}\})+/g, place)
