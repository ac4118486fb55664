import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const path = '/api/users/preferences'
const told = async (who: 'officer' | 'manager') =>
  (await world.as[who].get<{ user: { preferences: object } }>('/api/console')).body.data.user.preferences

describe('how the console looks and speaks', () => {
  it('is kept with the person, one choice over the other, and sent with the console', async () => {
    expect(await told('officer')).toEqual({})
    expect((await world.as.officer.put(path, { language: 'sw', density: 'compact' })).body.data).toEqual({
      preferences: { language: 'sw', density: 'compact' },
    })
    await world.as.officer.put(path, { sidebar: 'dark', density: null })
    expect([await told('officer'), await told('manager')]).toEqual([{ language: 'sw', sidebar: 'dark' }, {}])
  })

  it('keeps choices that are made at the same time, all of them', async () => {
    const choices = [{ language: 'fr' }, { sidebar: 'icon' }, { width: 'boxed' }, { density: 'medium' }]
    const answers = await Promise.all(choices.map((choice) => world.as.manager.put(path, choice)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(await told('manager')).toEqual({ language: 'fr', sidebar: 'icon', width: 'boxed', density: 'medium' })
  })

  it('is refused where it is none, by the name of the choice', async () => {
    expect(fieldsOf(await world.as.officer.put(path, { language: 'xx', sidebar: 'red', width: 1 }))).toEqual([
      'language',
      'sidebar',
      'width',
    ])
    const refused = [{}, { colour: 'red' }, { language: ['fr'] }].map((body) => world.as.officer.put(path, body))
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([422, 422, 422])
    expect((await world.app.nobody.put(path, { language: 'fr' })).status).toBe(401)
  })

  it('comes back as a part of the profile that was read', async () => {
    const { id } = world.people.officer
    const read = (await world.as.officer.get<{ user: object }>(`/api/users/me/${id}`)).body.data.user
    expect((await world.as.officer.put(`/api/users/me/${id}`, { ...read, id })).status).toBe(200)
  })
})
