import type { Browser, BrowserContext, Page } from 'playwright'
import { demoPassword } from '../../prisma/seed/tree.ts'
import { launchWholeBrowser } from '../console/support/browser.ts'
import { machineLoad, median, rounded, spread, type Bench, type Figure } from './support/figure.ts'
import type { House } from './support/house.ts'

/** A line of 4 Mbit/s and 150 ms, in bytes a second. */
const slow = { offline: false, latency: 150, downloadThroughput: 500_000, uploadThroughput: 500_000 }
const rounds = 3
const list = '/sales/leads'

/** What travels, and how long it takes over such a line: the login of a stranger, and the first list with an empty and a filled cache, and on a device that knows us. */
export const bench: Bench = {
  name: 'line',
  leads: 1_000,
  run: async (house) => {
    const browser = await launchWholeBrowser()
    try {
      const [login, cold, warm, again]: Visit[][] = [[], [], [], []]
      for (let round = 0; round < rounds; round += 1) {
        // Whoever is signed in keeps the session and loses the cache: a console that is new to this device.
        const signedIn = await stateOf(browser, house)
        login?.push(await visit(await open(browser, house), '/', (page) => page.getByRole('textbox', { name: /e-?mail/i }).waitFor()))
        const context = await open(browser, house, signedIn)
        const row = (page: Page) => page.locator('.ant-table-row').first().waitFor()
        cold?.push(await visit(context, list, row, true))
        warm?.push(await visit(context, list, row))
        again?.push(await visit(await knownDevice(browser, house), list, row))
      }
      return [
        figure('login over 4 Mbit/s and 150 ms', '<= 2.5', login),
        figure('first list over 4 Mbit/s and 150 ms, cold', '<= 4', cold),
        figure('first list over 4 Mbit/s and 150 ms, with a full cache and no service worker', undefined, warm),
        figure('first list over 4 Mbit/s and 150 ms, warm', '<= 1', again),
      ]
    } finally {
      await browser.close()
    }
  },
}

interface Visit {
  seconds: number
  bytes: number
}

const figure = (name: string, target: string | undefined, visits: readonly Visit[] = []): Figure => ({
  name,
  value: rounded(median(visits.map(({ seconds }) => seconds))),
  unit: 's',
  ...(target === undefined ? {} : { target }),
  detail: `${spread(
    visits.map(({ seconds }) => seconds),
    ' s',
  )}, ${Math.round(median(visits.map(({ bytes }) => bytes)) / 1_000)} kB over the line; ${machineLoad()}`,
})

type State = Awaited<ReturnType<BrowserContext['storageState']>>
async function stateOf(browser: Browser, house: House): Promise<State> {
  const context = await open(browser, house)
  const page = await context.newPage()
  await page.goto('/')
  await page.getByRole('textbox', { name: /e-?mail/i }).fill('md@sunrise.test')
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.getByRole('button', { name: /sign in|log in/i }).click()
  await page.getByRole('navigation').first().waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** A device on which somebody has worked in this console: its service worker is there, as after every first visit. */
async function knownDevice(browser: Browser, house: House): Promise<BrowserContext> {
  const context = await open(browser, house, await stateOf(browser, house), 'allow')
  const page = await context.newPage()
  await page.goto(list)
  await page.locator('.ant-table-row').first().waitFor()
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  await page.waitForLoadState('networkidle')
  await page.close()
  return context
}

/** Where nothing is said, without a service worker: it would fetch the whole console in the background. */
const open = (browser: Browser, house: House, storageState?: State, serviceWorkers: 'allow' | 'block' = 'block'): Promise<BrowserContext> =>
  browser.newContext({
    baseURL: house.url,
    viewport: { width: 1280, height: 800 },
    serviceWorkers,
    locale: 'en-GB',
    ...(storageState ? { storageState } : {}),
  })

/** From the address to what is waited for, and the bytes that came over the line until then. */
async function visit(context: BrowserContext, path: string, usable: (page: Page) => Promise<unknown>, isKept = false): Promise<Visit> {
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', slow)
  let bytes = 0
  session.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength
  })
  const start = performance.now()
  await page.goto(path, { waitUntil: 'commit' })
  await usable(page)
  const seconds = (performance.now() - start) / 1_000
  await page.waitForLoadState('networkidle')
  const cost = { seconds, bytes }
  await (isKept ? page.close() : context.close())
  return cost
}
