import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fieldsOf, makeWorld, type World } from '../world.ts'
import type { MadeUser } from '../../support/make.ts'

interface TeamRow {
  Id: string
  tenantId: string
  memberCount: number
  members: { Id: string }[]
  [key: string]: unknown
}

let world: World
let agents: MadeUser[]
const ids = (team: TeamRow) => team.members.map(({ Id }) => Id).toSorted()
const create = async (body: object, by: keyof World['as'] = 'manager') => {
  const answer = await world.as[by].post<{ team: TeamRow }>('/api/teams', body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.team
}
const stays = async (teamId: string) =>
  (
    await world.app.database.admin.query<{ userId: string; toDate: Date | null; fromDate: Date }>(
      'select "userId", "fromDate", "toDate" from team_member where "teamId" = $1 order by "fromDate"',
      [teamId],
    )
  ).rows

beforeAll(async () => {
  world = await makeWorld()
  agents = await Promise.all([1, 2, 3].map(() => world.app.make.user({ tenant: world.team, role: 'officer' })))
})
afterAll(() => world.app.close())

describe('a team', () => {
  it('is made with leader and members, filed where its maker works', async () => {
    const [first, second] = agents as [MadeUser, MadeUser]
    const team = await create({ name: 'Hunters', leaderUserId: world.people.manager.id, members: [first.id, second.id] })
    expect(team).toMatchObject({ tenantId: world.branch.id, memberCount: 2, leaderUserId: world.people.manager.id })
    expect(ids(team)).toEqual([first.id, second.id].toSorted())
    const list = await world.as.manager.get<{ teams: TeamRow[] }>('/api/teams?search=hunt')
    expect(list.body.data.teams.map(({ Id }) => Id)).toEqual([team.Id])
    expect(
      (await world.as.admin.get<{ users: { Id: string }[] }>(`/api/users/by-team-id/${team.Id}`)).body.data.users
        .map(({ Id }) => Id)
        .toSorted(),
    ).toEqual(ids(team))
  })

  it('of the tenant tree is filed there, begins with its people, and each node is one team', async () => {
    const team = await create({ name: 'Westlands', teamTenantId: world.team.id })
    expect(team.tenantId).toBe(world.team.id)
    expect(ids(team)).toEqual([...agents.map(({ id }) => id), world.people.officer.id].toSorted())
    const second = await world.as.manager.post('/api/teams', { name: 'Again', teamTenantId: world.team.id })
    expect([second.status, fieldsOf(second), second.body.fields?.[0]?.message]).toEqual([422, ['teamTenantId'], 'is Westlands already'])
    const branch = await world.as.manager.post('/api/teams', { name: 'Branch', teamTenantId: world.branch.id })
    expect([branch.status, fieldsOf(branch)]).toEqual([422, ['teamTenantId']])
    const users = await world.as.admin.get<{ users: { Id: string }[] }>(`/api/users/by-team-id/${world.team.id}`)
    expect(users.body.data.users).toHaveLength(4)
  })

  it.each([
    ['members', { members: ['11111111-1111-4111-8111-111111111111'] }],
    ['name', { name: '' }],
    ['nickname', { nickname: 'x' }],
  ])('names the wrong field %s', async (field, over) => {
    const answer = await world.as.manager.post('/api/teams', { name: 'Wrong', ...over })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, [field]])
  })

  it('takes nobody from beyond the reach of who makes it', async () => {
    for (const userId of [world.people.elsewhere.id, world.people.foreign.id]) {
      const answer = await world.as.manager.post('/api/teams', { name: 'Wide', members: [userId] })
      expect([answer.status, fieldsOf(answer)]).toEqual([422, ['members']])
    }
  })

  it('keeps the history of who was in it when', async () => {
    const [first, second, third] = agents as [MadeUser, MadeUser, MadeUser]
    const team = await create({ name: 'History', members: [first.id, second.id] })
    const saved = await world.as.manager.put<{ team: TeamRow }>(`/api/teams/${team.Id}`, {
      members: [second.id, third.id],
      description: 'new',
    })
    expect(ids(saved.body.data.team)).toEqual([second.id, third.id].toSorted())
    expect((await stays(team.Id)).map(({ userId, toDate }) => [userId, toDate === null])).toEqual(
      expect.arrayContaining([
        [first.id, false],
        [second.id, true],
        [third.id, true],
      ]),
    )
    const { body } = await world.as.manager.get<{ members: { userId: string; toDate: string | null }[] }>(`/api/teams/${team.Id}/members`)
    expect(body.data.members.at(-1)).toMatchObject({ userId: first.id })
    const timeline = await world.as.manager.get<{ timeline: { what: string }[] }>(`/api/teams/${team.Id}/timeline`)
    expect(timeline.body.data.timeline.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['Created', `${first.firstName} ${first.lastName} left`]),
    )
    // Left out means: leave the members alone.
    await world.as.manager.put(`/api/teams/${team.Id}`, { description: 'newer' })
    expect((await stays(team.Id)).filter(({ toDate }) => toDate === null)).toHaveLength(2)
  })

  it('is left at the very moment that another one is joined', async () => {
    const [first] = agents as [MadeUser]
    const [from, to] = [await create({ name: 'From', members: [first.id] }), await create({ name: 'To', members: [] })]
    const moved = await world.as.manager.post<{ team: TeamRow }>(`/api/teams/${to.Id}/members/move`, { userId: first.id })
    expect([moved.status, ids(moved.body.data.team)]).toEqual([200, [first.id]])
    expect((await stays(from.Id))[0]?.toDate).toEqual((await stays(to.Id))[0]?.fromDate)
    expect((await world.as.manager.post(`/api/teams/${to.Id}/members/move`, { userId: first.id })).status).toBe(409)
  })

  it('has nobody twice at the same time, whatever writes', async () => {
    const [first] = agents as [MadeUser]
    const team = await create({ name: 'Once', members: [first.id] })
    const again = world.app.make.row('team_member', {
      companyId: world.company.id,
      id: crypto.randomUUID(),
      tenantId: world.branch.id,
      teamId: team.Id,
      userId: first.id,
      addedByUserId: first.id,
      fromDate: new Date(Date.now() + 1_000),
    })
    await expect(again).rejects.toThrow(/team_member_once/)
  })

  it('goes and comes back with its members', async () => {
    const team = await create({ name: 'Gone', members: [agents[0]?.id] })
    expect((await world.as.manager.post('/api/teams/delete', { ids: [team.Id] })).status).toBe(200)
    expect((await world.as.manager.get(`/api/teams/${team.Id}`)).status).toBe(404)
    expect((await world.as.manager.post<{ teams: TeamRow[] }>('/api/teams/restore', { ids: [team.Id] })).body.data.teams[0]).toMatchObject({
      memberCount: 1,
    })
  })

  it('is out of sight of strangers and of the other branch, and closed to who may not', async () => {
    const team = await create({ name: 'Ours' })
    for (const who of ['foreign', 'elsewhere'] as const) expect((await world.as[who].get(`/api/teams/${team.Id}`)).status).toBe(404)
    expect((await world.as.officer.post('/api/teams', { name: 'Mine' })).status).toBe(403)
    expect((await world.as.foreign.put(`/api/teams/${team.Id}`, { name: 'Theirs' })).status).toBe(404)
  })
})
