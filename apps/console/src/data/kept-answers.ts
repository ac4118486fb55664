import { cached, putCached } from '../offline/store/views-cache.ts'
import { isNetworkError } from './api.ts'

/** The server's answer, which this device keeps by its name; the one kept last where there is no connection. Throws what the server refuses, and when nothing is kept. */
export async function answerOrKept<Answer>(name: string, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    const answer = await ask()
    void putCached(name, answer)
    return answer
  } catch (error) {
    const kept = isNetworkError(error) ? await cached<Answer>(name) : undefined
    if (kept === undefined) throw error
    return kept
  }
}
