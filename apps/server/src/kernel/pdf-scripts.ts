import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type bidiModule from 'bidi-js'
import type { Content } from 'pdfmake/interfaces.js'

const require = createRequire(import.meta.url)
const bidi = (require('bidi-js') as typeof bidiModule.default)()
const arabic = (weight: 'Regular' | 'Bold') =>
  join(dirname(require.resolve('@embedpdf/fonts-arabic')), `../fonts/NotoNaskhArabic-${weight}.ttf`)
const ethiopic = (weight: 400 | 700) =>
  join(dirname(require.resolve('@fontsource/noto-sans-ethiopic/package.json')), `files/noto-sans-ethiopic-ethiopic-${weight}-normal.woff`)
const han = (weight: 'Regular' | 'Bold') => join(dirname(require.resolve('@embedpdf/fonts-sc')), `../fonts/NotoSansHans-${weight}.otf`)
const weights = (normal: string, bold: string) => ({ normal, bold, italics: normal, bolditalics: bold })

/**
 * Fonts beside the letter's own for the scripts it has no glyphs of; a document opens and embeds only what it uses. Arabic is the Naskh: Noto Sans
 * Arabic puts letters together from strokes and dots, and what is copied out of such a PDF reads otherwise than it looks.
 */
export const scriptFonts = {
  Arabic: weights(arabic('Regular'), arabic('Bold')),
  Ethiopic: weights(ethiopic(400), ethiopic(700)),
  Chinese: weights(han('Regular'), han('Bold')),
}

const scripts: readonly (readonly [keyof typeof scriptFonts, RegExp])[] = [
  ['Arabic', /\p{scx=Arabic}/u],
  ['Ethiopic', /\p{scx=Ethiopic}/u],
  ['Chinese', /(?![\0-\u2E7F])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Bopomofo}\uFF00-\uFFEF]/u],
]
const foreign =
  /[^\p{scx=Latin}\p{scx=Greek}\p{scx=Cyrillic}\p{Script=Common}\p{Script=Inherited}]|[\u3000-\u303F\uFF00-\uFFEF]|\p{Bidi_Control}/u
/** Direction marks steer the order of a text and are never drawn: no font has a glyph for them. */
const marks = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu
const drawnRightToLeft = /\p{Script=Arabic}/u

interface Run {
  text: string
  font: string | undefined
  /** Embedding level of UAX 9: odd is written from right to left. */ bidiLevel: number
}
type Inline = { x: number; width: number; leadingCut?: number; trailingCut?: number; bidiLevel?: number }
interface Line {
  inlines: Inline[]
  leadingCut: number
  trailingCut: number
  addInline(inline: Inline): void
}

/** The content with every text cut into runs of one font and one direction, texts of Latin letters as they are. */
export function withScripts(content: Content): Content {
  if (typeof content === 'string') return foreign.test(content) ? { text: runsOf(content) } : content
  if (Array.isArray(content)) return content.map(withScripts)
  if (content === null || typeof content !== 'object') return content
  const given = content as unknown as Record<string, unknown>
  const next: Record<string, unknown> = { ...given }
  for (const key of ['stack', 'columns', 'ul', 'ol']) if (given[key]) next[key] = withScripts(given[key] as Content)
  if (given['table'])
    next['table'] = { ...given['table'], body: (given['table'] as { body: Content[][] }).body.map((row) => row.map(withScripts)) }
  if (typeof given['text'] === 'string') next['text'] = foreign.test(given['text']) ? runsOf(given['text']) : given['text']
  else if (given['text']) next['text'] = withScripts(given['text'] as Content)
  return next as unknown as Content
}

function runsOf(text: string): Run[] {
  const { levels } = bidi.getEmbeddingLevels(text)
  const runs: Run[] = []
  let at = 0
  for (const letter of text) {
    const [last, bidiLevel] = [runs.at(-1), levels[at] ?? 0]
    const font =
      last && last.bidiLevel === bidiLevel && /[\s\p{Script=Inherited}]/u.test(letter)
        ? last.font
        : scripts.find(([, has]) => has.test(letter))?.[0]
    if (last && last.font === font && last.bidiLevel === bidiLevel) last.text += letter
    else runs.push({ text: letter, font, bidiLevel })
    at += letter.length
  }
  return runs
    .map((run) => ({ ...run, text: run.text.replaceAll(marks, '') }))
    .filter((run) => run.text !== '')
    .flatMap(inDirection)
}

/** A font turns Arabic words round itself and nothing else; where that is not the run's direction, each letter is placed by itself, brackets mirrored. */
function inDirection({ text, ...run }: Run): Run[] {
  const isRight = run.bidiLevel % 2 === 1
  return (text.match(/\S+\s*|\s+/gu) ?? []).flatMap((word) =>
    isRight === drawnRightToLeft.test(word)
      ? [{ ...run, text: word }]
      : [...word].map((letter) => ({ ...run, text: isRight ? (bidi.getMirroredCharacter(letter) ?? letter) : letter })),
  )
}

/** Sets the inlines of a line as they are read: pdfmake lays them from left to right as they come. */
export function setTextDirection(line: Line): void {
  const add = line.addInline
  line.addInline = function (this: Line, inline: Inline) {
    add.call(this, inline)
    if (this.inlines.some(({ bidiLevel = 0 }) => bidiLevel > 0)) placeByLevel(this)
  }
}

function placeByLevel({ inlines, leadingCut, trailingCut }: Line): void {
  const levels = Uint8Array.from(inlines, ({ bidiLevel = 0 }) => bidiLevel)
  const order = bidi.getReorderedIndices('x'.repeat(inlines.length), {
    levels,
    paragraphs: [{ start: 0, end: inlines.length - 1, level: 0 }],
  })
  // The blank that ends a line hangs over on the left when the line's last word is written there.
  let x = -(order[0] === inlines.length - 1 && inlines.length > 1 ? trailingCut : leadingCut)
  for (const index of order) {
    const inline = inlines[index]
    if (!inline) continue
    inline.x = x
    x += inline.width
  }
}
