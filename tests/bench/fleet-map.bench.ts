import type { Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright'
import { encodePacket } from '../../apps/geo/src/ingest/teltonika/encode.ts'
import { launchWholeBrowser } from '../console/support/browser.ts'
import { fixAt } from '../geo/support/devices.ts'
import { openPerson, signInFor } from '../support/browser.ts'
import { machineLoad, median, percentile, rounded, rounds, spread, type Bench, type Figure } from './support/figure.ts'
import { openFleet, type Fleet } from './support/fleet.ts'
import { between, framesWhile } from './support/frames.ts'
import { listFigures, replayFigure, shareFigures } from './support/fleet-pages.ts'
import { countThreadTime } from './support/thread-time.ts'
import { dial } from './support/trackers.ts'

const assets = Number(process.env.BENCH_ASSETS ?? 10_000)
/** So many of them report over sockets of their own, each once in this time. */
const devices = Number(process.env.BENCH_DEVICES ?? 5_000)
const everyMs = 10_000
const moves = 60
/** However busy the machine is, what is measured ends. */
const [dragMs, followMs] = [8_000, 60_000]
/** A move that takes longer is none. */
const longestMs = 20_000

/** The live map in Chromium with 10,000 assets, while 5,000 trackers report; the replay of a long day; the page of a share link. */
export const bench: Bench = {
  name: 'fleet-map',
  leads: 0,
  run: async (house) => {
    const fleet = await openFleet(house, assets)
    const browser = await launchWholeBrowser()
    try {
      const { page } = await openPerson(browser, { url: fleet.url, width: 1600, height: 900 }).then(async (person) => {
        await signInFor(person, fleet.email, '/tracking/assets')
        return person
      })
      return [
        ...(await part('first paint of the live map', async () => [await firstPaint(page)])),
        ...(await part('live map while trackers report', () => underway(page, fleet))),
        ...(await part('lists', () => listFigures(house, fleet))),
        ...(await part('replay', async () => [await replayFigure(house, fleet, page)])),
        ...(await part('share link', () => shareFigures(browser, fleet, house))),
      ]
    } finally {
      await browser.close()
      await fleet.stop()
    }
  },
}

/** What fails is a figure of its own: the others are measured all the same. */
async function part(name: string, measure: () => Promise<Figure[]>): Promise<Figure[]> {
  try {
    return await measure()
  } catch (error) {
    console.error(error)
    return [
      { name, value: Number.NaN, unit: '', target: 'to run', detail: error instanceof Error ? error.message.slice(0, 200) : String(error) },
    ]
  }
}

/** From the address to the first vehicles on the map, by the page's own clock. */
async function firstPaint(page: Page): Promise<Figure> {
  const times: number[] = []
  const whole: number[] = []
  const busy: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const spent = await countThreadTime(page)
    await page.goto('/tracking/map')
    await page.locator('.map-cluster, .map-dot').first().waitFor()
    times.push(await page.evaluate(() => performance.now()))
    await allHere(page)
    whole.push(await page.evaluate(() => performance.now()))
    busy.push(await spent())
  }
  return {
    name: `first paint of the live map, ${assets} assets`,
    value: Math.round(median(times)),
    unit: 'ms',
    target: '<= 2000',
    detail: `${spread(times)}; all assets after ${Math.round(median(whole))} ms, main thread ${rounded(median(busy))} s of processor; ${rounds} rounds; ${machineLoad()}`,
  }
}

/** The heading counts them once all are there. */
const allHere = (page: Page) =>
  page
    .locator('.view-count', { hasText: new RegExp(`${assets.toLocaleString('en-GB').replace(',', ',?')} assets`) })
    .waitFor({ timeout: 120_000 })

async function underway(page: Page, fleet: Fleet): Promise<Figure[]> {
  const lines: Socket[] = []
  for (let first = 0; first < devices; first += 250)
    lines.push(
      ...(await Promise.all(Array.from({ length: Math.min(250, devices - first) }, (_, n) => dial(fleet.port, fleet.imeiOf(first + n))))),
    )
  const end = new AbortController()
  const driving = drive(lines.slice(1), end.signal)
  try {
    const drag = await dragged(page)
    return [...drag, await followed(page, fleet, lines[0])]
  } finally {
    end.abort()
    await driving
    for (const line of lines) line.destroy()
  }
}

/** Each of them sends a place in turn, all of them within ten seconds. */
async function drive(lines: readonly Socket[], signal: AbortSignal): Promise<void> {
  for (let round = 0; !signal.aborted; round += 1) {
    const begin = performance.now()
    for (const [at, line] of lines.entries()) {
      if (signal.aborted) return
      const pause = (at * everyMs) / lines.length - (performance.now() - begin)
      if (pause > 1) await wait(pause)
      const n = at + 1
      const latitude = -1.28 + Math.sin(n) * (n % 97) ** 2 * 0.00012 + round * 0.0005
      const longitude = 36.82 + Math.cos(n) * (n % 89) ** 2 * 0.00014
      line.write(encodePacket([fixAt(Date.now(), { latitude, longitude, speed: 40, attributes: { ignition: true, sat: 9 } })]))
    }
    await wait(Math.max(0, everyMs - (performance.now() - begin)))
  }
}

async function dragged(page: Page): Promise<Figure[]> {
  await page.goto('/tracking/map?map=-1.28,36.82,12')
  await page.locator('.map-cluster').first().waitFor()
  await allHere(page)
  const box = (await page.locator('.map-canvas').boundingBox()) ?? { x: 300, y: 300, width: 900, height: 500 }
  const middle = [box.x + box.width / 2, box.y + box.height / 2] as const
  const side = [middle[0] - 300, middle[1] - 120] as const
  const [spent, begun] = [await countThreadTime(page), performance.now()]
  const there = [...between(middle, side, 40), ...between(side, middle, 40)]
  const { fps, p95, worst } = await framesWhile(page, async () => {
    await page.mouse.move(...middle)
    await page.mouse.down()
    for (let step = 0; performance.now() - begun < dragMs; step += 1) {
      await page.mouse.move(...(there[step % there.length] ?? middle))
      await wait(16)
    }
    await page.mouse.up()
  })
  const share = Math.round((100_000 * (await spent())) / (performance.now() - begun))
  return [
    {
      name: `frames a second while the live map is dragged, ${assets} assets, ${devices} report`,
      value: fps,
      unit: 'fps',
      target: '>= 30',
      detail: `p95 frame ${p95} ms, longest ${worst} ms; main thread ${share} % busy; ${machineLoad()}`,
    },
  ]
}

/** A vehicle by itself is watched close by: from the bytes on its line to the frame in which its marker is elsewhere. */
async function followed(page: Page, fleet: Fleet, line: Socket | undefined): Promise<Figure> {
  const own = fleet.assets[0]?.assetId ?? ''
  const home = { latitude: -2.6, longitude: 35.4 }
  const report = (step: number) =>
    line?.write(
      encodePacket([
        fixAt(Date.now(), { ...home, latitude: home.latitude + (step % 2) * 0.001, speed: 40, attributes: { ignition: true, sat: 9 } }),
      ]),
    )
  report(0)
  await page.goto(`/tracking/map?asset=${own}&map=${home.latitude},${home.longitude},16`)
  await page.locator('.map-selected').waitFor()
  await wait(1_500)
  const times: number[] = []
  const begun = performance.now()
  for (let step = 1; step <= moves && performance.now() - begun < followMs; step += 1) {
    // In each frame: the marker may get another element meanwhile.
    const moved = page.evaluate(
      (longest) =>
        new Promise<number>((done, refuse) => {
          const placeOf = () => document.querySelector<HTMLElement>('.map-selected')?.style.transform
          const [former, begun] = [placeOf(), performance.now()]
          const look = (now: number) => {
            if (placeOf() !== former) done(performance.timeOrigin + performance.now())
            else if (now - begun > longest) refuse(new Error('the marker stood still'))
            else requestAnimationFrame(look)
          }
          requestAnimationFrame(look)
        }),
      longestMs,
    )
    await page.evaluate(() => undefined)
    const sent = performance.timeOrigin + performance.now()
    report(step)
    times.push((await moved) - sent)
    // At any time of the half second in which the map draws.
    await wait(150 + ((step * 137) % 500))
  }
  return {
    name: `position to moved marker in Chromium, p95, ${devices} devices`,
    value: Math.round(percentile(times, 0.95)),
    unit: 'ms',
    target: '<= 1000',
    detail: `p50 ${Math.round(median(times))} ms, longest ${Math.round(Math.max(...times))} ms of ${times.length} moves; ${rounded((devices * 1_000) / everyMs)} reports a second beside it; ${machineLoad()}`,
  }
}
