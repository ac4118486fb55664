import english from './en.json'

/** Texts of one language by their English originals; plural forms end with i18next's suffixes (_one, _few, _many, _other). */
export type Texts = Readonly<Record<string, string>>

/** What English needs beyond its originals: singular forms. */
export const englishTexts: Texts = english

/** The other languages by their code; a bundle (`<code>.json` of this folder) is fetched when its language is chosen. */
export const languages: Readonly<Record<string, () => Promise<Texts>>> = Object.fromEntries(
  Object.entries(import.meta.glob<Texts>(['./*.json', '!./en.json'], { import: 'default' })).map(([path, load]) => [
    path.slice('./'.length, -'.json'.length),
    load,
  ]),
)
