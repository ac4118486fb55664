import { errorTable } from '@outpost/contract/errors'
import { anySession, defineArea, route } from './area.ts'
import { answerOf, envelope, envelopeOf, inputOf, partsOf, type Parts, type Schema } from './openapi-schemas.ts'
import { noInput, query } from './resource/operations.ts'
import type { Sends } from './route-options.ts'
import type { Area, Route } from './types.ts'
import { limitsOf, type UploadLimits } from './uploads/form.ts'
import { storedExtensions } from '@outpost/contract/views/file-types'

/** GET /api/openapi.json: every call of the areas with its input, operation kind and permissions, for signed-in callers. */
export function openapiArea({ areas, version }: { areas: readonly Area[]; version: string }): Area {
  const self = defineArea({ name: 'openapi' })
  let text: string | undefined
  const answer = () => ({ json: (text ??= JSON.stringify(openapiDocument([...areas, self], version))) })
  self.routes.push(
    route('openapi.document', 'GET', '/api/openapi.json', anySession, query(noInput, answer), {
      own: true,
      sends: 'application/json',
      summary: 'This document',
    }),
  )
  return self
}

/** The document itself; the permissions of a call are in x-permissions (any of them admits), its kind in x-operation. */
export function openapiDocument(areas: readonly Area[], version: string): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {}
  const parts = partsOf(areas)
  for (const area of areas) {
    for (const one of area.routes) {
      const path = one.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [one.method.toLowerCase()]: describeCall(area, one, parts) }
    }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Outpost', version },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { ...parts.made, Envelope: envelope, Error: errorSchema(areas) },
      responses,
    },
  }
}

function describeCall(area: Area, { name, method, path, access, operation, options }: Route, parts: Parts): Record<string, unknown> {
  const input = inputOf(('documented' in operation && operation.documented?.()) || operation.input, parts)
  const inPath = [...path.matchAll(/:(\w+)/g)].map((match) => match[1] ?? '')
  const rest = Object.keys(input.properties ?? {}).filter((key) => !inPath.includes(key))
  const hasBody = method === 'POST' || method === 'PUT' || (method === 'DELETE' && rest.length > 0)
  const parameters = [
    ...inPath.map((key) => ({ name: key, in: 'path', required: true, schema: input.properties?.[key] ?? { type: 'string' } })),
    ...(hasBody
      ? []
      : rest.map((key) => ({
          name: key,
          in: 'query',
          required: input.required?.includes(key) === true && !hasDefault(input, key),
          schema: input.properties?.[key],
        }))),
  ]
  return {
    operationId: name,
    tags: [area.name],
    summary: options.summary ?? `${operation.kind} ${'resource' in operation ? (operation.resource?.labelMany ?? '') : ''}`.trim(),
    'x-operation': operation.kind,
    ...(access.kind === 'permission' ? { 'x-permissions': access.anyOf } : {}),
    ...(access.kind === 'public' ? { security: [], 'x-public': access.why } : { security: [{ bearer: [] }] }),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(options.upload
      ? { requestBody: formBody(input, inPath, options.upload) }
      : hasBody && rest.length > 0
        ? { requestBody: requestBody(input, inPath, options) }
        : {}),
    responses: {
      ...(options.sends
        ? bareAnswer(options.sends, operation.answer && answerOf(operation.answer, parts))
        : answerIn(envelopeOf(operation.answer, parts))),
      default: { $ref: '#/components/responses/Error' },
    },
  }
}

const answerIn = (schema: Schema) => ({ 200: { description: 'success', content: { 'application/json': { schema } } } })

/** An answer without the envelope: its bytes are what they are, or JSON that the call declares. */
function bareAnswer(sends: Sends, schema: Schema | undefined): Record<number, unknown> {
  if (sends === 'redirect') return { 302: { description: 'on to another address' } }
  return { 200: { description: 'success', content: Object.fromEntries([sends].flat().map((type) => [type, schema ? { schema } : {}])) } }
}

function requestBody(input: Schema, inPath: readonly string[], { takesGzip = false }: Route['options']): Record<string, unknown> {
  const schema = bodySchema(input, inPath)
  const description = 'May come as gzip (Content-Encoding: gzip); the limit counts the bytes that it inflates to.'
  return {
    ...(takesGzip ? { description } : {}),
    required: schema.required !== undefined,
    content: { 'application/json': { schema } },
  }
}

/** A multipart form: the input as fields, which may be said in the query too, and the files under any name. */
function formBody(input: Schema, inPath: readonly string[], upload: true | UploadLimits): Record<string, unknown> {
  const { files, maxBytes, types = storedExtensions } = limitsOf(upload)
  const { properties, ...schema } = bodySchema(input, inPath)
  const file = {
    type: 'array',
    maxItems: files,
    items: { type: 'string', format: 'binary', maxLength: maxBytes },
    description: `At most ${files}, each of ${maxBytes} bytes at most; by content one of: ${types.join(', ')}`,
  }
  return {
    required: true,
    content: { 'multipart/form-data': { schema: { ...schema, type: 'object', properties: { ...properties, file } } } },
  }
}

function bodySchema(input: Schema, inPath: readonly string[]): Schema {
  const properties = Object.fromEntries(Object.entries(input.properties ?? {}).filter(([key]) => !inPath.includes(key)))
  const required = (input.required ?? []).filter((key) => !inPath.includes(key))
  return { ...input, properties, ...(required.length > 0 ? { required } : { required: undefined }) } as Schema
}

function hasDefault({ properties }: Schema, key: string): boolean {
  const property = properties?.[key]
  return typeof property === 'object' && property !== null && 'default' in property
}

/** Its codes are those of the kernel and those that the areas declare. */
const errorSchema = (areas: readonly Area[]): Schema => ({
  type: 'object',
  required: ['success', 'code', 'status', 'message'],
  properties: {
    success: { const: false },
    code: { enum: [...Object.keys(errorTable), ...areas.flatMap(({ errors }) => errors.map(({ name }) => name))] },
    status: { type: 'integer' },
    message: { type: 'string' },
    title: { type: 'string' },
    fields: { type: 'array', items: { type: 'object', properties: { field: { type: 'string' }, message: { type: 'string' } } } },
    details: { type: 'object' },
    requestId: { type: 'string' },
  },
})

const responses = {
  Error: {
    description: 'the one shape of every error',
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  },
}
