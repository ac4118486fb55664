import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ownRows } from './own-rows.ts'

const own = '0b6f2a52-6f55-4c35-9d8e-0d7d0b1f7a01'
const other = '0b6f2a52-6f55-4c35-9d8e-0d7d0b1f7a02'

async function read(text: string, cuts: readonly number[] = []): Promise<string> {
  const bytes = Buffer.from(text)
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const pieces = places.slice(1).map((to, index) => bytes.subarray(places[index], to))
  const out: Uint8Array[] = []
  let why = ''
  try {
    for await (const piece of ownRows(streamed(pieces), { companyId: own, broken: (error) => (why = String(error)) })) out.push(piece)
  } catch (error) {
    expect(error).toMatchObject({ failure: 'GEO_UNAVAILABLE' })
    return `${Buffer.concat(out).toString()}<${why}>`
  }
  return Buffer.concat(out).toString()
}
async function* streamed(pieces: readonly Uint8Array[]) {
  yield* pieces
}

it('however the bytes are cut, they come out as they went in', async () => {
  const text = JSON.stringify({
    rows: Array.from({ length: 20 }, (_, n) => ({ companyId: n % 2 ? own : own.toUpperCase(), name: `Ü "companyId":"${other}" ${n}` })),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(5_000), { maxLength: 40 }), async (cuts) => {
      expect(await read(text, cuts)).toBe(text)
    }),
  )
})

it('a row of another company stops them before it, wherever it is cut and however it is spaced', async () => {
  for (const mark of [`"companyId":"${other}"`, `"companyId": "${other}"`, `"companyId" : "${other.toUpperCase()}"`]) {
    const text = `{"rows":[${`{"companyId":"${own}"},`.repeat(30)}{"id":1,${mark},"name":"CANARY"}]}`
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(5_000), { maxLength: 40 }), async (cuts) => {
        const seen = await read(text, cuts)
        expect(seen).toContain('<Error: the geo service answered with rows of another company>')
        expect(seen).not.toContain(other)
        expect(seen).not.toContain('CANARY')
      }),
    )
  }
})

it('null, a text of that name and a key inside a text are no row of another company', async () => {
  const text = JSON.stringify([{ companyId: null }, 'companyId', { name: `"companyId":"${other}"` }])
  expect(await read(text)).toBe(text)
})
