import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { png } from '../../support/form.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const path = '/api/users/picture'
const send = (by = world.as.officer, bytes = png, name = 'me.png') => by.upload<{ picture: string }>(path, {}, {}, [{ name, bytes }])
/** A PNG header that says how large it is. */
const large = (side: number) => {
  const bytes = Buffer.from(png)
  bytes.writeUInt32BE(side, 16)
  bytes.writeUInt32BE(side, 20)
  return bytes
}

describe('a picture', () => {
  it('is set by its person, shown to whoever sees the person, and replaced', async () => {
    const answer = await send()
    expect(answer.status, answer.text).toBe(200)
    const { picture } = answer.body.data
    for (const name of ['officer', 'manager', 'admin'] as const) {
      const got = await world.as[name].get(picture)
      expect([got.status, got.headers['content-type'], got.bytes.equals(png)], name).toEqual([200, 'image/png', true])
    }
    for (const name of ['elsewhere', 'foreign'] as const) expect((await world.as[name].get(picture)).status, name).toBe(404)
    expect((await world.app.nobody.get(picture)).status).toBe(401)
    const layout = await world.as.officer.get<{ user: { picture: string } }>('/api/console')
    expect(layout.body.data.user.picture).toBe(picture)
    const list = await world.as.admin.get<{ users: { Id: string; picture: string | null }[] }>('/api/users')
    const shown = new Map(list.body.data.users.map(({ Id, picture: one }) => [Id, one]))
    expect([shown.get(world.people.officer.id), shown.get(world.people.manager.id)]).toEqual([picture, null])
    const next = (await send()).body.data.picture
    expect(next).not.toBe(picture)
    const { rows } = await world.app.database.admin.query(
      `select 1 from stored_file where "ownerType" = 'user' and "ownerId" = $1 and "deletedAt" is null`,
      [world.people.officer.id],
    )
    expect(rows).toHaveLength(1)
    expect((await world.as.officer.del(path)).status).toBe(200)
    expect((await world.as.officer.get(next)).status).toBe(404)
  })

  it('that was replaced or taken back is gone from the storage, and stays where a save fails', async () => {
    const { admin } = world.app.database
    const keys = async () =>
      (
        await admin.query<{ key: string }>(
          `select "storageKey" as key from stored_file where "ownerType" = 'user' and "ownerId" = $1 order by "dateCreated"`,
          [world.people.manager.id],
        )
      ).rows.map(({ key }) => key)
    const kept = async () => Promise.all((await keys()).map(async (key) => Boolean(await world.app.machine.files.open(key))))
    const first = (await send(world.as.manager)).body.data.picture
    expect(await kept()).toEqual([true])
    await admin.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$;
       create trigger refuse before update on app_user for each row when (new."pictureId" is distinct from old."pictureId") execute function refuse()`,
    )
    expect((await send(world.as.manager)).status).toBe(500)
    expect((await world.as.manager.del(path)).status).toBe(500)
    await admin.query('drop trigger refuse on app_user')
    expect(await kept()).toEqual([true])
    expect((await world.as.manager.get(first)).bytes.equals(png)).toBe(true)
    const answers = await Promise.all([1, 2, 3, 4, 5].map(() => send(world.as.manager)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect((await kept()).toSorted()).toEqual([false, false, false, false, false, true])
    expect((await world.as.manager.del(path)).status).toBe(200)
    expect(await kept()).not.toContain(true)
  })

  it('is a small picture and nothing else', async () => {
    expect(fieldsOf(await send(world.as.officer, large(1_025)))).toEqual(['file'])
    expect((await send(world.as.officer, large(1_024))).status).toBe(200)
    expect((await send(world.as.officer, Buffer.from('<svg/>'), 'me.svg')).body.code).toBe('UNSUPPORTED_TYPE')
    expect((await send(world.as.officer, Buffer.concat([png, Buffer.alloc(300_000)]))).body.code).toBe('TOO_LARGE')
    expect(fieldsOf(await world.as.officer.post(path, {}))).toEqual(['file'])
    // Nobody sets another's, by whatever name.
    const other = await world.as.officer.upload(path, { id: world.people.admin.id }, {}, [{ name: 'me.png', bytes: png }])
    expect(other.status).toBe(422)
  })
})
