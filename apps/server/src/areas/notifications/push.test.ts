import { createECDH, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { vapidKeys } from './push.keys.ts'
import { outcomeOf, pushSender, subscriptionOf } from './push.sender.ts'

const browser = createECDH('prime256v1').generateKeys('base64url')
const auth = randomBytes(16).toString('base64url')
const subscription = (endpoint: string) => JSON.stringify({ endpoint, keys: { p256dh: browser, auth } })

describe('the keys of push messages', () => {
  it('are the same wherever the secret is, and others with another secret', () => {
    expect(vapidKeys('one')).toEqual(vapidKeys('one'))
    expect(vapidKeys('one').publicKey).not.toBe(vapidKeys('two').publicKey)
    expect(Buffer.from(vapidKeys('one').publicKey, 'base64url')).toHaveLength(65)
  })
})

describe('a token', () => {
  it('is the subscription of a browser at a public https address, or of another program', () => {
    expect(subscriptionOf(subscription('https://push.example.com/abc'))?.endpoint).toBe('https://push.example.com/abc')
    expect(subscriptionOf('a-token-of-firebase')).toBeNull()
    for (const endpoint of [
      'http://push.example.com/abc',
      'https://127.0.0.1/x',
      'https://[::1]/x',
      'https://169.254.169.254/x',
      'file:///etc',
    ])
      expect([endpoint, subscriptionOf(subscription(endpoint))]).toEqual([endpoint, undefined])
    for (const wrong of ['{', '{}', '{"endpoint":"https://push.example.com"}']) expect(subscriptionOf(wrong)).toBeUndefined()
  })
})

describe('a message', () => {
  it('is over where the push service no longer knows the browser, and tried again where it is busy', () => {
    expect([201, 404, 410, 429, 503, 400, 413].map(outcomeOf)).toEqual(['sent', 'gone', 'gone', 'later', 'later', 'refused', 'refused'])
  })

  it('never goes to an address inside the network, however it is named', async () => {
    const send = pushSender({ keys: () => [vapidKeys('one')], subject: () => 'mailto:a@example.com' })
    const to = { endpoint: 'https://localhost:1/x', keys: { p256dh: browser, auth } }
    // A key that is no point of the curve ends the device instead of being tried for ever.
    expect(await send({ ...to, keys: { ...to.keys, p256dh: 'A'.repeat(87) } }, { title: 'x' })).toBe('gone')
    await expect(send(to, { title: 'x' })).rejects.toThrow('inside the network')
  })
})
