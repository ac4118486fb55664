import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface View {
  Id: string
  name: string
  isDefault: boolean
  isMine: boolean
  sharedBy: string | null
  sharedWith: { Id: string; label: string }[]
  state: object
}
type Client = World['as']['admin']

let world: World
let screen: string
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const save = (client: Client, more: object = {}) =>
  client.post<{ view: View }>('/api/views', { screen, name: 'Emali', state: { search: 'emali' }, ...more })
const seen = async (client: Client) =>
  (await client.get<{ views: View[]; defaultId: string | null }>(`/api/views?screen=${encodeURIComponent(screen)}`)).body.data
const news = async (userId: string) =>
  (
    await world.app.database.admin.query<{ message: string; link: string | null }>(
      'select "message", "link" from notification where "userId" = $1 and "message" like \'%shares the view%\' order by "dateCreated", "id"',
      [userId],
    )
  ).rows
/** A manager of the branch shares with the officer of its team. */
const shared = async (more: object = {}) => {
  screen = `/sales/s${randomUUID().slice(0, 8)}`
  const answer = await save(world.as.manager, { userIds: [world.people.officer.id], ...more })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.view
}

describe('a view shared by name', () => {
  it('is in the list of the named as somebody’s, opens nobody’s list, and they are notified once', async () => {
    const view = await shared({ isDefault: true })
    expect(view).toMatchObject({
      isMine: true,
      isDefault: true,
      sharedBy: null,
      sharedWith: [{ Id: world.people.officer.id, label: 'Chidi Officer' }],
    })
    const { views, defaultId } = await seen(world.as.officer)
    expect(views).toMatchObject([
      {
        Id: view.Id,
        name: 'Emali',
        isMine: false,
        isDefault: false,
        sharedBy: 'Baraka Manager',
        sharedWith: [],
        state: { search: 'emali' },
      },
    ])
    expect(defaultId).toBeNull()
    expect((await seen(world.as.admin)).views).toEqual([])
    expect((await world.as.manager.put(`/api/views/${view.Id}`, { userIds: [world.people.officer.id.toUpperCase()] })).status).toBe(200)
    expect((await news(world.people.officer.id)).filter(({ link }) => link === `${screen}?view=${view.Id}`)).toEqual([
      { message: 'Baraka Manager shares the view “Emali” with you', link: `${screen}?view=${view.Id}` },
    ])
  })

  it('is its owner’s to change and the other’s to copy or to drop', async () => {
    const { Id } = await shared()
    for (const answer of [
      await world.as.officer.put(`/api/views/${Id}`, { name: 'Mine now' }),
      await world.as.officer.put(`/api/views/${Id}`, { userIds: [] }),
      await world.as.officer.del(`/api/views/${Id}`),
    ]) {
      expect(answer).toMatchObject({ status: 403, body: { message: 'Only Baraka Manager changes this view. Save it as one of your own.' } })
    }
    expect((await save(world.as.officer, { name: 'Copy' })).status).toBe(200)
    expect((await world.as.officer.del(`/api/views/${Id}/share`)).status).toBe(200)
    expect((await world.as.officer.del(`/api/views/${Id}/share`)).status).toBe(404)
    expect((await seen(world.as.officer)).views.map(({ name }) => name)).toEqual(['Copy'])
    expect((await seen(world.as.manager)).views).toMatchObject([{ Id, name: 'Emali', sharedWith: [] }])
  })

  it('ends when it is taken back, given to a whole company, or deleted', async () => {
    const view = await shared()
    await world.as.manager.put(`/api/views/${view.Id}`, { userIds: [] })
    expect((await seen(world.as.officer)).views).toEqual([])
    const own = (await save(world.as.admin, { userIds: [world.people.officer.id] })).body.data.view
    await world.as.admin.put(`/api/views/${own.Id}`, { scope: 'company' })
    expect((await world.app.database.admin.query('select 1 from saved_view_share where "viewId" = $1', [own.Id])).rows).toEqual([])
    expect((await seen(world.as.officer)).views).toMatchObject([{ Id: own.Id, sharedBy: null }])
    const gone = (await save(world.as.manager, { userIds: [world.people.officer.id] })).body.data.view
    await world.as.manager.del(`/api/views/${gone.Id}`)
    expect((await seen(world.as.officer)).views.map(({ Id }) => Id)).toEqual([own.Id])
  })

  it('goes to active colleagues in reach only: another company’s, one of another branch, oneself and nobody are refused by field, and nothing stays', async () => {
    const { Id } = await shared()
    const leaver = await world.app.make.user({ tenant: world.branch, role: 'officer' })
    await world.app.database.admin.query('update app_user set "status" = 0 where id = $1', [leaver.id])
    for (const userId of [world.people.foreign.id, world.people.elsewhere.id, world.people.manager.id, leaver.id, randomUUID()]) {
      const [made, changed] = [
        await save(world.as.manager, { name: 'Bad', userIds: [world.people.officer.id, userId] }),
        await world.as.manager.put(`/api/views/${Id}`, { name: 'Bad', userIds: [userId] }),
      ]
      expect([made.status, fieldsOf(made), changed.status, fieldsOf(changed)]).toEqual([422, ['userIds'], 422, ['userIds']])
    }
    expect(fieldsOf(await save(world.as.admin, { scope: 'company', userIds: [world.people.officer.id] }))).toEqual(['userIds'])
    expect(fieldsOf(await save(world.as.manager, { userIds: Array.from({ length: 51 }, () => randomUUID()) }))).toEqual(['userIds'])
    expect(await seen(world.as.manager)).toMatchObject({ views: [{ Id, name: 'Emali', sharedWith: [{ Id: world.people.officer.id }] }] })
    expect(await news(world.people.foreign.id)).toEqual([])
  })

  it('stays out of sight of everybody else, whatever they send', async () => {
    const { Id } = await shared()
    for (const client of [world.as.admin, world.as.elsewhere, world.as.foreign]) {
      const answers = [
        await client.put(`/api/views/${Id}`, { userIds: [world.people.officer.id] }),
        await client.del(`/api/views/${Id}`),
        await client.del(`/api/views/${Id}/share`),
      ]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
      expect((await seen(client)).views).toEqual([])
    }
    expect((await world.app.nobody.del(`/api/views/${Id}/share`)).status).toBe(401)
    expect((await seen(world.as.officer)).views).toHaveLength(1)
  })

  it('holds exactly what one of five changes at once says, and nobody is notified twice', async () => {
    const crew = await Promise.all(Array.from({ length: 5 }, () => world.app.make.user({ tenant: world.team, role: 'officer' })))
    const { Id } = await shared({ userIds: [] })
    const sets = crew.map(({ id }) => [id, world.people.officer.id])
    const answers = await Promise.all(sets.map((userIds) => world.as.manager.put<{ view: View }>(`/api/views/${Id}`, { userIds })))
    expect(answers.map(({ status }) => status)).toEqual(crew.map(() => 200))
    const held = (await seen(world.as.manager)).views[0]?.sharedWith.map((user) => user.Id).toSorted()
    expect(sets.map((set) => set.toSorted())).toContainEqual(held)
    expect((await news(world.people.officer.id)).filter(({ link }) => link === `${screen}?view=${Id}`)).toHaveLength(1)
  })

  it('never sends the named to another site', async () => {
    screen = '//evil.example'
    expect((await save(world.as.manager, { name: 'Lure', userIds: [world.people.officer.id] })).status).toBe(200)
    expect((await news(world.people.officer.id)).find(({ message }) => message.includes('Lure'))?.link).toBeNull()
  })
})
