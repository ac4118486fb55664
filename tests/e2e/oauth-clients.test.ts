import { createHash, randomBytes } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { expectSound, settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const { enter, meet } = usePeople()
let partner: Server
beforeAll(async () => {
  partner = createServer(
    (_request, response) => void response.setHeader('content-type', 'text/html').end('<title>x</title><h1>Back at Payroll</h1>'),
  )
  await new Promise<void>((resolve) => void partner.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => void partner.close(resolve)))

it('an administrator sets a program up, which then signs a person in with a code and its secret', async () => {
  const redirectUri = `http://127.0.0.1:${(partner.address() as AddressInfo).port}/back`
  const person = await enter('admin@sunrise.test', '/admin/oauth-clients/create')
  const { page } = person
  await page.getByLabel('Name', { exact: true }).fill('Payroll portal')
  await page.getByRole('combobox', { name: 'Type' }).click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: 'Confidential' }).click()
  await page.getByRole('combobox', { name: 'Redirect addresses' }).fill(redirectUri)
  await page.keyboard.press('Enter')
  await expectSound(person, 'form of an OAuth client')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Payroll portal' }).first().click()
  await settle(person)
  await page.getByRole('button', { name: 'New secret', exact: true }).first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'New secret' }).click()
  const secret = page.getByRole('textbox', { name: 'The new secret' })
  await secret.waitFor()
  const clientSecret = await secret.inputValue()
  expect(clientSecret).toMatch(/^ocs_/)
  await page.getByRole('button', { name: 'I have stored it' }).click()
  const clientId = /oc_[0-9a-f]{24}/.exec(await page.locator('main').innerText())?.[0] ?? expect.fail('no client id on the page')
  await page.setViewportSize({ width: 360, height: 740 })
  await settle(person)
  await expectSound(person, 'an OAuth client on a phone')

  const codeVerifier = randomBytes(32).toString('base64url')
  const visitor = await meet({ width: 360, height: 740, scheme: 'dark' })
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
    state: 'a b',
  })
  await visitor.page.goto(`/login/oauth/authorize?${query}`)
  await visitor.page.getByText('Payroll portal').waitFor()
  await expectSound(visitor, 'sign-in for a program')
  await visitor.page.getByLabel('E-mail or user name').fill('officer@sunrise.test')
  await visitor.page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await visitor.page.getByRole('button', { name: 'Sign in' }).click()
  await visitor.page.getByRole('heading', { name: 'Back at Payroll' }).waitFor()
  const back = new URL(visitor.page.url())
  expect(back.searchParams.get('state')).toBe('a b')
  const answer = await fetch(new URL('/api/auth/token', inject('outpostUrl')), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-native': '1' },
    body: JSON.stringify({ email: 'officer@sunrise.test', token: back.searchParams.get('token'), codeVerifier, clientId, clientSecret }),
  })
  expect(answer.status).toBe(200)
})
