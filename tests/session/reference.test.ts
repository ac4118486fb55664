import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { authArea } from '../../apps/server/src/areas/auth/index.ts'
import { findViolations, launchBrowser } from '../console/support/browser.ts'
import { testApp, type TestApp } from '../support/app.ts'
import { demoPassword } from '../support/make.ts'

let app: TestApp
let url = ''
let browser: Browser
beforeAll(async () => {
  app = await testApp({ areas: (machine) => [authArea(machine)] })
  url = await app.listen()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await app.close()
})

it('the page, its script and the library come under the policy of pages, and say nothing of the API', async () => {
  const browserless = await app.browser()
  for (const path of ['/reference', '/reference/start.js', '/reference/library/js/scalar.js']) {
    const answer = await browserless.get(path).expect(200)
    expect(answer.headers['content-security-policy']).toMatch(/default-src 'none'; script-src 'self';/)
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  }
  const page = await browserless.get('/reference')
  // Scripts are files of ours: none is inline.
  expect(page.text.match(/<script[^>]*>/g)?.every((tag) => / src="\/reference\//.test(tag))).toBe(true)
  expect(page.text).not.toContain('/api/')
  // The package's own page, with its script in the text, leads to ours.
  for (const path of ['/reference/library/', '/reference/library']) {
    const answer = await browserless
      .get(path)
      .redirects(0)
      .ok(() => true)
    expect(answer.status).toBeGreaterThanOrEqual(300)
    expect(answer.status).toBeLessThan(400)
  }
  await browserless.get('/api/openapi.json').expect(401)
})

it('a browser that is not signed in sees no call; signed in it draws them all, and asks no other site', async () => {
  const user = await app.make.user()
  const context = await browser.newContext({ baseURL: url })
  const page = await context.newPage()
  const asked: string[] = []
  const faults: string[] = []
  page.on('request', (request) => void asked.push(request.url()))
  page.on('console', (message) => void (/Content Security Policy/i.test(message.text()) && faults.push(message.text())))
  page.on('pageerror', (error) => void faults.push(error.message))
  await page.goto('/reference')
  await page.getByRole('link', { name: 'Sign in' }).waitFor()
  expect(await findViolations(page)).toEqual([])
  expect(asked.some((one) => one.includes('openapi.json'))).toBe(false)

  const login = await context.request.post('/api/auth/login', { data: { email: user.emailAddress, password: demoPassword } })
  expect(login.status()).toBe(200)
  await page.goto('/reference')
  await page.getByRole('heading', { name: 'Outpost', exact: true }).first().waitFor()
  await page.getByText('auth.login', { exact: true }).first().or(page.getByText('/api/auth/login').first()).first().waitFor()
  if (process.env['SHOT']) await page.screenshot({ path: process.env['SHOT'] })
  expect(asked.filter((one) => /^(http|ws)/.test(one) && new URL(one).host !== new URL(url).host)).toEqual([])
  expect(faults).toEqual([])
  await context.close()
})
