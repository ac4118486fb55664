import { sql } from '@outpost/platform/db/sql'
import { LRUCache } from 'lru-cache'
import type { Clock } from '../session/clock.ts'
import type { AuthStore } from '../session/store.ts'

/** Values are looked up at most this long after they changed, even if no message about the change arrives. */
const keptMilliseconds = 5_000

/** What a company and its group chose: by name of the setting, then by tenant. */
export interface ChosenValues {
  groupId: string | null
  byName: ReadonlyMap<string, ReadonlyMap<string, number | string>>
}

export interface SettingValues {
  of(companyId: string): Promise<ChosenValues>
  forget(): void
}

interface Remembered {
  at: number
  values: Promise<ChosenValues>
}

/** Reads the chosen values of a company in one query and remembers them for at most five seconds. */
export function createSettingValues({ store, clock }: { store: AuthStore; clock: Clock }): SettingValues {
  const known = new LRUCache<string, Remembered>({ max: 2_000 })
  return {
    of: (companyId) => {
      const before = known.get(companyId)
      const age = before ? clock.now() - before.at : -1
      if (before && age >= 0 && age < keptMilliseconds) return before.values
      const values = load(store, companyId)
      known.set(companyId, { at: clock.now(), values })
      // A failure is never remembered: the database may have been down for a moment.
      values.catch(() => known.delete(companyId))
      return values
    },
    forget: () => known.clear(),
  }
}

async function load(store: AuthStore, companyId: string): Promise<ChosenValues> {
  const { groupId, rows } = await store.sql.one<{
    groupId: string | null
    rows: { tenantId: string; name: string; value: number | string }[]
  }>(sql`
    select (select "groupId" from tenant where "companyId" = ${companyId}::uuid and "id" = ${companyId}::uuid) as "groupId",
      coalesce((select json_agg(json_build_object('tenantId', s."tenantId", 'name', s."name", 'value', s."value")) from setting s
        where s."companyId" = ${companyId}::uuid
          or s."companyId" = (select "groupId" from tenant where "companyId" = ${companyId}::uuid and "id" = ${companyId}::uuid)), '[]') as rows`)
  const byName = Map.groupBy(rows, ({ name }) => name)
  return {
    groupId,
    byName: new Map([...byName].map(([name, own]) => [name, new Map(own.map(({ tenantId, value }) => [tenantId, value]))])),
  }
}
