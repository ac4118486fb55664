import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import { milestoneJob } from '../../../apps/server/src/areas/targets/milestones.ts'
import { fieldsOf } from '../world.ts'
import { makeTargetWorld, today, type TargetRow, type TargetWorld } from './world.ts'
import type { MadeUser } from '../../support/make.ts'

interface Part {
  ownerType: string
  ownerId: string
  name: string
  people: number
  value: number
  present: number | null
}
interface Proposal {
  parts: Part[]
  residual: number
  total: number
}

let world: TargetWorld
let team: string
let agents: MadeUser[]
const propose = async (id: string, query: string) =>
  (await world.as.manager.get<Proposal & Record<string, unknown>>(`/api/targets/${id}/parts?${query}`)).body.data
const save = (id: string, parts: Pick<Part, 'ownerType' | 'ownerId' | 'value'>[]) =>
  world.as.manager.put<{ targets: TargetRow[]; residual: number }>(`/api/targets/${id}/parts`, {
    parts: parts.map(({ ownerType, ownerId, value }) => ({ ownerType, ownerId, value })),
  })
const sum = (parts: { value: number }[]) => parts.reduce((all, { value }) => all + value, 0)

beforeAll(async () => {
  world = await makeTargetWorld()
  agents = await Promise.all([1, 2, 3].map(() => world.app.make.user({ tenant: world.team, role: 'officer' })))
  team = (await world.as.manager.post<{ team: { Id: string } }>('/api/teams', { name: 'Three', members: agents.map(({ id }) => id) })).body
    .data.team.Id
})
afterAll(() => world.app.close())

describe('distributing a target', () => {
  it('falls evenly to the members of a team, and shows what rounding leaves', async () => {
    const made = await world.target({ ownerType: 'team', ownerTeamId: team, value: 10 })
    const even = await propose(made.Id, 'method=even')
    expect([even.parts.map(({ value }) => value), even.residual]).toEqual([[3, 3, 3], 1])
    const spread = await propose(made.Id, 'method=even&spread=true')
    expect([sum(spread.parts), spread.residual]).toEqual([10, 0])
    const saved = await save(made.Id, even.parts)
    expect([saved.status, saved.body.data.residual, saved.body.message]).toEqual([200, 1, 'Target distributed, 1 is left'])
    expect(saved.body.data.targets).toHaveLength(3)
    expect(saved.body.data.targets[0]).toMatchObject({
      parentId: made.Id,
      metric: made['metric'],
      startDate: made.startDate,
      ownerType: 'user',
      tenantId: world.team.id,
    })
  })

  it('changes the parts there are instead of making new ones, and drops one of zero', async () => {
    const made = await world.target({ ownerType: 'team', ownerTeamId: team, value: 30 })
    const first = await propose(made.Id, 'method=even')
    await save(made.Id, first.parts)
    const again = await propose(made.Id, 'method=even')
    expect(again.parts.map(({ present }) => present)).toEqual([10, 10, 10])
    await save(
      made.Id,
      again.parts.map((part, index) => ({ ...part, value: [20, 10, 0][index] ?? 0 })),
    )
    const filter = encodeURIComponent(JSON.stringify([{ field: 'parentId', op: 'eq', value: made.Id }]))
    const { body } = await world.as.manager.get<{ targets: TargetRow[] }>(`/api/targets?filter=${filter}&sortField=value&sortOrder=DESC`)
    expect(body.data.targets.map(({ value }) => value)).toEqual([20, 10])
    const { rows: gone } = await world.app.database.admin.query(
      `select g.action from target t join audit_log g on g."objectId" = t.id::text where t."parentId" = $1 and t."deletedAt" is not null order by g.seq`,
      [made.Id],
    )
    expect(gone.map(({ action }) => action)).toEqual(['target.create', 'target.remove'])
  })

  it('follows what each reached in the period before', async () => {
    const month = Date.parse(`${today().slice(0, 7)}-01T12:00:00Z`) - 5 * 86_400_000
    for (const [index, visits] of [3, 1, 0].entries())
      for (let count = 0; count < visits; count += 1) await world.visit(agents[index] as MadeUser, 'done', new Date(month))
    const made = await world.target({ ownerType: 'team', ownerTeamId: team, metric: 'visits.done', value: 40 })
    const last = await propose(made.Id, 'method=last')
    expect(agents.map(({ id }) => last.parts.find(({ ownerId }) => ownerId === id)?.value)).toEqual([30, 10, 0])
  })

  it('falls to teams and branches by their heads', async () => {
    const made = await world.target({ ownerType: 'tenant', ownerTenantId: world.branch.id, value: 100 })
    const heads = await propose(made.Id, 'to=tenant&method=headcount')
    expect(heads.parts.map(({ name, people, value }) => [name, people, value])).toEqual([['Westlands', 4, 100]])
    const teams = await propose(made.Id, 'to=team&method=headcount')
    expect(teams.parts.map(({ name, people }) => [name, people])).toEqual([['Three', 3]])
    expect((await propose(made.Id, 'to=user')).parts).toHaveLength(5)
  })

  it('gives nothing to who is not below, no more than the whole, and nothing of one person’s', async () => {
    const made = await world.target({ ownerType: 'team', ownerTeamId: team, value: 10 })
    const outside = await save(made.Id, [{ ownerType: 'user', ownerId: world.people.officer.id, value: 1 }])
    expect([outside.status, fieldsOf(outside)]).toEqual([422, ['parts.0.ownerId']])
    const tooMuch = await save(made.Id, [{ ownerType: 'user', ownerId: agents[0]?.id ?? '', value: 11 }])
    expect([tooMuch.status, fieldsOf(tooMuch)]).toEqual([422, ['parts']])
    const person = await world.target({ ownerType: 'user', ownerUserId: world.people.officer.id })
    expect((await world.as.manager.get(`/api/targets/${person.Id}/parts`)).status).toBe(422)
    expect((await world.as.officer.get(`/api/targets/${made.Id}/parts`)).status).toBe(403)
    expect((await world.as.foreign.get(`/api/targets/${made.Id}/parts`)).status).toBe(404)
  })

  it('loses no cent of any amount, whichever way', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.constantFrom('even', 'last', 'headcount'),
        fc.boolean(),
        async (cents, method, spread) => {
          const made = await world.target({ ownerType: 'team', ownerTeamId: team, metric: 'leads.requestedAmount', value: cents / 100 })
          const { parts, residual } = await propose(made.Id, `method=${method}&spread=${spread}`)
          expect(Math.round(sum(parts) * 100) + Math.round(residual * 100)).toBe(cents)
        },
      ),
      { numRuns: 15 },
    )
  })
})

describe('milestones', () => {
  const look = async () => {
    const ctx = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
    await ctx.transaction((inner) => milestoneJob.job.run(inner, {}, { id: 'test', attempt: 1, signal: new AbortController().signal }))
  }
  const told = async (userId: string) =>
    (
      await world.app.database.admin.query<{ message: string }>(
        'select message from notification where "userId" = $1 and message like \'Target%\' order by "dateCreated"',
        [userId],
      )
    ).rows.map(({ message }) => message)

  it('are notified once each, the highest only, to the owner', async () => {
    const user = await world.app.make.user({ tenant: world.team, role: 'officer' })
    const by = await world.app.as(user)
    await world.target({ ownerType: 'user', ownerUserId: user.id, value: 4 })
    await world.lead(by)
    await look()
    expect(await told(user.id)).toEqual([])
    await world.lead(by)
    await look()
    await look()
    expect(await told(user.id)).toEqual(['Target 50 % reached: Leads captured'])
    await world.lead(by)
    await world.lead(by)
    await look()
    expect(await told(user.id)).toEqual(['Target 50 % reached: Leads captured', 'Target reached: Leads captured'])
    expect(await told(world.people.manager.id)).toContain('Target reached: Leads captured')
  })

  it('plan the next look as long as a target runs, one at a time', async () => {
    const open = async () =>
      (
        await world.app.database.admin.query(
          "select from outbox where \"companyId\" = $1 and type = 'targets.milestones' and status = 'new'",
          [world.company.id],
        )
      ).rowCount
    await world.app.database.admin.query("delete from outbox where type = 'targets.milestones'")
    await world.target({ ownerType: 'user', ownerUserId: world.people.officer.id })
    await world.target({ ownerType: 'user', ownerUserId: world.people.officer.id })
    expect(await open()).toBe(1)
  })
})
