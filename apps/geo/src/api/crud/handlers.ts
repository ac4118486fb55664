import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { id, listShape, type ListInput } from '../input.ts'
import { handler, type GeoCtx, type Handler } from '../types.ts'
import { listRecords, readRecord } from './read.ts'
import { bodyOf, type GeoResource, type Input } from './resource.ts'
import { createRecord, removeRecord, updateRecord } from './write.ts'

/** The list call of a resource; `extra` are query names of its own and `where` what they mean. */
export function list<Extra extends z.ZodRawShape>(
  resource: GeoResource, extra: Extra, where: (input: z.infer<z.ZodObject<Extra>>, ctx: GeoCtx) => Statement[] = () => [],
): Handler {
  const input = z.strictObject({ ...listShape, ...extra }) as unknown as z.ZodType<ListInput & z.infer<z.ZodObject<Extra>>>
  return handler(input, (ctx, given) => listRecords(ctx, resource, given, where(given, ctx)))
}

/** The call that gives one record. */
export const get = (resource: GeoResource): Handler =>
  handler(z.strictObject({ id }), async (ctx, input) => ({ data: { [resource.one]: await readRecord(ctx, resource, input.id) } }))

/** The call that makes a record. */
export const create = (resource: GeoResource): Handler => handler(bodyOf(resource, resource.create), (ctx, input) => createRecord(ctx, resource, input))

/** The call that changes a record. */
export const update = (resource: GeoResource): Handler =>
  handler(bodyOf(resource, resource.update) as z.ZodType<Input & { id: string }>, (ctx, input) => updateRecord(ctx, resource, input))

/** The call that removes a record; a body, which old clients send, says nothing more. */
export const remove = (resource: GeoResource): Handler => handler(z.looseObject({ id }), (ctx, input) => removeRecord(ctx, resource, input.id))
