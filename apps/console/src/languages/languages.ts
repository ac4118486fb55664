import english from './en.json'
import type { Texts } from './told.ts'

/** What English needs beyond its originals: singular forms. */
export const englishTexts: Texts = english

/** The other languages by their code; a bundle (`<code>.json` of this folder) is fetched when its language is chosen. */
export const languages: Readonly<Record<string, () => Promise<Texts>>> = Object.fromEntries(
  Object.entries(import.meta.glob<Texts>(['./*.json', '!./en.json'], { import: 'default' })).map(([path, load]) => [
    path.slice('./'.length, -'.json'.length),
    load,
  ]),
)

/** Sentences of the server with names, numbers or dates in them: a bundle a language, and the English singular forms. */
const told: Readonly<Record<string, () => Promise<Texts>>> = Object.fromEntries(
  Object.entries(import.meta.glob<Texts>('./told/*.json', { import: 'default' })).map(([path, load]) => [
    path.slice('./told/'.length, -'.json'.length),
    load,
  ]),
)

/** The server's sentences in a language, beside the English singular forms; none where the language has none. */
export async function loadTold(code: string): Promise<{ texts: Texts; singulars: Texts }> {
  const [texts = {}, singulars = {}] = await Promise.all([told[code]?.(), told['en']?.()])
  return { texts, singulars }
}
