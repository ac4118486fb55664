import { identifierSchema } from '@outpost/contract/input'
import { changeRecord, pushRequest } from '@outpost/contract/sync/protocol'
import { recordSchema } from '../../kernel/resource/answers.ts'
import { selectionOf } from '../../kernel/resource/read/columns.ts'
import type { AnyResource } from '../../kernel/types.ts'
import { writeSchemas } from '../../kernel/resource/schema.ts'
import type { SyncEntities, SyncEntity } from '../../kernel/sync/entities.ts'
import { z } from 'zod'

export const pingAnswer = z.strictObject({ now: z.iso.datetime() })
const ids = z.array(identifierSchema)
export const keptAnswer = z.strictObject({ kept: ids })
export const handledAnswer = z.strictObject({ ids })
export const replayedAnswer = z.strictObject({ changeId: identifierSchema, entityId: identifierSchema })
export const resolvedAnswer = z.strictObject({ Id: identifierSchema, resolution: z.enum(['mine', 'theirs']) })
/** A field as views have it (contract/fields.ts). */
export const fieldViewSchema = z.looseObject({ key: z.string(), kind: z.string(), label: z.string() })
/** `valueField` is the field that draws the three values; beside each the name of the record that it means. */
export const letterValuesAnswer = z.strictObject({
  values: z.array(
    z.strictObject({
      Id: z.string(),
      label: z.string(),
      ...Object.fromEntries(
        ['before', 'now', 'sent'].flatMap((key) => [
          [key, z.unknown()],
          [`${key}Label`, z.string().nullable().optional()],
        ]),
      ),
      valueField: fieldViewSchema.optional(),
    }),
  ),
})
export const letterFormAnswer = z.strictObject({ fields: z.array(fieldViewSchema), record: z.record(z.string(), z.unknown()) })
export const deviceChangesAnswer = z.strictObject({
  changes: z.array(
    z.strictObject({
      Id: identifierSchema,
      receivedAt: z.iso.datetime(),
      kind: z.string(),
      record: z.string().nullable(),
      changeType: z.string(),
      result: z.string(),
      reason: z.string().nullable(),
    }),
  ),
})
export const signedOutAnswer = z.strictObject({ Id: identifierSchema })

/** One of several, of which there may be one alone. */
const oneOf = (schemas: readonly z.ZodType[]): z.ZodType => (schemas.length === 0 ? z.never() : z.union(schemas))

/** What a push holds: each change by its kind, whose record and fields are those of the kind. What the call itself takes is wider: a bad change is answered by itself. */
export const pushBody = (entities: SyncEntities) => () =>
  pushRequest.extend({ changes: z.array(oneOf([...entities].map(([type, entity]) => changeOf(type, entity)))) })

function changeOf(type: string, { resource, classes, commands, access }: SyncEntity): z.ZodType {
  const fields = [...classes.keys(), ...commands.keys()]
  return changeRecord.extend({
    entityType: z.literal(type),
    patch: z.partialRecord(z.enum(fields), changeRecord.shape.patch.unwrap().valueType).default({}),
    ...(access.insert ? { snapshot: writeSchemas(resource).create.optional() } : {}),
  })
}

/** A record as the server holds it, and whether it is removed, where a change found it so. */
const heldSchema = (resource: AnyResource) => recordSchema(resource, 'detail').extend({ isDeleted: z.boolean().optional() })

/** A verdict on each change, in their order. `fields`: the record as the server holds it then. */
export const pushAnswer = (entities: SyncEntities) => () =>
  z.strictObject({
    serverNow: z.iso.datetime(),
    results: z.array(
      z.strictObject({
        changeId: z.string(),
        status: z.enum(['applied', 'duplicate', 'merged', 'rejected', 'waiting', 'error']),
        first: z.enum(['applied', 'merged', 'rejected']).optional(),
        version: z.number().optional(),
        seq: z.number().optional(),
        fields: oneOf([...entities.values()].map(({ resource }) => heldSchema(resource))).optional(),
        conflicts: z.array(z.strictObject({ field: z.string(), base: z.unknown(), mine: z.unknown(), theirs: z.unknown() })).optional(),
        code: z.string().optional(),
        message: z.string().optional(),
        existingId: identifierSchema.optional(),
      }),
    ),
  })

/** A page of changes. `data` holds the values of a record in the order of its kind's names in `fields`. */
export const pullAnswer = (entities: SyncEntities) => () => {
  const kinds = [...entities.values()].map(({ resource }) => resource)
  const names = kinds.map((resource) => [resource.one, z.array(z.enum(selectionOf(resource, 'detail page').names)).optional()] as const)
  return z.strictObject({
    changes: z.array(
      oneOf(
        kinds.map(({ one }) =>
          z.strictObject({
            t: z.literal(one),
            id: identifierSchema,
            seq: z.number(),
            op: z.enum(['put', 'gone']),
            version: z.number(),
            data: z.array(z.unknown()).optional(),
          }),
        ),
      ),
    ),
    cursor: z.string(),
    more: z.boolean(),
    serverNow: z.iso.datetime(),
    reset: z.enum(['scope', 'schema', 'age']).optional(),
    fields: z.strictObject(Object.fromEntries(names)),
  })
}
