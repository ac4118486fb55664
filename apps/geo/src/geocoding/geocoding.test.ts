import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { indexFences, fenceDefaults, type Fence } from '../fences/fence-index.ts'
import { compassDirection } from './bearing.ts'
import { cellOf, readCoordinates, writeCoordinates } from './coordinates.ts'
import { geocode, type CachedAddress, type Sources } from './geocode.ts'
import { nearestFence } from './nearest-fence.ts'
import { placeNear } from './places.ts'
import { readAnswer, remoteGeocoder } from './remote.ts'

const thika = { latitude: -1.03326, longitude: 37.06933 }

describe('coordinates', () => {
  it.each([
    ['-1.28,36.82', { latitude: -1.28, longitude: 36.82 }],
    ['36.82,-1.28', { latitude: 36.82, longitude: -1.28 }],
    ['136.82,-1.28', { latitude: -1.28, longitude: 136.82 }],
    [' +1.5 ; 2 ', { latitude: 1.5, longitude: 2 }],
    ['91,181', null],
    ['120,95', null],
    ['1.28', null],
    ['1,2,3', null],
    ['a,b', null],
    ['', null],
    ['1e2,5', null],
    ['NaN,1', null],
  ])('%j', (text, expected) => expect(readCoordinates(text)).toEqual(expected))
  it('have a cell of about 11 m and a text form', () => {
    expect(cellOf({ latitude: -0.00001, longitude: 36.82344 })).toBe('0.0000,36.8234')
    expect(writeCoordinates(thika)).toBe('-1.03326, 37.06933')
  })
  it('give the compass direction', () => {
    const to = (north: number, east: number) =>
      compassDirection(thika, { latitude: thika.latitude + north, longitude: thika.longitude + east })
    expect([to(1, 0), to(1, 1), to(0, 1), to(-1, 1), to(-1, 0), to(-1, -1), to(0, -1), to(1, -1)]).toEqual([
      'N',
      'NE',
      'E',
      'SE',
      'S',
      'SW',
      'W',
      'NW',
    ])
  })
})

describe('bundled places', () => {
  it('name the nearest place, with distance and direction', async () => {
    expect(await placeNear(thika)).toMatchObject({ address: 'Thika, Kenya', placeId: expect.stringMatching(/^geonames:\d+$/) })
    const near = await placeNear({ latitude: thika.latitude + 0.02, longitude: thika.longitude + 0.02 })
    expect(near!.address).toBe('3.1 km NE of Thika, Kenya')
    expect(near!.metres).toBeGreaterThan(3_000)
    expect(await placeNear({ latitude: -45, longitude: -120 })).toBeUndefined()
    expect((await placeNear({ latitude: 65, longitude: -179.99 }))?.address).toMatch(/Russia|Alaska|United States/)
  })
})

const fence = (id: string, type: 'poi' | 'circle', radius: number): Fence => ({
  id,
  since: 0,
  settings: fenceDefaults,
  shape: { type, area: { type: 'Point', coordinates: [thika.longitude, thika.latitude] }, radius },
})

describe("a company's own names", () => {
  const index = indexFences([fence('city', 'circle', 9_000), fence('yard', 'circle', 120), fence('shop', 'poi', 200)])
  it('prefer the point of interest, then the smallest enclosing fence', () => {
    expect(nearestFence(index, thika, () => true)).toEqual({ fenceId: 'shop', source: 'poi', metres: 0 })
    expect(nearestFence(index, thika, (id) => id !== 'shop')).toEqual({ fenceId: 'yard', source: 'fence', metres: 0 })
    expect(nearestFence(index, { ...thika, latitude: thika.latitude + 0.01 }, () => true)).toEqual({
      fenceId: 'city',
      source: 'fence',
      metres: 1112,
    })
    expect(nearestFence(index, { ...thika, latitude: 5 }, () => true)).toBeUndefined()
  })
})

describe('naming a place', () => {
  const failures: string[] = []
  const kept = new Map<string, CachedAddress>()
  const dumb: Sources = {
    own: async () => undefined,
    cache: {
      read: async (cell) => kept.get(cell),
      write: async (cell, found) => {
        kept.set(cell, found)
      },
    },
    remote: null,
    place: async () => ({ address: 'near Thika', metres: 5, placeId: 'geonames:1' }),
    failed: (source) => {
      failures.push(source)
    },
  }
  const broken = async () => {
    throw new Error('down')
  }
  it('asks sources in order, and caches remote results', async () => {
    expect(await geocode(thika, { ...dumb, own: async () => ({ id: 'f', name: 'Yard', source: 'fence', metres: 0 }) })).toEqual({
      address: 'Yard',
      source: 'fence',
      distanceM: 0,
      placeId: 'f',
    })
    expect((await geocode(thika, dumb)).source).toBe('place')
    expect(await geocode(thika, { ...dumb, remote: async () => ({ address: 'Kenyatta Highway', placeId: 'osm:1' }) })).toEqual({
      address: 'Kenyatta Highway',
      source: 'remote',
      distanceM: null,
      placeId: 'osm:1',
    })
    expect(await geocode(thika, dumb)).toEqual({ address: 'Kenyatta Highway', source: 'cache', distanceM: null, placeId: 'osm:1' })
  })
  it('never fails', async () => {
    const all: Sources = { ...dumb, own: broken, cache: { read: broken, write: broken }, remote: broken, place: broken }
    expect(await geocode(thika, all)).toEqual({ address: '-1.03326, 37.06933', source: 'coordinates', distanceM: 0, placeId: null })
    expect(failures).toEqual(['own', 'cache', 'remote', 'place'])
    expect((await geocode(thika, { ...all, remote: async () => ({ address: 'There', placeId: null }) })).address).toBe('There')
  })
})

describe('a geocoder of the operator', () => {
  let server: Server | undefined
  afterEach(
    () =>
      new Promise<void>((done) => {
        if (server) server.close(() => done())
        else done()
      }),
  )
  const start = async (answer: (url: string) => { status: number; body: string }) => {
    const asked: string[] = []
    server = createServer((incoming, reply) => {
      asked.push(incoming.url!)
      const { status, body } = answer(incoming.url!)
      reply.writeHead(status).end(body)
    })
    await new Promise<void>((done) => {
      server!.listen(0, '127.0.0.1', done)
    })
    return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/reverse?lat={lat}&lon={lon}` }
  }
  it('is called with the place, and not called for a while after a failure', async () => {
    let isDown = false
    let now = 0
    const { asked, url } = await start(() => ({
      status: isDown ? 500 : 200,
      body: '{"display_name":"Thika Road","osm_type":"way","osm_id":7}',
    }))
    const ask = remoteGeocoder({ url, perSecond: 1_000 }, () => now)
    expect(await ask(thika)).toEqual({ address: 'Thika Road', placeId: 'osm:way7' })
    expect(asked).toEqual(['/reverse?lat=-1.03326&lon=37.06933'])
    isDown = true
    now = 10
    await expect(ask(thika)).rejects.toThrow('500')
    expect(await ask(thika)).toBeUndefined()
    now = 30_011
    isDown = false
    expect((await ask(thika))?.address).toBe('Thika Road')
    expect(asked).toHaveLength(3)
  })
  it('is not called faster than it allows: long waits return nothing', async () => {
    const { asked, url } = await start(() => ({ status: 200, body: '{"display_name":"A"}' }))
    const ask = remoteGeocoder({ url, perSecond: 0.001 }, () => 0)
    expect(await Promise.all([ask(thika), ask(thika), ask(thika)])).toEqual([{ address: 'A', placeId: null }, undefined, undefined])
    expect(asked).toHaveLength(1)
  })
  it('is ignored when its response is too large', async () => {
    const { url } = await start(() => ({ status: 200, body: `{"display_name":"${'x'.repeat(300_000)}"}` }))
    await expect(remoteGeocoder({ url, perSecond: 1 })(thika)).rejects.toThrow()
  })
  it.each([
    [{ error: 'Unable to geocode' }, undefined],
    [null, undefined],
    [[], undefined],
    [{ features: [] }, undefined],
    [{ features: [{ properties: {} }] }, undefined],
    [{ features: [{ properties: { label: 'Moi Avenue, Nairobi', gid: 'g:1' } }] }, { address: 'Moi Avenue, Nairobi', placeId: 'g:1' }],
    [
      {
        features: [
          { properties: { name: 'Thika', street: 'Main', housenumber: '4', city: 'Thika', country: 'Kenya', osm_type: 'N', osm_id: 9 } },
        ],
      },
      { address: 'Thika, Main 4, Kenya', placeId: 'osm:N9' },
    ],
  ])('is read: %j', (answer, expected) => expect(readAnswer(answer)).toEqual(expected))
})
