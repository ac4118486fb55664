import { readIn, transactionIn } from '@outpost/platform/db/context'
import type { GeoPools } from '@outpost/platform/db/pool'
import { named, sql } from '@outpost/platform/db/sql'
import type { DbContext } from '@outpost/platform/types'
import type { Cursors } from './bridge.ts'

/**
 * Cursors of a Traccar server in `geo.import_cursor`, a row per device. `companyOf` returns the company of the feed, and rejects while
 * there is none. `prefix` distinguishes the servers of a company.
 */
export function createCursors(pool: GeoPools['geo'], companyOf: () => Promise<string>, prefix = 'traccar:'): Cursors {
  const context = async (): Promise<DbContext> => ({ company: await companyOf(), scope: '*', user: null, tenant: null })
  return {
    async read() {
      const rows = await readIn<{ source: string; until: string }>(
        pool,
        await context(),
        named(
          'geo cursors',
          sql`
        select "source", "cursor" ->> 'until' as "until" from geo.import_cursor where "companyId" = ctx.company() and starts_with("source", ${prefix}::text)`,
        ),
      )
      return new Map(rows.map(({ source, until }) => [source.slice(prefix.length), Number(until)]))
    },
    async keep(uniqueId, until) {
      await transactionIn(
        pool,
        await context(),
        (own) =>
          own.exec(
            named(
              'geo cursor',
              sql`
        insert into geo.import_cursor as c ("companyId", "source", "cursor") values (ctx.company(), ${prefix + uniqueId}, ${{ until }}::jsonb)
        on conflict ("companyId", "source") do update set "cursor" = excluded."cursor", "dateModified" = now()
        where (c."cursor" ->> 'until')::numeric < (excluded."cursor" ->> 'until')::numeric`,
            ),
          ),
        { retry: true },
      )
    },
  }
}

/** The cursors of a feed with a Traccar server of its own. */
export const feedPrefix = (feedId: string): string => `feed:${feedId}:`
