import pg from 'pg'
import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest'
import { demoId } from '../../prisma/seed/random.ts'
import { launchBrowser } from '../console/support/browser.ts'
import { openPerson, signIn, type Person } from '../support/browser.ts'
import { callAs } from './support/calls.ts'
import { expectSound } from './support/look.ts'

const url = inject('outpostUrl')
const officerId = demoId('sunrise officer')
const name = 'A shelf to be photographed'
let browser: Browser
let office: pg.Pool
let officer: Person
let activityId = ''

const rows = async (text: string, values: unknown[]) => (await office.query<Record<string, unknown>>(text, values)).rows
const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read, { timeout: 40_000, interval: 100 })

beforeAll(async () => {
  office = new pg.Pool({ connectionString: inject('outpostDatabaseUrl'), max: 2 })
  browser = await launchBrowser()
  const manage = await callAs(url, 'branch@sunrise.test')
  const made = await manage('POST', '/api/activities', {
    name,
    startDate: new Date(Date.now() - 60_000).toISOString(),
    endDate: new Date(Date.now() + 3_600_000).toISOString(),
    assignedUsers: [officerId],
  })
  if (made.status !== 200) throw new Error(made.text)
  activityId = (made.body.data as { activity: { Id: string } }).activity.Id
  officer = await openPerson(browser, { url, width: 390, height: 844, hasWorker: true })
})
afterAll(async () => {
  await browser.close()
  await office.end()
})
afterEach(() => expect(officer.faults.splice(0)).toEqual([]))

/** A picture of more pixels than are sent, that no format makes small: colours by a fixed rule that looks like none. */
const noise = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 2000, height: 1500 })
    const context = canvas.getContext('2d') as CanvasRenderingContext2D
    const image = context.createImageData(2000, 1500)
    let state = 7
    for (let at = 0; at < image.data.length; at += 1) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      image.data[at] = at % 4 === 3 ? 255 : state >>> 24
    }
    context.putImageData(image, 0, 0)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })

async function open(page: Page): Promise<void> {
  await page.goto(`/sales/activities/${activityId}/visit`)
  await page.locator('.av h1', { hasText: name }).waitFor()
}

describe('a large photo', () => {
  it('goes on where the line was cut, after a restart, and arrives as it was taken', async () => {
    const { page } = officer
    await signIn(officer, 'officer@sunrise.test')
    await page.getByRole('heading', { name: 'My Work' }).waitFor()
    await page.evaluate(() => navigator.serviceWorker.ready)
    await page.getByRole('button', { name: /^Application is currently online/ }).click()
    await soon(() => page.getByRole('dialog').innerText()).toMatch(/Last sync\s*(a few|\d|just|an?)/)
    await page.keyboard.press('Escape')
    await open(page)
    const offsets: number[] = []
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (request.method() === 'PUT' && pathname.startsWith('/api/storage-portions/')) offsets.push(Number(searchParams.get('offset')))
    })
    const first = page.waitForResponse(
      (response) => response.request().method() === 'PUT' && response.url().includes('/api/storage-portions/'),
    )
    // So slow that the line is cut before the last portion has left.
    const line = await officer.context.newCDPSession(page)
    const speed = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 200_000 }
    await line.send('Network.emulateNetworkConditions', speed)
    await page
      .getByLabel('Take photo')
      .setInputFiles({ name: 'shelf.png', mimeType: 'image/png', buffer: Buffer.from(await noise(page), 'base64') })
    await first
    await officer.setOffline(true)
    await line.detach()
    await page.getByText('1 on this device').waitFor()
    const held = await rows('select sum("length")::int as bytes from upload_portion where "userId" = $1', [officerId])
    expect(Number(held[0]?.bytes)).toBeGreaterThan(0)
    expect(await rows('select from stored_file where "ownerId" = $1', [activityId])).toEqual([])
    await page.reload()
    const kept = page.locator('.av-thumb img')
    await kept.waitFor()
    expect(await kept.evaluate((image: HTMLImageElement) => image.decode().then(() => [image.naturalWidth, image.naturalHeight]))).toEqual([
      1600, 1200,
    ])
    await expectSound(officer, 'a photo that waits')
    const before = offsets.length
    await officer.setOffline(false)
    await soon(() => rows('select from activity_file where "activityId" = $1', [activityId]).then((found) => found.length)).toBe(1)
    await page.getByText('1 at the office').waitFor()
    // Nothing of it was sent from the start again.
    expect(offsets.slice(before).every((offset) => offset > 0)).toBe(true)
    expect(await rows('select from upload_portion where "userId" = $1', [officerId])).toEqual([])
    const [file] = await rows(`select "mimeType", "size"::int as size from stored_file where "ownerId" = $1`, [activityId])
    expect(file).toMatchObject({ mimeType: 'image/jpeg' })
    expect(Number(file?.size)).toBeGreaterThan(Number(held[0]?.bytes))
  })
})
