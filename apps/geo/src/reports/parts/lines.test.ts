import { expect, test } from 'vitest'
import { startedLines, linesOf, withKeepAlive } from './lines.ts'
import { number, text, type Row } from '../report.ts'
import { createLimiter } from '../limiter.ts'

const columns = [text('device', 'Device'), number('km', 'Distance', 'km')]
const sleep = (ms: number) =>
  new Promise((done) => {
    setTimeout(done, ms)
  })

/** Rows that record whether they were closed. */
function rowsOf(list: readonly Row[], pauseMs = 0) {
  const seen = { isOpen: false }
  async function* rows(): AsyncGenerator<Row> {
    seen.isOpen = true
    try {
      for (const row of list) {
        if (pauseMs > 0) await sleep(pauseMs)
        yield row
      }
    } finally {
      seen.isOpen = false
    }
  }
  return { seen, rows: rows() }
}

async function textOf(pieces: AsyncIterable<string>): Promise<string> {
  let all = ''
  for await (const piece of pieces) all += piece
  return all
}

test('a report has its columns, an array per row, and an end; undeclared values are not sent', async () => {
  const { rows } = rowsOf([{ km: 1.5, device: 'A', secret: 1 }, { device: 'B\n"' }])
  expect(await textOf(linesOf(columns, rows))).toBe(
    '{"columns":[{"name":"device","label":"Device","kind":"text"},{"name":"km","label":"Distance","kind":"number","unit":"km"}]}\n["A",1.5]\n["B\\n\\"",null]\n{"end":true,"rows":2}\n',
  )
})

test('an empty line shows that the report is still running', async () => {
  const { rows } = rowsOf([{ device: 'A' }], 80)
  const all = await textOf(withKeepAlive(linesOf(columns, rows), 20))
  expect(all.startsWith('\n')).toBe(true)
  expect(all.replace(/^\n+/, '')).toMatch(/^\{"columns".*\n\["A",null\]\n\{"end":true,"rows":1\}\n$/)
})

test('a reader that leaves, before or after the first chunk, leaves nothing open', async () => {
  const many = Array.from({ length: 5_000 }, (): Row => ({ device: 'a device with a name', km: 1 }))
  for (const taken of [0, 1, 2]) {
    const { rows, seen } = rowsOf(many)
    const pieces = (await startedLines(withKeepAlive(linesOf(columns, createLimiter(1).inTurn(rows)), 1_000)))[Symbol.asyncIterator]()
    for (let count = 0; count < taken; count += 1) await pieces.next()
    expect([taken, seen.isOpen]).toEqual([taken, true])
    await pieces.return?.()
    expect([taken, seen.isOpen]).toEqual([taken, false])
  }
})

test('an error in between reaches the reader, and an early one comes before any output', async () => {
  const failing: AsyncIterable<Row> = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('no')) }) }
  await expect(startedLines(withKeepAlive(linesOf(columns, failing), 1_000))).rejects.toThrow('no')
})

test('limits concurrency, the others wait in order', async () => {
  const turns = createLimiter(2)
  const order: string[] = []
  const one = (name: string) =>
    (async () => {
      for await (const row of turns.inTurn(rowsOf([{}, {}, {}], 5).rows)) order.push(`${name}${Object.keys(row).length}`)
      order.push(`${name} end`)
    })()
  await Promise.all(['a', 'b', 'c', 'd'].map(one))
  const ends = order.filter((what) => what.endsWith('end')).map((what) => what[0])
  expect([ends.slice(0, 2).toSorted(), ends.slice(2).toSorted()]).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ])
  expect(order.findIndex((what) => what.startsWith('c'))).toBeGreaterThan(order.findIndex((what) => what.endsWith('end')))
})
