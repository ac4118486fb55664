import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { launchMeasuredProfile } from '../console/support/browser.ts'
import { buildStorePage } from '../console/support/store-page.ts'
import type { Bench } from './support/figure.ts'
import { longLog } from './support/long-log.ts'
import { serveThrough } from './support/through.ts'

const own = fileURLToPath(new URL('./support/device-entry.js', import.meta.url))

/** A phone that has been without a network for very long. */
export const bench: Bench = {
  name: 'long-log',
  leads: 0,
  run: async (house) => {
    const folder = await mkdtemp(join(tmpdir(), 'outpost-long-log-'))
    try {
      await buildStorePage(join(folder, 'page'), undefined, own)
      const served = await serveThrough(join(folder, 'page'), house.url)
      const context = await launchMeasuredProfile(join(folder, 'profile'), { baseURL: served.url })
      const page = await context.newPage()
      await page.goto('/')
      await page.waitForFunction(() => 'device' in globalThis)
      const figures = await longLog(house, page, 'officer@sunrise.test')
      await context.close()
      await served.close()
      return figures
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
}
