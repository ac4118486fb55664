import { fail } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { selection } from '../../sql/fields.ts'
import { id, listShape, time } from '../input.ts'
import { handler } from '../types.ts'
import { historyFields, readPositionId } from './fields.ts'
import { history } from './history.ts'
import { latestPositions } from './latest.ts'

const names = z
  .string()
  .max(400)
  .transform((text) =>
    text
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  )
  .pipe(z.array(z.string()).min(1).max(30))

const listInput = z.strictObject({
  ...listShape,
  deviceId: id.optional(),
  from: time.optional(),
  to: time.optional(),
  after: z.string().max(64).optional(),
  fields: names.optional(),
  simplify: z.coerce.number().min(1).max(10_000).optional(),
})

/** Without a device: the newest position of each. With a device: its history. */
export const listPositions = handler(listInput, (ctx, { deviceId, ...input }) =>
  deviceId === undefined ? latestPositions(ctx, input) : history(ctx, { ...input, deviceId }),
)

/** Returns one position by its id; a device's id returns its newest position. */
export const getPosition = handler(z.strictObject({ id: z.string().max(64) }), async (ctx, input) => {
  const key = readPositionId(input.id)
  const deviceId = key?.deviceId ?? id.safeParse(input.id).data
  if (deviceId === undefined) return fail('NOT_FOUND')
  const row = await ctx.sql.maybe<{ position: Record<string, unknown> }>(sql`
    select to_jsonb(r) as "position" from (select ${selection(historyFields)} from geo.position p
      join geo.device d on d."companyId" = p."companyId" and d."id" = p."deviceId" and d."deletedAt" is null
      where p."companyId" = ${ctx.caller.company} and p."deviceId" = ${deviceId}
        and p."fixTime" = coalesce(${key?.fixTime ?? null}::timestamptz, (select l."fixTime" from geo.latest l where l."companyId" = ${ctx.caller.company} and l."deviceId" = ${deviceId}))) r`)
  return row ? { data: { position: row.position } } : fail('NOT_FOUND')
})
