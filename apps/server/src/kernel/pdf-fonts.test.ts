import { expect, test } from 'vitest'
import { pdfBytes } from './pdf.ts'
import { withScripts } from './pdf-scripts.ts'

const written = async (text: string) => {
  const bytes = await pdfBytes({
    info: { creationDate: new Date(0) },
    compress: false,
    content: [withScripts([{ text }, { text, bold: true }])],
  })
  // The id of a file is drawn anew.
  return bytes.toString('latin1').replaceAll(/\/ID \[.*?\]/gs, '')
}

test('documents that are written side by side with the same fonts are those that are written alone', async () => {
  const texts = ['Statement of loan L-000012', 'Salaam, السلام', 'ሰላም ATV fi', 'Zz 0123456789']
  const alone: string[] = []
  for (const text of texts) alone.push(await written(text))
  const beside = await Promise.all([...texts, ...texts].map(written))
  expect(beside).toEqual([...alone, ...alone])
  expect(new Set(alone).size).toBe(texts.length)
})
