import { createRequire } from 'node:module'
import type { Content, TDocumentDefinitions } from 'pdfmake/interfaces.js'
import { companyLogo } from './settings/look.ts'
import { wordingFor } from './settings/wording.ts'
import { rememberFonts } from './pdf-fonts.ts'
import { scriptFonts, setTextDirection, withScripts } from './pdf-scripts.ts'
import type { Answer, CompanyRef } from './types.ts'

interface PdfMaker {
  addFonts(fonts: object): void
  setUrlAccessPolicy(allow: (url: string) => boolean): void
  setLocalAccessPolicy(allow: (path: string) => boolean): void
  createPdf(document: TDocumentDefinitions): { getBuffer(): Promise<Buffer> }
}

let maker: PdfMaker | undefined

/** pdfmake with its own fonts and those of further scripts; it may fetch nothing. Loaded at the first document. */
function pdf(): PdfMaker {
  if (!maker) {
    const load = createRequire(import.meta.url)
    rememberFonts(load)
    maker = load('pdfmake') as PdfMaker
    const fonts = { ...(load('pdfmake/fonts/Roboto.js') as Record<string, Record<string, string>>), ...scriptFonts }
    const files = new Set(Object.values(fonts).flatMap((styles) => Object.values(styles)))
    maker.addFonts(fonts)
    maker.setUrlAccessPolicy(() => false)
    maker.setLocalAccessPolicy((path) => files.has(path))
    setTextDirection((load('pdfmake/js/Line.js') as { default: { prototype: Parameters<typeof setTextDirection>[0] } }).default.prototype)
  }
  return maker
}

/** A document as the bytes of its file. */
export const pdfBytes = (document: TDocumentDefinitions): Promise<Buffer> => pdf().createPdf(document).getBuffer()

export interface Letter {
  company: Pick<CompanyRef, 'id' | 'name' | 'currency' | 'timeZone'>
  title: string
  content: Content[]
}

/** Height of a logo on paper, in points. */
const logoHeight = 40

/** Whether a PDF can hold a picture: a few of those that browsers show cannot. */
export async function fitsPdf(bytes: Buffer): Promise<boolean> {
  try {
    await pdf()
      .createPdf({ content: [{ image: dataUrl(bytes), fit: [200, logoHeight] }] })
      .getBuffer()
    return true
  } catch {
    return false
  }
}

const dataUrl = (bytes: Buffer): string => `data:image/${bytes[0] === 0x89 ? 'png' : 'jpeg'};base64,${bytes.toString('base64')}`

/** A letter of the company as an answer to download: its logo and name on top, date and page below. `name` without ending. */
export async function pdfLetter(name: string, { company, title, content }: Letter): Promise<Answer> {
  const logo = await companyLogo(company.id)
  const day = (await wordingFor(company)).dayOf(new Date())
  const body = await pdfBytes({
    info: { title, author: company.name },
    pageMargins: [48, 56, 48, 56],
    defaultStyle: { fontSize: 10, lineHeight: 1.2 },
    footer: (page, pages) =>
      withScripts({ text: `${company.name} · ${day} · page ${page} of ${pages}`, alignment: 'center', fontSize: 8, color: '#555555' }),
    content: [
      ...(logo
        ? [
            {
              image: dataUrl(logo.bytes),
              fit: [240, logoHeight] as [number, number],
              margin: [0, 0, 0, 8] as [number, number, number, number],
            },
          ]
        : []),
      withScripts([{ text: company.name, fontSize: 18, bold: true }, ...content]),
    ],
  })
  return { file: { name: `${name.replace(/[^\p{L}\p{N}-]+/gu, '-')}.pdf`, mimeType: 'application/pdf', size: body.length, body } }
}
