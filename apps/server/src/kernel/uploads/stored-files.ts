import { identifier, join, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { allResources, resourceNamed } from '../resource/define.ts'
import { visibleRows } from '../resource/read/query.ts'
import { mayRead } from '../session/readers.ts'
import type { Ctx } from '../types.ts'

/** A stored file with the records that hold it. */
interface StoredFile {
  id: string
  storageKey: string
  name: string
  mimeType: string
  holders: readonly Holder[]
}
interface Holder {
  one: string
  id: string
}

/**
 * Stored files that the caller may read, by a condition over alias f. A file is read as far as one of the records that hold it;
 * until a record holds it, by whoever reaches the tenant it was sent from.
 */
export async function readableFiles(ctx: Ctx, condition: Statement): Promise<StoredFile[]> {
  const files = await ctx.sql.query<StoredFile>(sql`
    select f."id", f."storageKey", f."name", f."mimeType", (select coalesce(json_agg(h), '[]') from (${holdersOf()}) h) as holders
    from stored_file f where f."companyId" = ${ctx.company.id}::uuid and f."deletedAt" is null and ${condition}`)
  const readable: StoredFile[] = []
  for (const file of files) if (file.holders.length === 0 || (await seesAny(ctx, file.holders))) readable.push(file)
  return readable
}

/** Whether the caller may read records of this kind, and sees this one. */
export async function seesRecord(ctx: Ctx, { one, id }: Holder): Promise<boolean> {
  const resource = resourceNamed(one)
  if (!resource || resource.remote || !mayRead(ctx, resource)) return false
  const found = sql`select from ${identifier(resource.table)} t where ${visibleRows(ctx, resource)} and t."id" = ${id}::uuid`
  return (await ctx.sql.maybe(found)) !== undefined
}

async function seesAny(ctx: Ctx, holders: readonly Holder[]): Promise<boolean> {
  for (const holder of holders) if (await seesRecord(ctx, holder)) return true
  return false
}

/** The record that a file was stored for, and those that hold it by a table of pairs (belongings). */
const holdersOf = (): Statement =>
  join(
    [
      sql`select f."ownerType" as one, f."ownerId" as id where f."ownerId" is not null`,
      ...allResources().flatMap(({ one, belongings = [] }) =>
        belongings
          .filter(({ holdsFiles }) => holdsFiles)
          .map(
            ({ table, own }) =>
              sql`select ${one}::text, x.${identifier(own)} from ${identifier(table)} x where x."companyId" = f."companyId" and x."fileId" = f."id"`,
          ),
      ),
    ],
    ' union ',
  )
