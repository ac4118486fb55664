import { getDocument, OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { testApp, type SignedInClient, type TestApp } from '../../support/app.ts'

let app: TestApp
let officer: SignedInClient

beforeAll(async () => {
  app = await testApp()
  officer = await app.as(
    await app.make.user({
      role: 'officer',
      tenant: await app.make.tenant({ company: await app.make.company({ name: 'Addis አዲስ 信贷' }) }),
    }),
  )
})
afterAll(() => app.close())

/** What a reader sees of the first page: texts with their place from the left, and the letters drawn as an empty box. */
async function readPage(data: Buffer) {
  const document = await getDocument({ data: new Uint8Array(data), verbosity: 0 }).promise
  const page = await document.getPage(1)
  const items = (await page.getTextContent()).items.flatMap((item) => ('str' in item && item.str.trim() !== '' ? [item] : []))
  const { fnArray, argsArray } = await page.getOperatorList()
  const glyphs = fnArray.flatMap((operator, index) =>
    operator === OPS.showText ? (argsArray[index] as [({ originalCharCode: number } | number)[]])[0] : [],
  )
  await document.destroy()
  return {
    text: items.map(({ str }) => str.trim()).join(' '),
    leftOf: (text: string) => (items.find(({ str }) => str.trim() === text)?.transform as number[] | undefined)?.[4] ?? Number.NaN,
    drawn: glyphs.length,
    boxes: glyphs.filter((glyph) => typeof glyph === 'object' && glyph.originalCharCode === 0).length,
  }
}

let phone = 700_200_300

async function applicationOf(person: object) {
  const made = await officer.post<{ lead: { Id: string } }>('/api/leads', { ...person, phonenumber: `0${(phone += 1)}` })
  expect(made.status, made.text).toBe(200)
  const answer = await officer.post('/api/leads/generate-pdf', { pdfData: made.body.data.lead.Id })
  expect(answer.status).toBe(200)
  return readPage(answer.bytes)
}

describe('the application of a lead in its own script', () => {
  it.each([
    ['Arabic', 'محمد', 'كينيا', 'شارع النيل ١٢، نيروبي'],
    ['Amharic', 'አበበ', 'ከበደ', 'ቦሌ መንገድ 12፣ አዲስ አበባ'],
    ['Chinese', '小龙', '陳', '北京市朝阳区建国路12号'],
    ['Latin', 'Ñandú', 'Łukasz', 'Straße 12'],
  ])('has a glyph for every letter: %s', async (script, firstName, lastName, lineone) => {
    const page = await applicationOf({ firstName, lastName, lineone })
    expect(page.drawn).toBeGreaterThan(300)
    expect(page.boxes).toBe(0)
    expect(page.text).toContain(firstName)
    expect(page.text).toContain(lastName)
    expect(page.text).toContain('信贷')
    if (script === 'Arabic') expect(page.leftOf(firstName)).toBeGreaterThan(page.leftOf(lastName))
  })

  it('sets words, brackets and numbers of a mixed text as they are read, over its lines', async () => {
    const page = await applicationOf({ firstName: 'Wanjiru', lastName: 'Kamau', lineone: 'محمد (علي) Savanna 2019، كينيا' })
    expect(page.boxes).toBe(0)
    const places = ['كينيا', '2019', 'Savanna', 'علي', 'محمد'].map(page.leftOf)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })
})
