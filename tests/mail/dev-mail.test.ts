import { afterAll, beforeAll, expect, test } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { mailArea } from '../../apps/server/src/areas/mail/index.ts'
import { testApp, type TestApp } from '../support/app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine), mailArea(machine)] })
})
afterAll(() => app.close())

test('letters are shown on this machine, as text that runs nothing', async () => {
  await app.machine.mail.send({
    to: 'a@mail.test',
    subject: '<b>Hi</b>',
    text: `Open http://outpost.test/reset-password/${'x'.repeat(90)} <script>alert(1)</script>`,
  })
  const list = await app.nobody.get('/dev/mail')
  expect(list.text).toContain('&lt;b&gt;Hi&lt;/b&gt;')
  const [, file = ''] = /href="(\/dev\/mail\/[^"]+)"/.exec(list.text) ?? []
  const letter = await app.nobody.get(file)
  expect(letter.text).toContain(`<a href="http://outpost.test/reset-password/${'x'.repeat(90)}">`)
  expect(letter.text).not.toContain('<script>')
  expect(letter.headers['content-security-policy']).toBe("default-src 'none'; sandbox")
  expect((await app.nobody.get('/dev/mail/..%2f..%2fsecrets.json')).status).toBe(404)
})

test('another machine, a proxy, an SMTP server and production do not have the page', async () => {
  expect((await app.http.inject({ url: '/dev/mail', remoteAddress: '10.0.0.5' })).statusCode).toBe(404)
  expect((await app.nobody.get('/dev/mail', { 'x-forwarded-for': '127.0.0.1' })).status).toBe(404)
  const { mail } = app.machine
  expect(mailArea({ mail, env: { NODE_ENV: 'production' } }).routes).toEqual([])
  expect(mailArea({ mail, env: { NODE_ENV: 'development', SMTP_URL: 'smtp://x' } }).routes).toEqual([])
})
