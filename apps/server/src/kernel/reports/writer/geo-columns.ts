import type { GeoColumnKind, GeoReportColumn } from '@outpost/contract/geo/reports'
import { sql } from '@outpost/platform/db/sql'
import type { Sql } from '@outpost/platform/types'
import type { ColumnKind, ReportColumn } from '../definition.ts'
import type { Row } from './sheet.ts'

/** Ids and JSON are for programs: a sheet has none. */
const kinds: Readonly<Record<GeoColumnKind, ColumnKind | null>> = {
  text: 'text',
  number: 'number',
  percent: 'percent',
  boolean: 'boolean',
  date: 'date',
  dateTime: 'dateTime',
  duration: 'duration',
  user: 'text',
  asset: 'text',
  id: null,
  json: null,
}

/** Columns of a report of the geo service as those of a file, the unit in the heading. */
export function columnsFromGeo(columns: readonly GeoReportColumn[]): ReportColumn[] {
  return columns.flatMap(({ name, label, kind: told, unit, isSum }) => {
    const kind = kinds[told]
    if (kind === null) return []
    return [
      {
        key: name,
        title: unit === undefined ? label : `${label} (${unit})`,
        kind,
        ...widthOf(name, kind),
        ...(isSum ? { total: true } : {}),
      },
    ]
  })
}

function widthOf(name: string, kind: ColumnKind): { width?: number } {
  if (kind === 'dateTime') return { width: 18 }
  return kind === 'text' && /place|words|device$|Geo/i.test(name) ? { width: name === 'device' ? 22 : 34 } : {}
}

/** The rows with the names of people and the registrations of assets in the place of their ids: the geo service knows neither. */
export async function withNames(
  reader: Sql,
  company: string | null,
  columns: readonly GeoReportColumn[],
  rows: AsyncIterable<Row>,
): Promise<AsyncIterable<Row>> {
  const keys = columns.filter(({ kind }) => kind === 'user' || kind === 'asset').map(({ name }) => name)
  if (keys.length === 0) return rows
  const known = await reader.query<{ id: string; name: string }>(sql`
    select "id", concat_ws(' ', "firstName", "lastName") as "name" from app_user where "companyId" = ${company}::uuid
    union all select "id", "registrationNumber" from asset where "companyId" = ${company}::uuid`)
  const names = new Map(known.map(({ id, name }) => [id, name]))
  return named(rows, keys, names)
}

async function* named(rows: AsyncIterable<Row>, keys: readonly string[], names: ReadonlyMap<string, string>): AsyncGenerator<Row> {
  for await (const row of rows) yield { ...row, ...Object.fromEntries(keys.map((key) => [key, names.get(String(row[key])) ?? null])) }
}
