import { callOf, createClient, pathOf, type CallData } from '@outpost/client/client'
import { api } from './api.ts'
import type { CallOptions } from './api.ts'

const client = createClient<Omit<CallOptions, 'query' | 'body'>>(({ method, path, query, body }, options) =>
  api.call(method, path, {
    ...options,
    query: query as CallOptions['query'],
    body: body ?? (method === 'GET' || method === 'DELETE' ? undefined : {}),
  }),
)

/** Calls of the console by the names of their routes: call('leads.get', { params: { id } }). Answers the envelope or throws ApiError. */
export const call = client.call

/** Where a call goes, for views, lists that a device may answer, and keys of queries; `:key` of its path is filled in later. */
export { callOf, pathOf, type CallData }
