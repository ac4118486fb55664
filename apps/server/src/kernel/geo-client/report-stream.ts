import { errorTable, fail, Failure, type ErrorName, type FieldError } from '@outpost/contract/errors'
import { geoColumnKinds, type GeoReportColumn } from '@outpost/contract/geo/reports'
import { openOutgoing, type Outgoing, type OutgoingAnswer } from '@outpost/platform/outgoing'
import { z } from 'zod'

/** All that is needed to read one report of the geo service, within a minute. */
export interface GeoReportTicket {
  url: string
  token: string
  requestId: string
}

/** A row by the names of the columns; times are ISO text. */
export type GeoRow = Record<string, unknown>

export interface GeoReportStream {
  columns: GeoReportColumn[]
  /** To be read once; leaving early ends the work on the other side. */
  rows: AsyncGenerator<GeoRow>
}

/** The service sends an empty line every few seconds, whatever it does. */
const silentMs = 30_000
/** It may first have to finish the reports of others. */
const waitMs = 120_000

const head = z.object({
  columns: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      kind: z.enum(geoColumnKinds),
      unit: z.string().optional(),
      isSum: z.literal(true).optional(),
    }),
  ),
})
const end = z.object({ end: z.literal(true), rows: z.int() })

/**
 * Opens a report of the geo service. Stops with its refusal (INVALID, NOT_FOUND, FORBIDDEN) or GEO_UNAVAILABLE; the rows
 * stop with GEO_UNAVAILABLE when the stream breaks off: what was read by then is not the report.
 */
export async function readGeoReport({ url, token, requestId }: GeoReportTicket, signal?: AbortSignal): Promise<GeoReportStream> {
  const outgoing = openOutgoing({ reach: 'operator', tracedAs: 'geo', headersTimeout: waitMs, bodyTimeout: silentMs, connectMs: 2_000 })
  try {
    const answer = await outgoing.request(url, {
      headers: { authorization: `Bearer ${token}`, accept: 'application/x-ndjson', 'x-request-id': requestId },
      ...(signal ? { signal } : {}),
    })
    if (answer.statusCode !== 200 || !String(answer.headers['content-type']).startsWith('application/x-ndjson')) await refuse(answer)
    const lines = linesOf(answer)
    const first = await lines.next()
    const { columns } = head.parse(first.done ? undefined : first.value)
    return {
      columns: columns as GeoReportColumn[],
      rows: rowsOf(
        lines,
        columns.map(({ name }) => name),
        outgoing,
      ),
    }
  } catch (error) {
    await outgoing.destroy()
    return trouble(error)
  }
}

export interface GeoPage {
  columns: GeoReportColumn[]
  rows: GeoRow[]
  /** Of all pages. */
  total: number
}
const pageAnswer = z.object({ data: head.extend({ rows: z.array(z.record(z.string(), z.unknown())) }), meta: z.object({ total: z.int() }) })

/** One page of a report, from 1. Stops with its refusal, TOO_LARGE where the report has more rows than are counted at once, or GEO_UNAVAILABLE. */
export async function readGeoReportPage(
  { url, token, requestId }: GeoReportTicket,
  { page, size }: { page: number; size: number },
): Promise<GeoPage> {
  const outgoing = openOutgoing({ reach: 'operator', tracedAs: 'geo', headersTimeout: waitMs, bodyTimeout: silentMs, connectMs: 2_000 })
  const address = new URL(url)
  address.searchParams.set('page', String(page))
  address.searchParams.set('size', String(size))
  try {
    const answer = await outgoing.request(address.href, { headers: { authorization: `Bearer ${token}`, 'x-request-id': requestId } })
    if (answer.statusCode !== 200) await refuse(answer)
    const { data, meta } = pageAnswer.parse(await answer.body.json())
    return { columns: data.columns as GeoReportColumn[], rows: data.rows, total: meta.total }
  } catch (error) {
    return trouble(error)
  } finally {
    await outgoing.destroy()
  }
}

async function* rowsOf(lines: AsyncGenerator<unknown>, names: readonly string[], outgoing: Outgoing): AsyncGenerator<GeoRow> {
  let count = 0
  try {
    for await (const line of lines) {
      if (!Array.isArray(line)) {
        if (end.parse(line).rows === count) return
        break
      }
      count += 1
      yield Object.fromEntries(names.map((name, index) => [name, line[index] as unknown]))
    }
  } catch (error) {
    return trouble(error)
  } finally {
    // Nobody else uses it; with its connection the work on the other side ends.
    await outgoing.destroy()
  }
  return brokenOff()
}

/** Lines as values; the empty ones only say that work goes on. A last line that was cut off is none. */
async function* linesOf({ body }: OutgoingAnswer): AsyncGenerator<unknown> {
  let rest = ''
  for await (const piece of body.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = `${rest}${piece}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line) as unknown
  }
}

/** A refusal and an abort are passed on unchanged; anything else means that the service does not answer as it should. */
function trouble(error: unknown): never {
  if (error instanceof Failure || (error instanceof Error && error.name === 'AbortError')) throw error
  return brokenOff()
}

const brokenOff = (): never => fail('GEO_UNAVAILABLE', { message: 'The report broke off before its end.' })

async function refuse({ body, statusCode }: OutgoingAnswer): Promise<never> {
  const told = (await body.json().catch(() => ({}))) as { code?: unknown; message?: unknown; fields?: FieldError[] }
  const isKnown = (name: unknown): name is ErrorName => typeof name === 'string' && Object.hasOwn(errorTable, name)
  // What it makes of our token is a matter between the two programs.
  if (!isKnown(told.code) || errorTable[told.code].status !== statusCode || statusCode === 401 || statusCode >= 500)
    return fail('GEO_UNAVAILABLE')
  return fail(told.code, {
    ...(typeof told.message === 'string' ? { message: told.message } : {}),
    ...(Array.isArray(told.fields) ? { fields: told.fields } : {}),
  })
}
