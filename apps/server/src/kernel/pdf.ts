import { createRequire } from 'node:module'
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import type { Answer, CompanyRef } from './types.ts'

interface PdfMaker {
  addFonts(fonts: object): void
  setUrlAccessPolicy(allow: (url: string) => boolean): void
  setLocalAccessPolicy(allow: (path: string) => boolean): void
  createPdf(document: TDocumentDefinitions): { getBuffer(): Promise<Buffer> }
}

let maker: PdfMaker | undefined

/** pdfmake with its own fonts; it may fetch nothing. Loaded at the first document. */
function pdf(): PdfMaker {
  if (!maker) {
    const load = createRequire(import.meta.url)
    maker = load('pdfmake') as PdfMaker
    maker.addFonts(load('pdfmake/fonts/Roboto.js') as object)
    maker.setUrlAccessPolicy(() => false)
    maker.setLocalAccessPolicy((path) => path.includes('pdfmake') && path.endsWith('.ttf'))
  }
  return maker
}

export interface Letter { company: Pick<CompanyRef, 'name'>, title: string, content: Content[] }

/** A letter of the company as an answer to download: its name on top, date and page below. `name` without ending. */
export async function pdfLetter(name: string, { company, title, content }: Letter): Promise<Answer> {
  const day = new Date().toISOString().slice(0, 10)
  const body = await pdf().createPdf({
    info: { title, author: company.name },
    pageMargins: [48, 56, 48, 56],
    defaultStyle: { fontSize: 10, lineHeight: 1.2 },
    footer: (page, pages) => ({ text: `${company.name} · ${day} · page ${page} of ${pages}`, alignment: 'center', fontSize: 8, color: '#555555' }),
    content: [{ text: company.name, fontSize: 18, bold: true }, ...content],
  }).getBuffer()
  return { file: { name: `${name.replace(/[^\p{L}\p{N}-]+/gu, '-')}.pdf`, mimeType: 'application/pdf', size: body.length, body } }
}
