import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { MadeUser } from '../../support/make.ts'
import { makeDevice } from '../../sync/world.ts'
import { makeWorld, type World } from '../world.ts'
import { capture, phone, read, runJobs, setColumns } from './world.ts'

let world: World
let second: MadeUser
let isMade = false
beforeEach(async () => {
  if (!isMade) {
    world = await makeWorld()
    second = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Amani', lastName: 'Second' })
    isMade = true
  }
  await world.app.database.admin.query('delete from assignment_rule')
})
afterAll(() => world.app.close())

const rulesPath = '/api/leads/assignment-rules'
async function rule(over: object = {}, by = world.as.manager): Promise<string> {
  const { status, body, text } = await by.post<{ assignmentRule: { Id: string } }>(rulesPath, {
    name: 'Everybody',
    method: 'ROUND ROBIN',
    ...over,
  })
  expect(status, text).toBe(200)
  return body.data.assignmentRule.Id
}
const work = () => runJobs(world.app, world.company.id, 'leads.assignByRule')
const holderOf = async (id: string) => (await read(world.as.admin, id))['assignedUserIdLabel']
const byRule = (ids: string[]) =>
  world.as.manager.post<{ assigned: { agent: string; why: string }[]; left: string[] }>('/api/leads/assign-by-rule', { ids })

describe('a new lead', () => {
  it('goes to the next officer in turn, who is notified, and the history says why', async () => {
    await rule()
    const leads = [await capture(world.as.officer), await capture(world.as.officer), await capture(world.as.officer)]
    expect(await work()).toBe(3)
    const holders = []
    for (const { Id } of leads) holders.push(await holderOf(Id))
    expect(holders.toSorted()).toEqual(['Amani Second', 'Amani Second', 'Chidi Officer'])
    expect((await read(world.as.officer, leads[0]?.Id ?? '')).status).toBe('Assigned')
    const { body } = await world.as.officer.get<{ assignments: object[] }>(`/api/leads/${leads[0]?.Id}/assignments`)
    expect(body.data.assignments).toMatchObject([{ who: 'Outpost', rule: 'Everybody', explanation: 'Everybody: Next in turn of 2' }])
    const told = await world.app.database.admin.query('select link from notification where "userId" = $1', [second.id])
    expect(told.rows.length).toBeGreaterThan(0)
  })

  it('is given away too when a device sends it', async () => {
    await rule({ candidateUserIds: [second.id] })
    const device = makeDevice(world.as.officer, world.team.id)
    const change = device.insert({ firstName: 'Off', lastName: 'Line', phonenumber: phone() })
    expect((await device.push([change])).results[0]?.status).toBe('applied')
    expect(await work()).toBe(1)
    expect(await holderOf(change.entityId)).toBe('Amani Second')
  })

  it('is given away with the others of its batch, each in turn, by few jobs', async () => {
    await rule({ candidateUserIds: [second.id, world.people.officer.id] })
    const device = makeDevice(world.as.officer, world.team.id)
    const changes = Array.from({ length: 30 }, (_, index) =>
      device.insert({ firstName: 'Off', lastName: `Line ${String.fromCharCode(97 + (index % 26))}`, phonenumber: phone() }),
    )
    const twin = device.insert({ firstName: 'Off', lastName: 'Twin', phonenumber: String(changes[0]?.snapshot?.['phonenumber']) })
    expect(new Set((await device.push([...changes, twin])).results.map(({ status }) => status))).toEqual(new Set(['applied', 'rejected']))
    expect(await work()).toBe(2)
    const holders = await Promise.all(changes.map(({ entityId }) => holderOf(entityId)))
    expect(holders).toEqual(changes.map((_, index) => (index % 2 === 0 ? holders[0] : holders[1])))
    expect(new Set(holders)).toEqual(new Set(['Amani Second', 'Chidi Officer']))
  })

  it('counts in what was given away just before', async () => {
    const ids: string[] = []
    for (let index = 0; index < 4; index += 1) ids.push((await capture(world.as.officer)).Id)
    await rule({ method: 'LOAD', candidateUserIds: [second.id, world.people.officer.id] })
    const { assigned } = (await byRule(ids)).body.data
    const loads = assigned.map(({ agent, why }) => [agent, Number(/^(\d+) open/.exec(why)?.[1])] as const)
    for (const [index, [agent, load]] of loads.entries()) {
      const before = loads
        .slice(0, index)
        .filter(([other]) => other === agent)
        .at(-1)
      if (before) expect(load).toBe(before[1] + 1)
    }
  })

  it('waits without a rule, and stays with whoever took it before the job came', async () => {
    const before = await capture(world.as.officer)
    expect(await work()).toBe(0)
    expect(await holderOf(before.Id)).toBeNull()
    await rule({ candidateUserIds: [second.id] })
    const taken = await capture(world.as.officer)
    await world.as.manager.post('/api/leads/assignlead', { leadId: taken.Id, userId: world.people.officer.id })
    expect(await work()).toBe(1)
    expect(await holderOf(taken.Id)).toBe('Chidi Officer')
  })
})

describe('rules', () => {
  it('are asked in their order, and only those whose conditions hold', async () => {
    await rule({ name: 'Rest', position: 90, candidateUserIds: [world.people.officer.id] })
    await rule({ name: 'Thika', position: 10, city: 'Thika', candidateUserIds: [second.id] })
    await rule({ name: 'Off', position: 1, isActive: false, candidateUserIds: [second.id] })
    await rule({ name: 'Other branch', position: 2, branchId: world.other.id, candidateUserIds: [second.id] }, world.as.admin)
    const [thika, nakuru] = [await capture(world.as.officer, { city: 'THIKA ' }), await capture(world.as.officer, { city: 'Nakuru' })]
    await work()
    expect([await holderOf(thika.Id), await holderOf(nakuru.Id)]).toEqual(['Amani Second', 'Chidi Officer'])
  })

  it('give to the fewest open leads, and to the nearest', async () => {
    const { app, team, people } = world
    for (let index = 0; index < 30; index += 1) await app.make.lead({ tenant: team, assignedUserId: second.id, status: 'Contacted' })
    await rule({ method: 'LOAD' })
    const [one] = [await capture(world.as.officer)]
    const answer = await byRule([one.Id])
    expect(answer.body.data.assigned).toMatchObject([
      { agent: 'Chidi Officer', why: expect.stringMatching(/^\d+ open leads, fewest of 2$/) },
    ])
    await app.database.admin.query('delete from assignment_rule')
    await rule({ method: 'NEAREST' })
    await app.make.row('agent_action', {
      companyId: team.companyId,
      id: randomUUID(),
      tenantId: team.id,
      performedByUserId: second.id,
      action: 1,
      latitude: -1.03,
      longitude: 37.07,
    })
    const far = await capture(world.as.officer)
    await setColumns(app, far.Id, { latitude: -1.031, longitude: 37.07 })
    expect((await byRule([far.Id])).body.data.assigned).toMatchObject([{ agent: 'Amani Second', why: '0.1 km away, nearest of 2' }])
    expect(people.officer.id).not.toBe(second.id)
  })

  it('give to the members of a team, while they are members', async () => {
    const { app, branch } = world
    const team = await app.make.row<{ id: string }>('team', {
      companyId: branch.companyId,
      id: randomUUID(),
      tenantId: branch.id,
      name: 'Hunters',
    })
    const member = (userId: string, over: object = {}) =>
      app.make.row('team_member', {
        companyId: branch.companyId,
        id: randomUUID(),
        tenantId: branch.id,
        teamId: team.id,
        userId,
        addedByUserId: userId,
        ...over,
      })
    await member(second.id)
    await member(world.people.officer.id, { fromDate: new Date(Date.now() - 9e8), toDate: new Date(Date.now() - 1e6) })
    await rule({ candidateTeamId: team.id })
    const leads = [await capture(world.as.officer), await capture(world.as.officer)]
    await work()
    expect([await holderOf(leads[0]?.Id ?? ''), await holderOf(leads[1]?.Id ?? '')]).toEqual(['Amani Second', 'Amani Second'])
  })

  it('pass over who could not open the lead, and move it down to the team of who gets it', async () => {
    await rule({ candidateUserIds: [world.people.elsewhere.id] }, world.as.admin)
    const atBranch = await capture(world.as.manager)
    expect((await byRule([atBranch.Id])).body.data).toMatchObject({ assigned: [], left: [atBranch.Id] })
    await rule({ position: 20, candidateTenantId: world.branch.id })
    expect((await byRule([atBranch.Id])).body.data.left).toEqual([])
    const moved = await read(world.as.officer, atBranch.Id)
    expect([moved.tenantId, ['Amani Second', 'Chidi Officer'].includes(String(moved['assignedUserIdLabel']))]).toEqual([
      world.team.id,
      true,
    ])
  })

  it('are kept by managers only, and a bad one is refused by its field', async () => {
    const id = await rule()
    expect((await world.as.officer.get(rulesPath)).status).toBe(403)
    expect((await world.as.officer.post(rulesPath, { name: 'Mine', method: 'LOAD' })).status).toBe(403)
    const names = async (body: object) =>
      (await world.as.manager.post(rulesPath, { name: 'x', method: 'LOAD', ...body })).body.fields?.map(({ field }) => field)
    expect([
      await names({ method: 'DICE' }),
      await names({ name: '' }),
      await names({ candidateTenantId: world.stranger.id }),
      await names({ position: -1 }),
    ]).toEqual([['method'], ['name'], ['candidateTenantId'], ['position']])
    expect((await world.as.foreign.get(`${rulesPath}/${id}`)).status).toBe(404)
    expect((await world.as.manager.put(`${rulesPath}/${id}`, { isActive: false })).status).toBe(200)
    expect((await world.as.manager.post(`${rulesPath}/delete`, { id })).status).toBe(200)
    expect((await world.as.manager.get(`${rulesPath}/${id}`)).status).toBe(404)
  })
})
