import type { Page } from 'playwright'
import type { FilterTerm } from '@outpost/contract/envelope'
import { describe, expect, it } from 'vitest'
import { calm, findViolations, tooWide } from './support/browser.ts'
import type { PageOptions, TestPage } from './support/browser.ts'
import { laidServer, placed } from './support/layouts.ts'
import { ways } from '../support/size.ts'
import { useSite } from './support/site.ts'
import { makeLeads, viewLayout } from './support/views.ts'

const site = useSite()

async function open(
  path = '/sales/leads?layout=map',
  { count = 300, ...options }: Partial<PageOptions> & { count?: number } = {},
): Promise<TestPage> {
  const test = await site.open({
    layout: viewLayout(),
    height: 900,
    ...options,
    answers: laidServer(placed(makeLeads(count)), options.answers),
  })
  await test.page.goto(path)
  await test.page.locator('#main h1').first().waitFor()
  return test
}

const soon = <Value>(read: () => Value | Promise<Value>) => expect.poll(read)
const search = (page: Page) => new URL(page.url()).searchParams
const map = (page: Page) => page.getByRole('application', { name: /Leads: map/ })
const list = (page: Page) => page.getByRole('region', { name: 'Leads: map' })
const marks = (page: Page) => page.locator('.map-cluster, .map-dot')
const tool = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Numbers on the clusters and one for each single point: everything that is drawn. */
const drawn = (page: Page) =>
  marks(page).evaluateAll((all) =>
    all.reduce((sum, mark) => sum + (mark.classList.contains('map-cluster') ? Number(mark.textContent) : 1), 0),
  )

describe('the map of a list', () => {
  it('shows every row with a position, counts those without, and loads nothing from other hosts', async () => {
    const { page, requests } = await open()
    await page.getByText('270 on the map, 30 without a position').waitFor()
    await soon(() => drawn(page)).toBe(270)
    expect(new Set(requests.map((request) => new URL(request.url()).origin))).toEqual(new Set([site.url]))
    await list(page).getByText('270 of 270 in view').waitFor()
  })

  it('opens by the switch of the table, keeps the filter, and Back returns', async () => {
    const { page } = await open(
      '/sales/leads?filter=%5B%7B%22field%22%3A%22status%22%2C%22op%22%3A%22eq%22%2C%22value%22%3A%22New%22%7D%5D',
    )
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Map').click()
    await page.getByText(/50 on the map/).waitFor()
    expect(search(page).get('layout')).toBe('map')
    await page.goBack()
    await page.locator('.record-table').waitFor()
  })

  it('keeps the viewport in the address, and opens with it again', async () => {
    const { page } = await open()
    await marks(page).first().waitFor()
    expect(search(page).get('map')).toBeNull()
    await tool(page, 'Zoom in').click()
    await soon(() => search(page).get('map')).toMatch(/^"?-1\.\d+,36\.\d+,\d+"?$/)
    const place = search(page).get('map')
    await page.reload()
    await marks(page).first().waitFor()
    await calm(page)
    expect(search(page).get('map')).toBe(place)
  })

  it('moves through the list by keys, opens a record beside the map', async () => {
    const { page } = await open()
    const first = list(page).getByRole('button').first()
    await first.focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').getByRole('heading', { name: 'Chepkoech Emali 2' }).waitFor()
    await page.getByRole('button', { name: 'Next record' }).click()
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: /Daudi Barasa-Wanjiru 3/ })
      .waitFor()
  })

  it('lists the points at one place', async () => {
    const { page } = await open('/sales/leads?layout=map&map=-1.28600,36.81700,19')
    await page.locator('.map-cluster').click()
    const popup = page.getByRole('dialog', { name: '3 on this spot' })
    await popup.waitFor()
    await popup.getByRole('button', { name: 'Barasa Hassan 1' }).click()
    await page.getByRole('heading', { name: 'Barasa Hassan 1' }).waitFor()
  })
})

describe('the ground', () => {
  const seen = (page: Page) => page.locator('.map-name').allInnerTexts()
  /** How many colours some pixels of all tiles have: a coast has two or more. */
  const colours = (page: Page) =>
    page.locator('.map-ground canvas').evaluateAll(
      (tiles) =>
        new Set(
          tiles.flatMap((tile) => {
            const { data } = (tile as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, 256, 256)
            return [0, 1, 2, 3, 4, 5, 6, 7].map((at) => data.subarray(at * 28_000, at * 28_000 + 3).join())
          }),
        ).size,
    )

  it('shows bundled land, water and places, more of them at deeper zooms, with degrees on the edge', async () => {
    const { page } = await open('/sales/leads?layout=map&map=-1.28600,36.81700,6')
    await soon(() => seen(page)).toEqual(expect.arrayContaining(['KENYA', 'TANZANIA', 'Mombasa']))
    await soon(() => colours(page)).toBeGreaterThan(1)
    expect(await seen(page)).not.toContain('Kiambu')
    expect(await page.locator('.map-edges').innerText()).toMatch(/35° E[^]*0°/)
    await page.goto('/sales/leads?layout=map&map=-1.28600,36.81700,11')
    await soon(() => seen(page)).toEqual(expect.arrayContaining(['Nairobi', 'Kiambu', 'Kikuyu']))
  })

  it("is below the company's tiles, and alone when their source does not answer", async () => {
    const layout = viewLayout()
    const withTiles = { ...layout, company: { ...layout.company, tiles: { url: '/tiles/{z}/{x}/{y}.png', attribution: '© somebody' } } }
    const { page } = await open('/sales/leads?layout=map&map=-1.28600,36.81700,7', { layout: withTiles })
    await soon(() => seen(page)).toContain('Nakuru')
    expect(await page.locator('.map-tiles').count()).toBe(0)
    await page.context().route('**/tiles/**', (route) => route.fulfill({ contentType: 'image/png', body: pixel }))
    await page.reload()
    await page.locator('.map-tiles img').first().waitFor({ state: 'attached' })
    await page.getByText('© somebody').waitFor()
    await soon(() => seen(page)).toEqual([])
  })
})

const pixel = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64')

describe('drawing on the map', () => {
  it('selects what a pointer encircles', async () => {
    const { page } = await open()
    await marks(page).first().waitFor()
    await tool(page, 'Select by drawing around').click()
    const sheet = page.getByRole('application', { name: 'Draw around the points to select' })
    const box = (await sheet.boundingBox())!
    const corner = (x: number, y: number) => page.mouse.move(box.x + box.width * x, box.y + box.height * y, { steps: 6 })
    await corner(0.02, 0.02)
    await page.mouse.down()
    await corner(0.9, 0.02)
    await corner(0.9, 0.9)
    await corner(0.02, 0.9)
    await page.mouse.up()
    await page.getByText('270 records selected').waitFor()
  })

  it('selects by corners that are clicked', async () => {
    const { page } = await open('/sales/leads?layout=map&map=-1.28600,36.81700,15')
    await tool(page, 'Select by drawing around').click()
    await page.getByText('Corners', { exact: true }).click()
    const sheet = page.getByRole('application', { name: 'Draw around the points to select' })
    const { width, height } = (await sheet.boundingBox())!
    for (const [x, y] of [
      [0.3, 0.3],
      [0.7, 0.3],
      [0.7, 0.7],
      [0.3, 0.7],
    ] as const)
      await sheet.click({ position: { x: width * x, y: height * y } })
    await tool(page, 'Select').click()
    await page.getByText('3 records selected').waitFor()
  })

  it('selects what a finger encircles', async () => {
    const { page } = await open('/sales/leads?layout=map&map=-1.28600,36.81700,15', { width: 390 })
    await tool(page, 'Select by drawing around').click()
    const sheet = page.getByRole('application', { name: 'Draw around the points to select' })
    await sheet.scrollIntoViewIfNeeded()
    const box = (await sheet.boundingBox())!
    const touch = await page.context().newCDPSession(page)
    const send = (type: string, at?: readonly [number, number]) =>
      touch.send('Input.dispatchTouchEvent', {
        type: type as 'touchMove',
        touchPoints: at ? [{ x: box.x + box.width * at[0], y: box.y + box.height * at[1] }] : [],
      })
    await send('touchStart', [0.3, 0.3])
    for (const at of [
      [0.5, 0.3],
      [0.7, 0.3],
      [0.7, 0.5],
      [0.7, 0.7],
      [0.5, 0.7],
      [0.3, 0.7],
      [0.3, 0.5],
    ] as const)
      await send('touchMove', at)
    await send('touchEnd')
    await page.getByText('3 records selected').waitFor()
  })

  it('selects by corners that are typed as numbers', async () => {
    const { page } = await open('/sales/leads?layout=map&map=-1.28600,36.81700,15')
    await tool(page, 'Select by drawing around').click()
    await tool(page, 'Numbers').press('Enter')
    const corners: [number, number][] = [
      [-1.28, 36.81],
      [-1.28, 36.824],
      [-1.292, 36.824],
      [-1.292, 36.81],
    ]
    for (const [index, place] of corners.entries()) {
      await tool(page, 'Add a corner').press('Enter')
      for (const [key, value] of [
        ['Latitude', place[0]],
        ['Longitude', place[1]],
      ] as const) {
        await page.getByRole('spinbutton', { name: `${key} ${index + 1}`, exact: true }).fill(String(value))
        await page.keyboard.press('Tab')
      }
    }
    await tool(page, 'Select').press('Enter')
    await page.getByText('3 records selected').waitFor()
  })

  it('selects by keys alone', async () => {
    const { page } = await open('/sales/leads?layout=map&map=-1.28600,36.81700,15')
    await map(page).focus()
    await page.keyboard.press('l')
    await page.getByRole('application', { name: 'Draw around the points to select' }).and(page.locator(':focus')).waitFor()
    const corner = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
      await page.keyboard.press('Space')
    }
    await corner('ArrowLeft', 'ArrowUp')
    await corner('ArrowRight', 'ArrowRight')
    await corner('ArrowDown', 'ArrowDown')
    await corner('ArrowLeft', 'ArrowLeft')
    await page.keyboard.press('Enter')
    await page.getByText('3 records selected').waitFor()
    expect(await page.evaluate(() => document.activeElement?.classList.contains('leaflet-container'))).toBe(true)
  })

  it('measures along a path', async () => {
    const { page } = await open('/sales/leads?layout=map&map=0.00000,36.00000,10')
    await tool(page, 'Measure a distance').click()
    const sheet = page.getByRole('application', { name: 'Measure a distance' })
    await sheet.and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Space')
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    // 400 px at zoom 10 on the equator are 0.5493 degrees: 61.1 km.
    await page.getByText('61.1 km').waitFor()
    await tool(page, 'Numbers').click()
    for (const [corner, value] of [
      [1, '36'],
      [2, '36.1'],
    ] as const) {
      await page.getByRole('spinbutton', { name: `Longitude ${corner}`, exact: true }).fill(value)
      await page.keyboard.press('Tab')
    }
    await page.getByText('11.1 km').waitFor()
    await tool(page, 'Clear').click()
    await sheet.click({ position: { x: 100, y: 100 } })
    await sheet.click({ position: { x: 500, y: 100 } })
    await page.getByText('61.1 km').waitFor()
    await sheet.focus()
    await page.keyboard.press('Escape')
    await map(page).and(page.locator(':focus')).waitFor()
  })
})

describe('near me', () => {
  it('shows what is within the radius, asks the server for the box around it, and shows the reason when the position is unavailable', async () => {
    const { page, context, requests } = await open()
    await marks(page).first().waitFor()
    await tool(page, 'Near me').click()
    await page.getByText('User denied the request for Geolocation.').waitFor()
    await context.grantPermissions(['geolocation'])
    await context.setGeolocation({ latitude: -1.286, longitude: 36.817 })
    await tool(page, 'Near me').click()
    await page.getByText('12 within the circle').waitFor()
    expect(search(page).get('near')).toMatch(/-1\.28600,36\.81700,5/)
    // The circle counts what is drawn already; the question follows.
    const terms = () => {
      const asked = requests.findLast((request) => new URL(request.url()).pathname === '/api/leads')!
      return JSON.parse(new URL(asked.url()).searchParams.get('filter') ?? '[]') as FilterTerm[]
    }
    await expect.poll(() => terms().map(({ field, op }) => `${field} ${op}`)).toEqual(['lat gte', 'lat lte', 'lng gte', 'lng lte'])
    await page.getByRole('button', { name: 'Show all places' }).click()
    await page.getByText(/270 on the map/).waitFor()
  })
})

describe('for everyone', () => {
  for (const { scheme, width } of ways) {
    it(`has no faults for axe and does not scroll sideways (${scheme}, ${width} px)`, async () => {
      const { page } = await open('/sales/leads?layout=map', { scheme, width })
      await marks(page).first().waitFor()
      await tool(page, 'Select by drawing around').click()
      await calm(page)
      expect(await findViolations(page)).toEqual([])
      expect(await tooWide(page)).toEqual([])
    })
  }

  it('loads leaflet only when a map is opened', async () => {
    const { page } = await open('/sales/leads')
    await page.locator('.record-table .ant-table-row').first().waitFor()
    const mapFiles = () =>
      page.evaluate(
        () =>
          performance
            .getEntriesByType('resource')
            .map(({ name }) => name)
            .filter((name) => /MapLayout.*js$/.test(name)).length,
      )
    expect(await mapFiles()).toBe(0)
    await page.getByRole('radiogroup', { name: 'Layout' }).getByText('Map').click()
    await marks(page).first().waitFor()
    expect(await mapFiles()).toBe(1)
  })
})
