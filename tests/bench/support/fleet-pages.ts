import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright'
import { machineLoad, median, percentile, rounded, rounds, spread, type Figure } from './figure.ts'
import type { Fleet } from './fleet.ts'
import type { House } from './house.ts'
import { countThreadTime } from './thread-time.ts'

const messages = 86_400

/** A day with a message each second: from the address to the way on the map and the scrubber, by the page's own clock. */
export async function replayFigure({ admin }: House, { company, assets }: Fleet, page: Page): Promise<Figure> {
  const { assetId, deviceId } = assets[1] ?? { assetId: '', deviceId: '' }
  await admin.query(
    `insert into geo.position ("companyId", "deviceId", "fixTime", "latitude", "longitude", "speed", "course", "isValid", "more")
    select $1, $2, date_trunc('day', now() - interval '1 day') - interval '3 hours' + n * interval '1 second', -1.28 + sin(n / 9000.0) * 0.2, 36.8 + n * 5e-6, n % 90, n % 360, true, '{"ignition":true,"sat":12,"power":12.6,"odometer":1000}'
    from generate_series(0, ${messages - 1}) n`,
    [company.id, deviceId],
  )
  await admin.query('analyze geo.position')
  const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const [times, busy]: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round += 1) {
    const spent = await countThreadTime(page)
    await page.goto(`/tracking/replay/${assetId}/${date}`)
    await page.getByRole('slider', { name: 'Time of day' }).waitFor()
    await page.locator('.map-viewport path').first().waitFor({ state: 'attached' })
    times.push(
      await page.evaluate(
        () => new Promise<number>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())))),
      ),
    )
    busy.push(await spent())
    // The whole day is fetched now; the next opening would wait for the rest of it.
    await page.waitForLoadState('networkidle')
  }
  return {
    name: `first frame of the replay, ${messages} points`,
    value: Math.round(median(times)),
    unit: 'ms',
    target: '<= 1500',
    detail: `${spread(times)} in ${rounds} rounds; main thread ${rounded(median(busy))} s of processor; ${machineLoad()}`,
  }
}

/** What a customer's phone loads to see where a vehicle is, and when it sees it. */
export async function shareFigures(browser: Browser, fleet: Fleet, house: House): Promise<Figure[]> {
  const headers = await house.signIn(fleet.email)
  const body = JSON.stringify({
    assetInfoId: fleet.assets[1]?.assetId,
    expireDate: new Date(Date.now() + 86_400_000).toISOString(),
    showsSpeed: true,
    showsTrail: true,
  })
  const { status, text } = await house.call({ url: fleet.url, path: '/api/geo/asset/share-links', method: 'POST', headers, body })
  if (status !== 200) throw new Error(`share link: ${status} ${text.slice(0, 200)}`)
  const { link } = (JSON.parse(text) as { data: { link: string } }).data
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, deviceScaleFactor: 2 })
  const page = await context.newPage()
  const sizes: Promise<number>[] = []
  page.on('response', (answer) => sizes.push(answer.body().then((bytes) => gzipSync(bytes, { level: 6 }).length)))
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  const address = new URL(new URL(link, fleet.url).pathname, fleet.url).href
  const paints: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round += 1) {
    sizes.length = 0
    await page.goto(address, { waitUntil: 'networkidle' })
    bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    paints.push(
      await page.evaluate(
        () =>
          new Promise<number>((done) => {
            new PerformanceObserver((entries) => done(entries.getEntries().at(-1)?.startTime ?? Number.NaN)).observe({
              type: 'largest-contentful-paint',
              buffered: true,
            })
          }),
      ),
    )
  }
  await context.close()
  return [
    { name: 'page of a share link, gzipped, with all it loads', value: Math.round(bytes / 100) / 10, unit: 'kB', target: '<= 60' },
    {
      name: 'largest paint of a share link at 4x CPU',
      value: Math.round(median(paints)),
      unit: 'ms',
      target: '<= 1500',
      detail: `${spread(paints)} in ${rounds} rounds; ${machineLoad()}`,
    },
  ]
}

const lists = {
  'assets with their devices and places': '/api/geo/asset?',
  devices: '/api/tracking/devices?',
} as const

/** Lists that the geo service has a part in, page by page: the first, one far back, and a search. */
export async function listFigures(house: House, { url, email, assets }: Fleet): Promise<Figure[]> {
  const headers = await house.signIn(email)
  const pages = ['page=1&size=100', `page=${Math.floor(assets.length / 100)}&size=100`, 'page=1&size=100&search=00042']
  const figures: Figure[] = []
  for (const [name, path] of Object.entries(lists)) {
    const times: number[] = []
    for (let at = 0; at < 60 + pages.length; at += 1) {
      const { status, text, ms } = await house.call({ url, path: path + pages[at % pages.length], headers })
      if (status !== 200) throw new Error(`${name}: ${status} ${text.slice(0, 200)}`)
      // The first round prepares the statements.
      if (at >= pages.length) times.push(ms)
    }
    figures.push({
      name: `list of ${assets.length} ${name}, p95`,
      value: rounded(percentile(times, 0.95)),
      unit: 'ms',
      target: '<= 150',
      detail: `p50 ${rounded(median(times))} ms; pages of 100 through HTTP: first, last, search; ${machineLoad()}`,
    })
  }
  return figures
}
