import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** The texts of all pages of a PDF, as one line with plain spaces. */
export async function textOfPdf(data: Uint8Array): Promise<string> {
  const document = await getDocument({ data: new Uint8Array(data), verbosity: 0 }).promise
  const texts: string[] = []
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent()
    texts.push(...items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item.str.trim()] : [])))
  }
  await document.destroy()
  return texts.join(' ').replaceAll(/\s+/g, ' ')
}
