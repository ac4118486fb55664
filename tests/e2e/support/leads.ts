import { expect } from 'vitest'
import type { Call } from './calls.ts'

type Answered = Promise<{ status: number; text: string; body: Record<string, unknown> }>

/** What a good answer holds; another one fails with its text. */
export async function dataOf<Data>(answer: Answered): Promise<Data> {
  const { status, text, body } = await answer
  expect(status, text).toBe(200)
  return body['data'] as Data
}

/** Makes leads, each with a phone of its own; gives their id. `from`: the first phone is the one after it, without its leading zero. */
export function leadMaker(officer: () => Call, from: number): (over?: object) => Promise<string> {
  let phones = from
  return async (over = {}) => {
    const lead = { firstName: 'Tausi', lastName: 'Merger', phonenumber: `0${(phones += 1)}`, ...over }
    return (await dataOf<{ lead: { Id: string } }>(officer()('POST', '/api/leads', lead))).lead.Id
  }
}
