import { hash } from 'node:crypto'
import { createRequire } from 'node:module'

interface Fontkit {
  create(bytes: Uint8Array, family?: string): object
}

/**
 * Has a font read once for all documents. pdfkit opens the files of a document's fonts anew, and reading their tables of glyphs and kerning was half of what a
 * statement of one page took. What is shared is only what was read. Each document has glyphs of its own: a glyph remembers the letters it was first drawn for,
 * and is copied out of the document as these. Called before pdfkit is loaded: its exports cannot be changed, so the module that it will ask for is put in their place.
 */
export function rememberFonts(load: NodeJS.Require): void {
  const pdfkit = createRequire(createRequire(load.resolve('pdfmake')).resolve('pdfkit'))
  const path = pdfkit.resolve('fontkit')
  const fontkit = pdfkit(path) as Fontkit
  const known = new Map<string, object>()
  const create: Fontkit['create'] = (bytes, family) => {
    const key = `${hash('sha1', bytes)} ${family ?? ''}`
    const font = known.get(key) ?? fontkit.create(bytes, family)
    known.set(key, font)
    return Object.create(font, { _glyphs: { value: {}, writable: true } }) as object
  }
  const module = pdfkit.cache[path]
  if (module) module.exports = { ...fontkit, create }
}
