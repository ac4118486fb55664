import { z } from 'zod'
import { recordSchema } from './resource/answers.ts'
import type { AnswerSchema, Area } from './types.ts'

export type Schema = Record<string, unknown> & { properties?: Record<string, unknown>; required?: string[] }

/** Schemas that have names of their own in the document: records of resources, by themselves and as rows of lists. `made`: those that answers hold. */
export interface Parts {
  named: z.core.$ZodRegistry<{ id: string }>
  made: Record<string, unknown>
}

export function partsOf(areas: readonly Area[]): Parts {
  const named = z.registry<{ id: string }>()
  for (const resource of areas.flatMap((area) => area.resources)) {
    named.add(recordSchema(resource, 'list'), { id: `${resource.one}Row` })
    named.add(recordSchema(resource, 'detail'), { id: resource.one })
  }
  return { named, made: {} }
}

/** What a call takes. */
export const inputOf = (input: z.ZodType, parts: Parts): Schema =>
  hoisted(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }), parts)

/** The envelope of a call: with its data, where the call says what that is. */
export function envelopeOf(answer: AnswerSchema | undefined, parts: Parts): Schema {
  if (!answer) return { $ref: '#/components/schemas/Envelope' }
  return { ...envelope, properties: { ...envelope.properties, data: answerOf(answer, parts) } }
}

/** What a call says it answers. */
export function answerOf(answer: AnswerSchema, parts: Parts): Schema {
  const schema = typeof answer === 'function' ? answer() : answer
  return hoisted(z.toJSONSchema(schema, { metadata: parts.named, unrepresentable: 'any', override: withoutPattern }), parts)
}

/** The format says it already. */
function withoutPattern({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.format) delete jsonSchema.pattern
}

/** The schema with what it names moved among the document's own. What is built of itself and has no name is any JSON. */
function hoisted(given: z.core.JSONSchema.JSONSchema, { made }: Parts): Schema {
  const { $schema: _, $defs = {}, ...schema } = given
  const moved = <Part>(part: Part): Part =>
    JSON.parse(JSON.stringify(part), (key, value: unknown) => {
      if (key !== '$ref' || typeof value !== 'string') return value
      return value.startsWith('#/$defs/__') ? undefined : value.replace('#/$defs/', '#/components/schemas/')
    }) as Part
  for (const [key, part] of Object.entries($defs)) if (!key.startsWith('__')) made[key] = moved(part)
  return moved(schema) as Schema
}

export const envelope = {
  type: 'object',
  required: ['success', 'data'],
  properties: {
    success: { const: true },
    data: { type: 'object', additionalProperties: true },
    message: { type: 'string' },
    meta: {
      type: 'object',
      properties: { page: { type: 'integer' }, size: { type: 'integer' }, total: { type: 'integer' }, estimated: { type: 'boolean' } },
    },
  },
}
