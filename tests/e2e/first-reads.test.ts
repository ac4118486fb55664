import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { settle } from './support/look.ts'
import { usePeople } from './support/people.ts'

const people = usePeople()

it('a list that was looked at before asks for its rows together with the layout, before the program is there, and once', async () => {
  const person = await people.enter('md@sunrise.test', '/sales/leads')
  const { page } = person
  const row = page.locator('.ant-table-row').first()
  // Signing in came by another address: this visit is the one that is remembered.
  await page.reload()
  await row.waitFor()
  await settle(person)
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  let release: () => void = () => undefined
  const held = new Promise<void>((done) => {
    release = done
  })
  await page.route('**/api/console', async (route) => {
    await held
    await route.continue()
  })
  // The layout says which screens there are: without it nobody but the boot script knows of rows.
  await Promise.all([
    page.waitForRequest((request) => new URL(request.url()).pathname === '/api/leads'),
    page.reload({ waitUntil: 'commit' }),
  ])
  await expect.poll(() => asked).toContain('/api/console')
  release()
  await row.waitFor()
  await settle(person)
  expect(asked.filter((path) => ['/api/leads', '/api/views', '/api/console/screens/sales-leads'].includes(path)).toSorted()).toEqual([
    '/api/console/screens/sales-leads',
    '/api/leads',
    '/api/views',
  ])
})

it('what is behind the sign-in is loaded beside what comes before it, while the layout is still asked for, and is compiled on the way', async () => {
  const person = await people.enter('md@sunrise.test', '/sales/leads')
  const { page } = person
  await settle(person)
  await page.route('**/api/console', () => new Promise(() => undefined))
  await page.reload({ waitUntil: 'domcontentloaded' })
  const ahead = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload], link[rel=preload]')].map(({ href }) => href),
    )
  const named = (await ahead()).map((href) => new URL(href).pathname.replace(/^\/assets\/|-[^/]*$/g, ''))
  expect(named).toEqual(expect.arrayContaining(['start', 'shell', 'list', 'view', 'records']))
  for (const href of await ahead()) {
    const [answer, isCode] = [await page.request.get(href), href.endsWith('.js') && !href.includes('runtime')]
    expect(answer.status(), href).toBe(200)
    if (isCode) expect((await answer.text()).startsWith('//# allFunctionsCalledOnLoad\n'), href).toBe(true)
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

it('six tabs that are opened and loaded anew at once share one session, and all stay in it', async () => {
  const { page } = await people.enter('md@sunrise.test', '/sales/leads')
  const tabs = [page, ...(await Promise.all(Array.from({ length: 5 }, () => page.context().newPage())))]
  const areIn = () => Promise.all(tabs.map((tab) => tab.locator('.ant-table-row').first().waitFor()))
  const reload = (tab: Page) => tab.reload({ waitUntil: 'commit' }).catch(() => undefined)
  await Promise.all(tabs.slice(1).map((tab) => tab.goto('/sales/leads')))
  await areIn()
  for (let round = 0; round < 3; round += 1) {
    // Some are gone before the answer to their refresh is here: the next page of the same tab asks once more.
    for (const tab of tabs.slice(3)) void reload(tab)
    await Promise.all(tabs.map(reload))
    await areIn()
  }
  await Promise.all(tabs.slice(1).map((tab) => tab.close()))
})
