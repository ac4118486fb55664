import { z } from 'zod'
import { fail } from '@outpost/contract/errors'
import type { AnswerSchema, AnyResource, Answer, Ctx, Operation, PublicOperation, RequestInfo } from '../types.ts'
import { recordAnswer, removedAnswer, recordsAnswer, rowsAnswer } from './answers.ts'
import { workflowsOf } from '../workflow/states.ts'
import { columnOf, fieldOf } from './define.ts'
import { exportStatement, listRecords } from './read/list.ts'
import type { ListOptions } from './read/query.ts'
import { createRecord, removeRecords, restoreRecords, updateRecord, type WireRecord } from './records.ts'
import { idInput, idSchema, listSchema, writeSchemas, type ListInput, type RecordInput } from './schema.ts'
import { valueSchema } from './values.ts'
import { notFound, readText } from './write.ts'
import { inSentence } from '../in-sentence.ts'

type Shaped<Extra extends z.ZodRawShape> = z.infer<z.ZodObject<Extra>>
/** What a list without parameters of its own has. */
type NoShape = Record<never, never>

export interface ListCall<Extra extends z.ZodRawShape> extends ListOptions<Shaped<Extra>> {
  /** Further query or path parameters, for `where`; they arrive as text: use z.coerce for numbers. */
  extra?: Extra
  /** Another name for the array in data. */
  many?: string
}

/** Pages of a resource: page, size, sortField, sortOrder, search, startDate, endDate, dateType, filter. */
export function list<Extra extends z.ZodRawShape = NoShape>(
  resource: AnyResource,
  call: ListCall<Extra> = {},
): Operation<ListInput & Shaped<Extra>> {
  const input = listSchema(call.extra ?? ({} as Extra))
  return {
    kind: 'list',
    resource,
    input,
    isReadOnly: true,
    answer: rowsAnswer(resource, call.many ?? resource.many),
    run: (ctx, query) => listRecords(ctx, resource, query, call),
    exportRows: (ctx, query) => exportStatement(ctx, resource, query, call),
  }
}

/** One record by the path's id, as data.<one>. */
export function get(resource: AnyResource): Operation<{ id: string }> {
  return {
    kind: 'get',
    resource,
    input: idInput,
    isReadOnly: true,
    answer: recordAnswer(resource),
    run: async (ctx, { id }) => {
      const text = await readText(ctx, resource, id)
      return text === '' ? fail(notFound(resource)) : { json: `{"success":true,"data":{${JSON.stringify(resource.one)}:${text}}}` }
    },
  }
}

interface Wording {
  message?: string
}

/** Creates a record from the body; answers data.<one>. */
export function create(
  resource: AnyResource,
  { message = `${resource.label} created successfully` }: Wording = {},
): Operation<RecordInput> {
  const write = (ctx: Ctx, input: RecordInput) => createRecord(ctx, resource, input)
  return { kind: 'create', input: writeSchemas(resource).create, ...writingOne(resource, message, write) }
}

/** Changes the fields that the body names, and only these. */
export function update(resource: AnyResource, wording: Wording = {}): Operation<RecordInput> {
  return { kind: 'update', input: writeSchemas(resource).update, ...changingOne(resource, wording) }
}

function changingOne(resource: AnyResource, { message = `${resource.label} updated successfully` }: Wording) {
  return writingOne(resource, message, (ctx, input) => updateRecord(ctx, resource, String(input.id), input))
}

/** What the operations that write one record share. */
function writingOne(resource: AnyResource, message: string, write: (ctx: Ctx, input: RecordInput) => Promise<WireRecord>) {
  const run: Operation<RecordInput>['run'] = async (ctx, input) => ({ data: { [resource.one]: await write(ctx, input) }, message })
  return { resource, isReadOnly: false, answer: recordAnswer(resource), run }
}

const removeInput = z
  .strictObject({ id: idSchema.optional(), Id: idSchema.optional(), ids: z.array(idSchema).min(1).max(500).optional() })
  .refine(({ id, Id, ids }) => [id, Id, ids].filter((given) => given !== undefined).length === 1, { path: ['id'], error: 'give id or ids' })

/** Removes the record of the path, or of the body's id or ids: all or none. */
export function remove(resource: AnyResource, { message }: Wording = {}): Operation<z.infer<typeof removeInput>> {
  return {
    kind: 'remove',
    resource,
    input: removeInput,
    isReadOnly: false,
    answer: removedAnswer,
    run: async (ctx, { id, Id, ids = [] }) => {
      const wanted = [id, Id, ...ids].filter((given) => given !== undefined)
      await removeRecords(ctx, resource, wanted)
      return { data: { ids: wanted }, message: message ?? `${resource.label} deleted successfully` }
    },
  }
}

const restoreInput = z.strictObject({ ids: z.array(idSchema).min(1).max(500) })

/** Brings back removed records of the body's ids, all or none, unless something else holds what may be there once. */
export function restore(resource: AnyResource): Operation<z.infer<typeof restoreInput>> {
  return {
    kind: 'restore',
    resource,
    input: restoreInput,
    isReadOnly: false,
    answer: recordsAnswer(resource),
    run: async (ctx, { ids }) => {
      const records = await restoreRecords(ctx, resource, ids)
      return {
        data: { [resource.many]: records },
        message: `${records.length === 1 ? resource.label : `${records.length} ${inSentence(resource.labelMany)}`} restored`,
      }
    },
  }
}

/** Sets one field of the record in the path, even one that forms may not change; prepare decides what may follow. */
export function setField(resource: AnyResource, key: string, wording: Wording = {}): Operation<RecordInput> {
  const field = fieldOf(resource, key)
  if (workflowsOf(resource).some((workflow) => workflow.field === key))
    throw new Error(`${resource.one}.${key} goes by moves: mount move()`)
  const input = z.strictObject({
    id: idSchema,
    version: z.int().min(0).optional(),
    [key]: valueSchema({ ...field, required: true }, columnOf(resource, key)),
  })
  return { kind: 'setField', input, ...changingOne(resource, wording) }
}

type Run<Schema extends z.ZodType> = (ctx: Ctx, input: z.infer<Schema>, facts: RequestInfo) => Promise<Answer> | Answer

/** A read of its own making: runs outside a write transaction. `answer` says what its data holds. */
export function query<Schema extends z.ZodType>(input: Schema, run: Run<Schema>, answer?: AnswerSchema): Operation<z.infer<Schema>> {
  return { kind: 'query', isReadOnly: true, ...ofItsOwn(input, run, answer) }
}

/** A write of its own making: runs in one transaction unless the route says ownTransaction. `answer` says what its data holds. */
export function command<Schema extends z.ZodType>(input: Schema, run: Run<Schema>, answer?: AnswerSchema): Operation<z.infer<Schema>> {
  return { kind: 'command', isReadOnly: false, ...ofItsOwn(input, run, answer) }
}

const ofItsOwn = <Schema extends z.ZodType>(input: Schema, run: Run<Schema>, answer: AnswerSchema | undefined) => ({
  input: input as z.ZodType<z.infer<Schema>>,
  run: async (ctx: Ctx, given: z.infer<Schema>, facts: RequestInfo) => run(ctx, given, facts),
  ...(answer ? { answer } : {}),
})

/** An operation of a public route: there is no ctx. */
export function publicCommand<Schema extends z.ZodType>(
  input: Schema,
  run: (input: z.infer<Schema>, facts: RequestInfo) => Promise<Answer> | Answer,
  answer?: AnswerSchema,
): PublicOperation<z.infer<Schema>> {
  return {
    kind: 'public',
    input: input as z.ZodType<z.infer<Schema>>,
    run: async (given, facts) => run(given, facts),
    ...(answer ? { answer } : {}),
  }
}

/** Input of a call that takes nothing. */
export const noInput = z.strictObject({})
