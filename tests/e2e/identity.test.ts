import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { png } from '../support/form.ts'
import { metadataXml, requestOf, respond, signOutQuery, sloOf } from '../support/identity-provider.ts'
import { expectSound, settle } from './support/look.ts'
import type { Person } from '../support/browser.ts'
import { usePeople } from './support/people.ts'

const { enter, meet } = usePeople()
/** An identity provider whose people are signed in already: it sends every visitor back with a response. */
let provider: Server
/** What it says differently. */
let otherwise: { nameId?: string } = {}
/** Its last response, as an administrator would copy it out of the browser. */
let sent = ''
beforeAll(async () => {
  provider = createServer((request, response) => {
    const asked = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (!asked.searchParams.has('SAMLRequest')) return void response.end()
    if (asked.pathname === '/slo') {
      const slo = aim.recipient.replace(/acs$/, 'slo')
      const answer = signOutQuery({ destination: slo, inResponseTo: requestOf(asked.href) })
      return void response.writeHead(302, { location: `${new URL(new URL(slo).pathname, inject('outpostUrl'))}?${answer}` }).end()
    }
    sent = respond({
      ...aim,
      inResponseTo: requestOf(asked.href),
      nameId: 'n-wanjiru',
      attributes: { email: ['wanjiru@sunrise.test'], firstName: ['Wanjiru'], lastName: ['Kamau'], groups: ['sellers'] },
      ...otherwise,
    })
    const field = `<input type="hidden" name="SAMLResponse" value="${sent}">`
    response.setHeader('content-type', 'text/html')
    response.end(
      `<title>Sign in</title><form method="post" action="${new URL(new URL(aim.recipient).pathname, inject('outpostUrl'))}">${field}<button>Go back to Outpost</button></form>`,
    )
  })
  await new Promise<void>((resolve) => void provider.listen(0, '127.0.0.1', resolve))
})
afterAll(() => new Promise((resolve) => void provider.close(resolve)))
let aim = { audience: '', recipient: '' }

it('an administrator connects an identity provider, and somebody new signs in by it', async () => {
  const person = await enter('admin@sunrise.test', '/admin/saml/add')
  const { page } = person
  const url = `http://127.0.0.1:${(provider.address() as AddressInfo).port}/sso`
  await page.getByLabel('Name', { exact: true }).fill('Sunrise account')
  const chosen = page.waitForEvent('filechooser')
  await page.getByRole('button', { name: 'Choose a file' }).click()
  await (
    await chosen
  ).setFiles({
    name: 'metadata.xml',
    mimeType: 'text/xml',
    buffer: Buffer.from(metadataXml({ url, slo: sloOf(url.replace('/sso', '/slo')) })),
  })
  await page.getByRole('checkbox', { name: 'Make new users' }).click()
  await choose('New users work in', 'Sunrise Credit')
  await choose('Role without such a value', 'Loan Officer')
  await expectSound(person, 'form of an identity provider')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('link', { name: 'Sunrise account' }).first().click()
  await settle(person)
  await openTab('Certificates')
  await page.getByText('CN=idp.idp.test').waitFor()
  await openTab('For the identity provider')
  const recipient = (
    await page
      .getByText(/\/api\/auth\/saml\/[^/]+\/acs$/)
      .first()
      .innerText()
  ).trim()
  aim = { recipient, audience: recipient.replace(/acs$/, 'metadata') }
  await expectSound(person, 'an identity provider')

  const visitor = await meet({ width: 360, height: 740, scheme: 'dark' })
  await visitor.page.goto('/login')
  await visitor.page.getByRole('link', { name: 'Single sign-on' }).click()
  await visitor.page.getByRole('button', { name: 'Continue with Sunrise account' }).waitFor()
  await expectSound(visitor, 'single sign-on')
  await visitor.page.getByRole('button', { name: 'Continue with Sunrise account' }).click()
  await visitor.page.getByRole('button', { name: 'Go back to Outpost' }).click()
  await visitor.page.waitForURL((now) => now.pathname === '/agents/landingpage')
  expect(new URL(visitor.page.url()).origin).toBe(new URL(inject('outpostUrl')).origin)

  await confirmsThere(visitor)

  visitor.allow(/WebSocket/, 'its ticket ended with the session, when the page of the sign-out opened it in the same moment')
  // Signing out goes on to the provider, and comes back when nobody is signed in there any more.
  const left = visitor.page.waitForRequest((request) => new URL(request.url()).pathname === '/slo')
  const back = visitor.page.waitForResponse(
    (response) => new URL(response.url()).pathname.endsWith('/slo') && response.status() === 302 && response.url().includes('SAMLResponse'),
  )
  await visitor.page.goto('/logout')
  await left
  expect((await back).headers()['location']).toBe('/login')
  await visitor.page.getByRole('link', { name: 'Single sign-on' }).waitFor()

  await page.goto(page.url().replace('/view/', '/try/'))
  await page.getByLabel('Response').fill(sent)
  await page.getByRole('button', { name: 'Try it' }).click()
  await page.getByText('It would sign this person in').waitFor()
  await page.getByText('Wanjiru Kamau (known from before)').waitFor()
  await expectSound(person, 'trial of a response')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectSound(person, 'trial of a response on a phone')

  /** Without a password of their own: a sign-in anew at the provider opens what asks for one. */
  async function confirmsThere(someone: Person): Promise<void> {
    const card = someone.page.getByRole('region', { name: 'Second factor' })
    const confirm = card.getByRole('button', { name: 'Confirm at Sunrise account' })
    await someone.page.goto('/profile')
    await card.getByRole('button', { name: 'Set up' }).click()
    await confirm.waitFor()
    expect(await card.getByLabel('Your password').count()).toBe(0)
    await card.getByRole('button', { name: 'Continue' }).click()
    await card.getByText('Confirm that it is you first.').waitFor()
    await expectSound(someone, 'a second factor without a password')
    otherwise = { nameId: 'n-somebody-else' }
    await confirm.click()
    await someone.page.getByRole('button', { name: 'Go back to Outpost' }).click()
    await card.getByText('Your organisation’s sign-in was not accepted here.').waitFor()
    otherwise = {}
    await confirm.click()
    await someone.page.getByRole('button', { name: 'Go back to Outpost' }).click()
    await card.getByText('You confirmed at Sunrise account that it is you.').waitFor()
    expect(new URL(someone.page.url()).search).toBe('')
    await expectSound(someone, 'a second factor that is confirmed')
    await card.getByRole('button', { name: 'Continue' }).click()
    await card.getByText('Enter this key:').waitFor()
  }
  async function openTab(name: string): Promise<void> {
    await page.getByRole('tab', { name }).or(page.getByRole('link', { name })).first().click()
  }
  async function choose(label: string, option: string): Promise<void> {
    await page.getByRole('combobox', { name: label }).click()
    await page.getByRole('combobox', { name: label }).fill(option)
    await page.locator('.ant-select-item-option:visible').filter({ hasText: option }).first().click()
  }
})

it('users come from a file after their rows were judged, are invited, and wait for their password in the list', async () => {
  const person = await enter('admin@sunrise.test', '/admin/users/list')
  const { page } = person
  await page
    .getByRole('link', { name: 'Import' })
    .or(page.getByRole('button', { name: 'Import' }))
    .first()
    .click()
  await page.getByRole('heading', { name: 'Import users' }).waitFor()
  await expectSound(person, 'import of users')
  const head = 'First name,Last name,E-mail,Roles'
  await give(`${head}\nAkinyi,Were,akinyi@sunrise.test,Loan Officer\nBahati,Were,admin@sunrise.test,`)
  await page.getByRole('heading', { name: /1 row has to be put right first/ }).waitFor()
  await page.getByText('emailAddress: is taken by another user').waitFor()
  await expectSound(person, 'rows that are refused')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectSound(person, 'rows that are refused, on a phone')
  await page.setViewportSize({ width: 1440, height: 900 })
  await give(`${head}\nAkinyi,Were,akinyi@sunrise.test,Loan Officer\nBahati,Were,bahati@sunrise.test,`)
  await page.getByRole('button', { name: 'Make and invite 2 users' }).click()
  await page.waitForURL((now) => now.pathname === '/admin/users/list')
  await settle(person)
  const row = page.getByRole('row').filter({ hasText: 'Akinyi Were' })
  await row.getByText('Invited', { exact: true }).waitFor()

  async function give(text: string): Promise<void> {
    const chosen = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: /^Choose (a|another) file$/ }).click()
    await (await chosen).setFiles({ name: 'people.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })
  }
})

it('a person gets a picture and a right of their own, and two roles are set side by side', async () => {
  const officer = await enter('officer@sunrise.test', '/profile')
  const chosen = officer.page.waitForEvent('filechooser')
  await officer.page.getByRole('button', { name: 'Choose a picture' }).click()
  await (await chosen).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: png })
  await officer.page.getByRole('img', { name: 'Your picture' }).waitFor()
  await officer.page.locator('.o-top-profile img').waitFor()
  await expectSound(officer, 'profile with a picture')

  const person = await enter('admin@sunrise.test', '/admin/users/list?search=officer@sunrise.test')
  const { page } = person
  const row = page.getByRole('row').filter({ hasText: 'officer@sunrise.test' }).first()
  await row.getByRole('img', { name: 'Picture' }).waitFor()
  await row.getByRole('link').first().click()
  await settle(person)
  const view = page.url()
  await page.goto(view.replace(/\/view\//, '/edit/'))
  await settle(person)
  await page.getByLabel('Search permissions').fill('SALES/CASES')
  await page.getByRole('button', { name: 'All of SALES/CASES' }).click()
  await expectSound(person, 'form of a user with own permissions')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('User updated successfully').first().waitFor()
  await page.goto(view.replace(/\/edit\//, '/view/'))
  await settle(person)
  await page
    .getByRole('tab', { name: 'Rights' })
    .or(page.getByRole('link', { name: 'Rights', exact: true }))
    .first()
    .click()
  await page.getByRole('row').filter({ hasText: 'Given to this person' }).filter({ hasText: 'SALES/CASES' }).first().waitFor()
  await page.getByRole('row').filter({ hasText: 'Role Loan Officer' }).first().waitFor()
  await expectSound(person, 'rights of a user')

  await page.goto('/admin/roles/list')
  await settle(person)
  const role = page.getByRole('row').filter({ hasText: 'Loan Officer' })
  await role
    .getByRole('button', { name: /more|actions/i })
    .first()
    .click()
  await page.getByRole('menuitem', { name: 'Compare' }).click()
  await page.getByRole('heading', { name: 'Compare roles' }).waitFor()
  await page.getByRole('combobox', { name: 'Role to compare with' }).click()
  await page.locator('.ant-select-item-option:visible').filter({ hasText: 'Branch Manager' }).click()
  await page.getByText(/rights? differ/).waitFor()
  await expectSound(person, 'two roles side by side')
  await page.setViewportSize({ width: 360, height: 740 })
  await expectSound(person, 'two roles on a phone')
})
