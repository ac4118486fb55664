import type { Route } from '../../../apps/server/src/kernel/types.ts'
import { inputSchema } from './sampler.ts'

/** Names that every plain object answers to, whatever was put into it. */
export const inherited = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'] as const

/** Query names that the geo service reads, which the route table does not know. */
const handedOn = ['sortField', 'dateType', 'types', 'type', 'kind', 'status', 'fields', 'entities', 'commandType', 'deviceId', 'calendar']

interface Property {
  name: string
  /** It takes an object of any keys. */ isRecord: boolean
}

/** Properties of a route's input that take any text, or any keys: those by which something may be looked up. */
export function keyLike(route: Route): Property[] {
  if (route.operation.kind === 'pass') return handedOn.map((name) => ({ name, isRecord: false }))
  return Object.entries(inputSchema(route).properties ?? {}).flatMap(([name, schema]) => {
    const choices = schema.anyOf ?? schema.oneOf ?? [schema]
    const isRecord = choices.some(
      ({ type, properties, additionalProperties }) => type === 'object' && !properties && additionalProperties !== false,
    )
    const isText = choices.some(
      (one) =>
        one.enum === undefined &&
        one.const === undefined &&
        one.format === undefined &&
        (one.type === undefined || [one.type].flat().includes('string')),
    )
    return isRecord || isText ? [{ name, isRecord }] : []
  })
}

/** The inherited name as a value that JSON carries as its own: {"__proto__": …} must not vanish on the way. */
export const recordOf = (name: string): Record<string, unknown> =>
  JSON.parse(`{${JSON.stringify(name)}:{"op":"eq","value":"x","type":"text"}}`) as Record<string, unknown>
