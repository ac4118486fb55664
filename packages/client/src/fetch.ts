import type { Envelope } from '@outpost/contract/envelope'
import type { ErrorAnswer } from '@outpost/contract/errors'
import type { Send } from './client.ts'
import { queryText } from './query.ts'

export interface FetchOptions {
  /** Address of the server, without a slash at its end. */
  url: string
  /** The program's own fetch. */
  fetch: typeof globalThis.fetch
  /** Sent with each request: the access token as authorization, x-tenant-id. */
  headers?: () => Record<string, string>
}

/** A call that the server refused, in its own words. */
export class CallError extends Error {
  readonly answer: ErrorAnswer
  constructor(answer: ErrorAnswer) {
    super(answer.message)
    this.name = 'CallError'
    this.answer = answer
  }
}

/** Sends requests by fetch, for programs of one's own; throws CallError when the server refuses. */
export function sendByFetch({ url, fetch, headers = () => ({}) }: FetchOptions): Send<undefined> {
  return async ({ method, path, query, body }) => {
    const isForm = body instanceof FormData
    const response = await fetch(url + path + queryText(query), {
      method,
      headers: {
        accept: 'application/json',
        ...headers(),
        ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Envelope<unknown> | ErrorAnswer
    if (!answer.success) throw new CallError(answer)
    return answer
  }
}
