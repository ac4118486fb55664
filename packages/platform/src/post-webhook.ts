import type { Outgoing } from './outgoing.ts'

const answerBytes = 64_000

/** Posts a message to a system of others: the status it answered, or a sentence that says why there was no answer. */
export async function postWebhook(
  outgoing: Outgoing,
  { url, headers, body }: { url: string; headers: Record<string, string>; body: string },
): Promise<{ statusCode: number } | { error: string }> {
  try {
    const answer = await outgoing.request(url, { method: 'POST', headers, body })
    // What it says counts for nothing; it may say it slowly or without end.
    await answer.body.dump({ limit: answerBytes }).catch(() => undefined)
    return { statusCode: answer.statusCode }
  } catch (error) {
    return { error: wordsOf(error, outgoing.limitMs ?? 0) }
  }
}

const reasons: ReadonlyMap<unknown, string> = new Map(
  Object.entries({
    ENOTFOUND: 'There is no machine of that name',
    ECONNREFUSED: 'Nobody listens at the address',
    ECONNRESET: 'It ended the connection without an answer',
    UND_ERR_SOCKET: 'It ended the connection without an answer',
    UND_ERR_CONNECT_TIMEOUT: 'It could not be reached in time',
    ETIMEDOUT: 'It could not be reached in time',
    EHOSTUNREACH: 'It could not be reached',
    ENETUNREACH: 'It could not be reached',
  }),
)

function wordsOf(error: unknown, limitMs: number): string {
  if (!(error instanceof Error)) return 'It could not be reached'
  if (error.name === 'TimeoutError') return `It did not answer within ${limitMs / 1_000} seconds`
  return reasons.get((error as Error & { code?: unknown }).code) ?? error.message.slice(0, 300)
}
