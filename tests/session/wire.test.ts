import { afterAll, beforeAll, expect, it } from 'vitest'
import { testApp, type TestApp } from '../support/app.ts'
import { demoPassword, type MadeUser } from '../support/make.ts'

let app: TestApp
let user: MadeUser
beforeAll(async () => {
  app = await testApp()
  user = await app.make.user()
})
afterAll(() => app.close())

/** What a browser says of the page that calls. */
const ownPage = { origin: 'http://outpost.test', 'x-ui-version': '0.9.9', 'sec-fetch-site': 'same-origin' }

it('a browser stays signed in by its cookie alone, which scripts do not see, and is signed out with it', async () => {
  const browser = await app.browser()
  const login = await browser.post('/api/auth/login').send({ email: user.emailAddress, password: demoPassword }).expect(200)
  const cookies = login.headers['set-cookie'] as unknown as string[]
  expect(cookies.some((one) => /HttpOnly/i.test(one) && /SameSite=(Strict|Lax)/i.test(one))).toBe(true)
  // A page of somebody else’s may send the cookie along and gets nothing for it.
  expect(
    (
      await browser
        .post('/api/auth/refresh')
        .set({ ...ownPage, origin: 'http://other.test' })
        .send({})
    ).status,
  ).toBe(403)
  const { body } = await browser.post('/api/auth/refresh').set(ownPage).send({}).expect(200)
  const { token } = (body as { data: { token: string } }).data
  await browser.get('/api/openapi.json').set('authorization', `Bearer ${token}`).expect(200)
  await browser
    .get('/api/auth/logout')
    .set({ ...ownPage, authorization: `Bearer ${token}` })
    .expect(200)
  expect((await browser.post('/api/auth/refresh').set(ownPage).send({})).status).toBe(401)
  // Another browser has no such cookie.
  expect((await (await app.browser()).post('/api/auth/refresh').set(ownPage).send({})).status).toBe(401)
})

it('a long answer is compressed for who takes it, and says the same', async () => {
  const client = await app.as(user)
  const browser = await app.browser()
  const get = (encoding: string) =>
    browser
      .get('/api/openapi.json')
      .set({ authorization: `Bearer ${client.token}`, 'accept-encoding': encoding })
      .expect(200)
  const [plain, gzip] = [await get('identity'), await get('gzip')]
  expect([plain.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual([undefined, 'gzip'])
  expect(gzip.body).toEqual(plain.body)
})
