import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openOutgoing } from './outgoing.ts'
import { postWebhook } from './post-webhook.ts'

const server = createServer((request, answer) => {
  if (request.url === '/gone') request.socket.destroy()
  if (request.url === '/slow') answer.writeHead(202).write('one letter, and no more')
  if (request.url === '/busy') answer.writeHead(503).end('busy')
})
// Three ticks of the timers of undici, by which its own limits are measured.
const outgoing = openOutgoing({ reach: 'operator', limitMs: 1_497, maxResponseSize: 64_000 })
let address = ''
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  await outgoing.destroy()
  server.closeAllConnections()
  server.close()
})
const post = (url: string) => postWebhook(outgoing, { url, headers: { 'content-type': 'application/json' }, body: '{}' })

it('says the status, of an answer that never ends too', async () => {
  expect(await Promise.all([post(`${address}/busy`), post(`${address}/slow`)])).toEqual([{ statusCode: 503 }, { statusCode: 202 }])
})

it('says in a sentence why there was no answer', async () => {
  expect(await post(`${address}/gone`)).toEqual({ error: 'It ended the connection without an answer' })
  expect(await post('http://127.0.0.1:1/')).toEqual({ error: 'Nobody listens at the address' })
})

it('has one limit: a call that is not answered says so, whenever it began', async () => {
  const answers = await Promise.all(Array.from({ length: 50 }, (_, index) => wait(index * 10).then(() => post(`${address}/silent`))))
  expect(answers.filter((answer) => !('error' in answer && answer.error === 'It did not answer within 1.497 seconds'))).toEqual([])
})
