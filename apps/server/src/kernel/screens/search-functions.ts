import type { Pools } from '@outpost/platform/db/pool'
import type { Area } from '../types.ts'

/**
 * Stops the start when something is searched by an index that the database lacks: a place of the palette, and a resource with `hasSearchIndex`, need a function of
 * their table's name in schema search. Without it every search would fail, the palette's for all kinds at once.
 */
export async function assertSearchFunctions(pool: Pools['public'], areas: readonly Area[]): Promise<void> {
  const wanted = [
    ...areas.flatMap(({ palette }) => palette.map(({ resource }) => ({ resource, by: 'palette' }))),
    ...areas.flatMap(({ resources }) =>
      resources.filter((one) => one.hasSearchIndex).map((resource) => ({ resource, by: 'hasSearchIndex' })),
    ),
  ]
  if (wanted.length === 0) return
  const { rows } = await pool.query<{ name: string }>(
    `select p.proname as name from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'search'`,
  )
  const there = new Set(rows.map(({ name }) => name))
  const missing = wanted.filter(({ resource }) => !there.has(resource.table))
  if (missing.length > 0)
    throw new Error(
      missing
        .map(
          ({ resource, by }) =>
            `${resource.one} declares ${by}, and the database has no function search.${resource.table}(text, integer): a migration makes it.`,
        )
        .join('\n'),
    )
}
