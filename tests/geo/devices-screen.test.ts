import { rm } from 'node:fs/promises'
import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAreas } from '../../apps/server/src/areas/index.ts'
import { buildConsole } from '../console/support/build.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { expectSound, settle } from '../e2e/support/look.ts'
import { openPerson, signInFor } from '../support/browser.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

let stack: GeoStack
let browser: Browser
let url: string
let folder: string

beforeAll(async () => {
  folder = await buildConsole()
  stack = await geoStack({}, { CONSOLE_DIST: folder }, (machine, geo) => [
    ...createAreas(machine).filter(({ name }) => name !== 'geo'),
    geo,
  ])
  url = await stack.app.listen()
  browser = await launchBrowser()
})
afterAll(async () => {
  await browser.close()
  await stack.close()
  if (!process.env.CONSOLE_DIST) await rm(folder, { recursive: true, force: true })
})

test('devices of the geo service are listed, added, filtered, read and changed like records of our own, and their screen says when the service is away', async () => {
  const { make, as } = stack.app
  const company = await make.company({ name: 'Sunrise' })
  const user = await make.user({ company, role: 'admin', firstName: 'Asha', lastName: 'Admin' })
  const api = await as(user)
  for (const [name, disabled] of [
    ['KDA 001A', false],
    ['KDB 002B', true],
  ] as const) {
    const { status, text } = await api.post('/api/tracking/devices', { name, uniqueId: name.replaceAll(' ', ''), disabled })
    expect(status, text).toBe(200)
  }
  const person = await openPerson(browser, { url, width: 1440, height: 900 })
  const { page } = person
  await signInFor(person, user.emailAddress, '/tracking/devices')
  await page.getByRole('row', { name: /KDA 001A/ }).waitFor()
  await page.getByRole('row', { name: /KDB 002B.*Switched off/ }).waitFor()
  await settle(person)
  await expectSound(person, 'list')

  person.allow(/422/, 'the service refuses the identifier')
  await page.getByRole('link', { name: 'New', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('KDC 003C')
  await page.getByLabel('Identifier').fill('has spaces')
  await page.getByRole('button', { name: 'Save' }).click()
  await page
    .getByText(/may hold letters, digits/)
    .first()
    .waitFor()
  await page.getByLabel('Identifier').fill('KDC003C')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/tracking/devices')
  await page.getByRole('row', { name: /KDC 003C/ }).waitFor()

  const filter = JSON.stringify([{ field: 'status', op: 'in', value: ['disabled'] }])
  await page.goto(`/tracking/devices?filter=${encodeURIComponent(filter)}`)
  await page.getByRole('row', { name: /KDB 002B/ }).waitFor()
  expect(await page.getByRole('row', { name: /KDA|KDC/ }).count()).toBe(0)

  const { body } = await api.get<{ devices: { Id: string }[] }>('/api/tracking/devices?search=KDA')
  await page.goto(`/tracking/devices/${body.data.devices[0]?.Id}/view`)
  await page.getByRole('heading', { name: 'KDA 001A' }).waitFor()
  await settle(person)
  await expectSound(person, 'detail')

  await stack.closeGeo()
  person.allow(/503/, 'the service is away')
  await page.goto('/tracking/devices')
  await page.getByRole('alert').filter({ hasText: 'The tracking service does not answer at present.' }).waitFor()
  await page.getByRole('button', { name: 'Retry' }).waitFor()
  expect(person.faults).toEqual([])
  await person.context.close()
})
