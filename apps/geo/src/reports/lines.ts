import type { GeoReportColumn, GeoReportEnd, GeoReportHead } from '@outpost/contract/geo-reports'
import type { Row } from './report.ts'

/** Lines leave in pieces of about so many characters. */
const pieceSize = 16_384

/** A report as lines of JSON: the columns, an array a row in their order, the number of rows. Only what is declared goes out. */
export async function* linesOf(columns: readonly GeoReportColumn[], rows: AsyncIterable<Row>): AsyncGenerator<string> {
  const names = columns.map(({ name }) => name)
  const head: GeoReportHead = { columns: [...columns] }
  let count = 0
  let piece = `${JSON.stringify(head)}\n`
  for await (const row of rows) {
    piece += `${JSON.stringify(names.map((name) => row[name] ?? null))}\n`
    count += 1
    if (piece.length < pieceSize) continue
    yield piece
    piece = ''
  }
  const end: GeoReportEnd = { end: true, rows: count }
  yield `${piece}${JSON.stringify(end)}\n`
}

/** The same with an empty line whenever nothing came for a while: a line on which nothing moves is cut. */
export async function* withPulse(lines: AsyncGenerator<string>, everyMs: number): AsyncGenerator<string> {
  try {
    let next = lines.next()
    for (;;) {
      // The reader may leave while it is under way; an error in it then concerns nobody.
      next.catch(() => undefined)
      const found = await Promise.race([next, pulse(everyMs)])
      if (found === undefined) {
        yield '\n'
        continue
      }
      if (found.done) return
      yield found.value
      next = lines.next()
    }
  } finally {
    await lines.return(undefined)
  }
}

const pulse = (ms: number): Promise<undefined> => new Promise((done) => { setTimeout(() => done(undefined), ms).unref() })

/** Waits for the first piece, so that what is wrong from the beginning is an answer like any other and no broken stream. */
export async function begun(lines: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await lines.next()
  let isFirst = true
  const next = () => {
    if (!isFirst) return lines.next()
    isFirst = false
    return Promise.resolve(first)
  }
  // No generator: one that is left before it was asked for anything would not pass that on, and the cursor stay open.
  return { [Symbol.asyncIterator]: () => ({ next, return: () => lines.return(undefined), throw: (error) => lines.throw(error) }) }
}
