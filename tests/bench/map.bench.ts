import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { launchWholeBrowser, openPage } from '../console/support/browser.ts'
import { buildConsole } from '../console/support/build.ts'
import { laidServer, placed } from '../console/support/layouts.ts'
import { serveConsole } from '../console/support/serve.ts'
import { makeLeads, viewLayout } from '../console/support/views.ts'
import type { Bench, Figure } from './support/figure.ts'
import { between, dragAlong, framesWhile } from './support/frames.ts'

const points = 10_000

/** A map of 10,000 points in Chromium: it is dragged about and zoomed; and what its code weighs. */
export const bench: Bench = {
  name: 'map',
  leads: 0,
  run: async () => {
    const dist = await buildConsole()
    const site = await serveConsole(dist)
    const browser = await launchWholeBrowser()
    try {
      // Every tenth lead has no position.
      const { page } = await openPage(browser, {
        url: site.url,
        layout: viewLayout(),
        width: 1600,
        height: 900,
        answers: laidServer(placed(makeLeads(Math.ceil(points / 0.9)))),
      })
      await page.goto('/sales/leads?layout=map')
      await page.locator('.map-cluster').first().waitFor()
      const box = (await page.locator('.map-canvas').boundingBox()) ?? { x: 300, y: 300, width: 900, height: 500 }
      const middle = [box.x + box.width / 2, box.y + box.height / 2] as const
      const side = [middle[0] - 300, middle[1] - 120] as const
      const drag = await framesWhile(page, async () => {
        for (let turn = 0; turn < 3; turn += 1) await dragAlong(page, [...between(middle, side, 30), ...between(side, middle, 30)])
      })
      const zoom = await framesWhile(page, async () => {
        for (const name of ['Zoom in', 'Zoom in', 'Zoom out', 'Zoom out']) {
          await page.getByRole('button', { name, exact: true }).click()
          await page.waitForTimeout(500)
        }
      })
      return [
        {
          name: `frames a second while the map is dragged, ${points} points`,
          value: drag.fps,
          unit: 'fps',
          target: '>= 55',
          detail: `p95 frame ${drag.p95} ms`,
        },
        { name: 'longest frame while it is dragged', value: drag.worst, unit: 'ms', target: '<= 150' },
        { name: 'frames a second while it is zoomed', value: zoom.fps, unit: 'fps', detail: `longest frame ${zoom.worst} ms` },
        await chunk(dist),
      ]
    } finally {
      await browser.close()
      await site.close()
    }
  },
}

/** The map's own files, which no other screen loads. */
async function chunk(dist: string): Promise<Figure> {
  const folder = join(dist, 'assets')
  const files = (await readdir(folder)).filter((name) => /^(MapLayout|MapView|map)-.*[.](js|css)$/.test(name))
  const sizes = await Promise.all(files.map(async (name) => gzipSync(await readFile(join(folder, name)), { level: 9 }).length))
  return {
    name: 'the map’s code, gzipped',
    value: Math.round(sizes.reduce((sum, size) => sum + size, 0) / 1000),
    unit: 'kB',
    target: '<= 200',
    detail: files.join(', '),
  }
}
