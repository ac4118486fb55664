import { expect, it } from 'vitest'
import { signInOfficer, waitForStores } from './support/officer.ts'
import { useSite } from './support/site.ts'

const site = useSite()

interface Told {
  Id: string
  entityType: string
  errorDetail: string
}

it('what breaks in the console is reported to the office once, without persons, and kept while there is no connection', async () => {
  const told: Told[] = []
  const { page, setOffline, faults } = await signInOfficer(site, {
    answers: {
      'POST /api/error_log': (route) => {
        told.push(route.request().postDataJSON() as Told)
        return { errorLog: { Id: (route.request().postDataJSON() as Told).Id } }
      },
    },
  })
  await waitForStores(page)
  const breakDown = (words: string) =>
    page.evaluate((message) => {
      setTimeout(() => {
        throw new TypeError(message)
      })
    }, words)
  await breakDown('no balance of amina@example.com')
  await expect.poll(() => told.length).toBe(1)
  await breakDown('no balance of amina@example.com')
  await setOffline(true)
  // It is on the device before it is sent, so a page that goes away while it is being sent loses nothing.
  const unsent = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/api/error_log'))
  await breakDown('no way to 0722 000 001')
  await unsent
  await page.reload()
  await page.getByRole('heading', { name: 'My Work' }).waitFor()
  expect(told).toHaveLength(1)
  await setOffline(false)
  await page.evaluate(() => dispatchEvent(new Event('online')))
  await expect.poll(() => told.length).toBe(2)
  const details = told.map(({ errorDetail }) => JSON.parse(errorDetail) as { message: string; screen: string; before: { what: string }[] })
  expect(details.map(({ message }) => message)).toEqual(['TypeError: no balance of :e-mail', 'TypeError: no way to :number'])
  expect(details[0]?.screen).toBe('/agents/landingpage')
  expect(details[0]?.before.map(({ what }) => what)).toContain('auth.ticket 200')
  expect(told.map(({ entityType }) => entityType)).toEqual(['console', 'console'])
  // They were meant to break.
  expect(faults.splice(0).filter((fault) => !/no balance|no way/.test(fault))).toEqual([])
})
