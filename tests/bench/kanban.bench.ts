import { launchWholeBrowser, openPage } from '../console/support/browser.ts'
import { buildConsole } from '../console/support/build.ts'
import { laidServer } from '../console/support/layouts.ts'
import { serveConsole } from '../console/support/serve.ts'
import { makeLeads, viewLayout } from '../console/support/views.ts'
import type { Bench } from './support/figure.ts'
import { between, dragAlong, framesWhile } from './support/frames.ts'

const cards = 5_000

/** A board of 5,000 cards in Chromium, with a server that answers at once: a card is led over the columns, a column is scrolled. */
export const bench: Bench = {
  name: 'kanban',
  leads: 0,
  run: async () => {
    const site = await serveConsole(await buildConsole())
    const browser = await launchWholeBrowser()
    try {
      const { page } = await openPage(browser, {
        url: site.url,
        layout: viewLayout(),
        width: 1600,
        height: 900,
        answers: laidServer(makeLeads(cards)),
      })
      await page.goto('/sales/leads?layout=kanban')
      const box = (await page.locator('.board-card').first().boundingBox()) ?? { x: 300, y: 300, width: 200, height: 90 }
      const start = [box.x + 40, box.y + 60] as const
      const far = [box.x + 900, box.y + 200] as const
      const drag = await framesWhile(page, () => dragAlong(page, [...between(start, far, 90), ...between(far, start, 90)]))
      const column = page.locator('.board-scroll').first()
      await column.hover()
      const scroll = await framesWhile(page, async () => {
        for (let step = 0; step < 100; step += 1) {
          await page.mouse.wheel(0, 100)
          await page.waitForTimeout(33)
        }
      })
      const nodes = await page.evaluate(() => document.querySelectorAll('*').length)
      return [
        {
          name: `frames a second while a card is dragged, ${cards} cards`,
          value: drag.fps,
          unit: 'fps',
          target: '>= 50',
          detail: `p95 frame ${drag.p95} ms, longest ${drag.worst} ms`,
        },
        {
          name: 'frames a second while a column is scrolled',
          value: scroll.fps,
          unit: 'fps',
          target: '>= 50',
          detail: `p95 frame ${scroll.p95} ms, ${nodes} nodes`,
        },
      ]
    } finally {
      await browser.close()
      await site.close()
    }
  },
}
