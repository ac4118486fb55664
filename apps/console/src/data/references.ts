import type { ListQuery } from '@outpost/contract/envelope'
import type { ReferenceView } from '@outpost/contract/fields'
import { keptKind } from '../offline/kinds.ts'
import { keepOptions, keptOptions, type KeptOption } from '../offline/options.ts'
import { api, isNetworkError } from './api.ts'
import { listRecords } from './gateway.ts'

const offered = 50
const mostKept = 1_000

/** Records that may be chosen, by the server or, without a connection, by what this device keeps of them. */
export async function fetchOptions(
  reference: ReferenceView | undefined,
  query: { search?: string; size?: number },
  signal: AbortSignal,
): Promise<KeptOption[]> {
  if (!reference) return []
  const rows = await fetchRows(reference, { page: 1, size: offered, ...query }, signal).catch((error: unknown) => {
    if (isNetworkError(error)) return undefined
    throw error
  })
  if (rows) return rows.map((row) => ({ value: String(row[reference.idKey]), label: labelOf(row, reference) }))
  const search = query.search ?? ''
  return (await keptOptions(reference.to)).filter(({ label }) => label.toUpperCase().includes(search))
}

/** The device answers for the kinds that it keeps, with what was captured here on top. */
async function fetchRows({ path, to, many }: ReferenceView, query: ListQuery, signal: AbortSignal): Promise<Record<string, unknown>[]> {
  if (keptKind(to)) return (await listRecords({ source: { method: 'GET', path }, resource: to, many, query, signal })).rows
  return ((await api.get(path, { ...query }, { signal })).data[many] ?? []) as Record<string, unknown>[]
}

/** Keeps the names that references of kept forms are chosen from, other than those of records that the device keeps anyway. */
export async function storeReferences(references: readonly ReferenceView[], signal: AbortSignal): Promise<void> {
  for (const reference of references) {
    if (signal.aborted) return
    if (keptKind(reference.to)) continue
    const rows = await fetchRows(reference, { page: 1, size: mostKept }, signal).catch(() => undefined)
    // A list that the server refuses or did not give now is kept as it was.
    if (!rows) continue
    await keepOptions(
      reference.to,
      rows.map((row) => ({ value: String(row[reference.idKey]), label: labelOf(row, reference) })),
    )
  }
}

/** Label keys may be several columns: 'firstName lastName'. */
function labelOf(row: Record<string, unknown>, reference: ReferenceView): string {
  const words = reference.labelKey
    .split(/[ ,]+/)
    .map((key) => row[key])
    .filter((word) => word !== undefined && word !== null && word !== '')
  return words.join(' ') || String(row[reference.idKey])
}
