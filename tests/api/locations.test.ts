import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

/** An input with all that is required. */
const good = { name: 'First' }
let made = 0
const make = async (more: object = {}) =>
  (await world.as.admin.post<{ location: { Id: string } }>('/api/locations', { ...good, name: `Place ${(made += 1)}`, ...more })).body.data
    .location.Id
const count = async (by: keyof World['as'] = 'admin') =>
  (await world.as[by].get<{ locations: unknown[] }>('/api/locations')).body.meta?.total

describe('a location', () => {
  it('is made, changed, deleted and brought back, and its history says so', async () => {
    const id = await make()
    expect((await world.as.admin.put<object>(`/api/locations/${id}`, { name: 'Second' })).body).toMatchObject({
      data: { location: { name: 'Second', version: 2 } },
    })
    const before = await count()
    await world.as.admin.post('/api/locations/delete', { id })
    expect(await count()).toBe(Number(before) - 1)
    await world.as.admin.post('/api/locations/restore', { ids: [id] })
    expect(await count()).toBe(before)
    const { body } = await world.as.admin.get<{ timeline: { what: string; detail: string | null }[] }>(`/api/locations/${id}/timeline`)
    expect(body.data.timeline.map(({ what, detail }) => [what, detail])).toEqual([
      ['Restored', null],
      ['Deleted', null],
      ['Changed', 'Name: Place 1 → Second'],
      ['Created', null],
    ])
  })

  it('names a wrong field', async () => {
    expect(fieldsOf(await world.as.admin.post('/api/locations', { ...good, name: '' }))).toEqual(['name'])
  })

  it('is out of sight of another company', async () => {
    const id = await make()
    expect((await world.as.foreign.get(`/api/locations/${id}`)).status).toBe(404)
    expect(await count('foreign')).toBe(0)
  })

  it('has its name once, of five at once, too', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => world.as.admin.post('/api/locations', { name: 'Ferry' })))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 422, 422, 422, 422])
  })

  it('has both coordinates or none, none of them 0, and its name once in its branch', async () => {
    const refused = async (input: object) => fieldsOf(await world.as.admin.post('/api/locations', { ...good, name: 'Pay point', ...input }))
    expect(await refused({ latitude: -1.3 })).toEqual(['longitude'])
    expect(await refused({ longitude: 36.8 })).toEqual(['latitude'])
    expect(await refused({ latitude: 0, longitude: 36.8 })).toEqual(['latitude'])
    expect(await refused({ latitude: -1.3, longitude: 0 })).toEqual(['longitude'])
    expect(await refused({ latitude: -91, longitude: 36.8 })).toEqual(['latitude'])
    expect(await refused({ latitude: -1.286412, longitude: 36.817234, kind: 'Pay point' })).toEqual([])
    expect(await refused({ name: ' pay POINT ' })).toEqual(['name'])
    const other = await make({ name: 'Dealer' })
    expect(fieldsOf(await world.as.admin.put(`/api/locations/${other}`, { name: 'Pay point' }))).toEqual(['name'])
    expect(fieldsOf(await world.as.admin.put(`/api/locations/${other}`, { latitude: -1.3 }))).toEqual(['longitude'])
    expect((await world.as.admin.put(`/api/locations/${other}`, { latitude: -1.3, longitude: 36.8 })).status).toBe(200)
    const { body } = await world.as.admin.get<{ location: object }>(`/api/locations/${other}`)
    expect((await world.as.admin.put(`/api/locations/${other}`, body.data.location)).status).toBe(200)
  })
})
