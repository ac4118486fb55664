import type { GeoReportColumn, GeoReportEnd, GeoReportHead } from '@outpost/contract/geo/reports'
import type { Row } from '../report.ts'

/** Lines are sent in chunks of about this many characters. */
const pieceSize = 16_384

/** A report as lines of JSON: the columns, an array per row in their order, the number of rows. Only declared columns are sent. */
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

/** Adds an empty line whenever no row came for a while, because idle connections are cut. */
export async function* withKeepAlive(lines: AsyncGenerator<string>, everyMs: number): AsyncGenerator<string> {
  try {
    let next = lines.next()
    for (;;) {
      // The reader may leave while a row is being read; an error in it then concerns nobody.
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

const pulse = (ms: number): Promise<undefined> =>
  new Promise((done) => {
    setTimeout(() => done(undefined), ms).unref()
  })

/** Waits for the first chunk, so that an early error becomes a normal error response instead of a broken stream. */
export async function startedLines(lines: AsyncGenerator<string>): Promise<AsyncIterable<string>> {
  const first = await lines.next()
  let isFirst = true
  const next = () => {
    if (!isFirst) return lines.next()
    isFirst = false
    return Promise.resolve(first)
  }
  // Not a generator: one that is closed before its first read would not pass that on, and the cursor would stay open.
  return { [Symbol.asyncIterator]: () => ({ next, return: () => lines.return(undefined), throw: (error) => lines.throw(error) }) }
}
