import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import type { FilterPart } from '@outpost/contract/envelope'
import { id, listShape, type ListInput } from '../input.ts'
import { handler, type GeoCtx, type Handler } from '../types.ts'
import { filterConditions, filterText } from './filter.ts'
import { listRecords, readRecord } from './read.ts'
import { bodyOf, type GeoResource, type Input } from './resource.ts'
import { createRecord, removeRecord, updateRecord } from './write.ts'

/** Several fields and their directions, with commas. */
export const sortFields = z.string().max(300).optional()
export const sortOrders = z
  .string()
  .max(60)
  .transform((text) => text.toUpperCase())
  .refine((text) => /^(ASC|DESC)(,(ASC|DESC))*$/.test(text), 'is neither ASC nor DESC')
  .optional()

/** Builds the list call of a resource. `extra` are further query parameters; `where` turns them into conditions. */
export function list<Extra extends z.ZodRawShape>(
  resource: GeoResource,
  extra: Extra,
  where: (input: z.infer<z.ZodObject<Extra>>, ctx: GeoCtx) => Statement[] = () => [],
): Handler {
  const input = z.strictObject({
    ...listShape,
    sortField: sortFields,
    sortOrder: sortOrders,
    filter: filterText.optional(),
    ...extra,
  }) as unknown as z.ZodType<ListInput & { filter?: FilterPart[] } & z.infer<z.ZodObject<Extra>>>
  return handler(input, (ctx, given) =>
    listRecords(ctx, resource, given, [...where(given, ctx), ...filterConditions(ctx, resource, given.filter)]),
  )
}

/** Builds the call that returns one record. */
export const get = (resource: GeoResource): Handler =>
  handler(z.strictObject({ id }), async (ctx, input) => ({ data: { [resource.one]: await readRecord(ctx, resource, input.id) } }))

/** Builds the call that creates a record. */
export const create = (resource: GeoResource): Handler =>
  handler(bodyOf(resource, resource.create), (ctx, input) => createRecord(ctx, resource, input))

/** Builds the call that updates a record. */
export const update = (resource: GeoResource): Handler =>
  handler(bodyOf(resource, resource.update) as z.ZodType<Input & { id: string }>, (ctx, input) => updateRecord(ctx, resource, input))

/** Builds the call that deletes a record. Old clients send a body; it is ignored. */
export const remove = (resource: GeoResource): Handler =>
  handler(z.looseObject({ id }), (ctx, input) => removeRecord(ctx, resource, input.id))
