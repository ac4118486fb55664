import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright'
import { launchMeasuredProfile } from '../../console/support/browser.ts'
import { buildStorePage } from '../../console/support/store-page.ts'
import type { House } from './house.ts'
import { serveThrough } from './through.ts'

const own = fileURLToPath(new URL('./device-entry.js', import.meta.url))

/** Opens the store of a device by itself, on a page in front of this house, and closes all of it when the work is done. */
export async function onDevicePage<Result>(house: House, work: (page: Page) => Promise<Result>): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'outpost-device-page-'))
  try {
    await buildStorePage(join(folder, 'page'), undefined, own)
    const served = await serveThrough(join(folder, 'page'), house.url)
    const context = await launchMeasuredProfile(join(folder, 'profile'), { baseURL: served.url })
    const page = await context.newPage()
    await page.goto('/')
    await page.waitForFunction(() => 'device' in globalThis)
    const result = await work(page)
    await context.close()
    await served.close()
    return result
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
