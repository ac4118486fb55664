import type { Envelope } from '@outpost/contract/envelope'
import type { CallView } from '@outpost/contract/views'
import type { operations } from '../generated/calls.ts'
import { routes } from '../generated/routes.ts'

/** The name of a call, as its route is called: 'leads.list'. */
export type CallName = keyof typeof routes & keyof operations

type Place<Name extends CallName, Key extends 'path' | 'query'> = NonNullable<operations[Name]['parameters'][Key]>
/** The body of a call; a form for uploads. */
export type CallBody<Name extends CallName> = operations[Name] extends { requestBody?: infer Body }
  ? NonNullable<Body> extends { content: { 'application/json': infer Given } }
    ? Given
    : NonNullable<Body> extends { content: unknown }
      ? FormData
      : never
  : never
type IsEmpty<Given> = [Given] extends [never] ? true : false
/** Empty values are left out of the query; objects, such as a filter, travel as JSON text. */
type Written<Query> = { [Key in keyof Query]: Query[Key] | (NonNullable<Query[Key]> extends string ? object : never) | null | undefined }
type Needed<Key extends string, Given> =
  IsEmpty<Given> extends true
    ? { [K in Key]?: undefined }
    : Record<never, never> extends Given
      ? { [K in Key]?: Given }
      : { [K in Key]: Given }

/** What a call takes: parameters of its path, its query and its body. */
export type CallInput<Name extends CallName> = Needed<'params', Place<Name, 'path'>> &
  Needed<'query', Written<Place<Name, 'query'>>> &
  Needed<'body', CallBody<Name>>

/** What data of a call's answer holds; calls that do not say it answer any record. */
export type CallData<Name extends CallName> = operations[Name]['responses'] extends {
  200: { content: { 'application/json': { data: infer Data } } }
}
  ? Data
  : Record<string, unknown>

/** A call ready to be sent. */
export interface Request {
  method: CallView['method']
  path: string
  query?: Record<string, unknown>
  body?: unknown
}
export type Send<Options> = (request: Request, options?: Options) => Promise<Envelope<unknown>>

/** Left out where a call needs nothing. */
type Arguments<Name extends CallName, Options> =
  Record<never, never> extends CallInput<Name> ? [input?: CallInput<Name>, options?: Options] : [input: CallInput<Name>, options?: Options]
interface Given {
  params?: Readonly<Record<string, string>>
  query?: Record<string, unknown>
  body?: unknown
}

export interface Client<Options> {
  /** Makes the call of that name; what `send` throws goes through. */
  call<Name extends CallName>(name: Name, ...input: Arguments<Name, Options>): Promise<Envelope<CallData<Name>>>
}

/** Calls by name: how a request travels (address, session, errors) is `send`. */
export function createClient<Options = undefined>(send: Send<Options>): Client<Options> {
  return {
    call: async <Name extends CallName>(name: Name, ...[input, options]: Arguments<Name, Options>) => {
      const { params, query, body } = (input ?? {}) as Given
      const { method, path } = callOf(name)
      return (await send(
        { method, path: filled(path, params), ...(query ? { query } : {}), ...(body === undefined ? {} : { body }) },
        options,
      )) as Envelope<CallData<Name>>
    },
  }
}

export const callNames = Object.keys(routes) as CallName[]

/** Method and path of a name; `:key` marks a parameter of the path. */
export function callOf(name: CallName): CallView {
  const [method, path] = routes[name].split(' ') as [CallView['method'], string]
  return { method, path }
}

/** Path of a name with its parameters filled in. Throws when one is missing. */
export const pathOf = <Name extends CallName>(
  name: Name,
  ...[params]: IsEmpty<Place<Name, 'path'>> extends true ? [] : [params: Place<Name, 'path'>]
): string => filled(callOf(name).path, params as Given['params'])

function filled(path: string, params: Given['params'] = {}): string {
  return path.replace(/:(\w+)/g, (_, key: string) => {
    const value = Object.hasOwn(params, key) ? params[key] : undefined
    if (value === undefined || value === '') throw new Error(`${path} needs ${key}`)
    return encodeURIComponent(value)
  })
}
