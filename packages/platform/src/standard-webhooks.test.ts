import { expect, it } from 'vitest'
import { isSignedStandard, signatureOf } from './standard-webhooks.ts'

const key = Buffer.from('a key of the connection')
const body = Buffer.from('{}')
const now = 1_800_000_000_000
const says = (secondsAhead: number) => {
  const timestamp = now / 1_000 + secondsAhead
  const signature = signatureOf(key, { id: 'one', timestamp, body })
  return isSignedStandard([key], {
    headers: { 'webhook-id': 'one', 'webhook-timestamp': String(timestamp), 'webhook-signature': signature },
    body,
    now,
  })
}

it('takes a signed message of the last and the next five minutes, to the second', () => {
  expect([-301, -300, 0, 300, 301].map(says)).toEqual([false, true, true, true, false])
})
