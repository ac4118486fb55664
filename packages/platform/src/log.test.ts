import { Writable } from 'node:stream'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

test('redacts passwords, tokens and cookies, at the top and three levels deep', () => {
  let written = ''
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      written += String(chunk)
      done()
    },
  })
  const log = createLog({ destination })
  log.info({
    password: 'hush1',
    user: { token: 'hush2' },
    req: { headers: { authorization: 'hush3', 'set-cookie': 'hush4', cookie: 'hush5', host: 'seen' } },
  })
  log.info({ body: { a: { b: { refreshToken: 'hush6' } } } })
  expect(written).not.toContain('hush')
  expect(written).toContain('seen')
})
