import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import type { SignedInClient } from '../../support/app.ts'
import { activityWorld, at, names, plan, read, type Agent, type Status } from './support.ts'

const { world, types, statuses, rows, move } = await activityWorld()
afterAll(() => world.app.close())

describe('seeing', () => {
  it('shows a branch its own; neither the other branch nor another company sees, changes or removes anything', async () => {
    const made = await plan(world.as.officer, { name: 'Hidden from others' })
    for (const who of [world.as.officer, world.as.manager, world.as.admin])
      expect(names(await who.get('/api/activities?search=hidden from'))).toEqual(['Hidden from others'])
    for (const who of [world.as.elsewhere, world.as.foreign]) {
      expect(names(await who.get('/api/activities?search=hidden from'))).toEqual([])
      const { Id } = made
      for (const call of [
        who.get(`/api/activities/${Id}`),
        who.get(`/api/activities/${Id}/timeline`),
        who.get(`/api/activities/list/${Id}`),
        who.get(`/api/activities/activityagents/${Id}`),
        who.put(`/api/activities/${Id}`, { name: 'Taken' }),
        who.post('/api/activities/assignment', { activityId: Id, userId: who.user.id }),
        who.get(`/api/activities/get-activity-assignment/${Id}/x`),
        who.put('/api/activities/update-assignment-files', { activityId: Id }),
        who.post('/api/activities/lead', { activityId: Id, leadId: randomUUID() }),
      ]) {
        const { status, body } = await call
        expect([status, body.message]).toEqual([404, 'Activity not found'])
      }
    }
    expect((await read(world.as.officer, made.Id)).name).toBe('Hidden from others')
  })

  it('lists from a day back to a week ahead, latest first, and narrows by status and type', async () => {
    const run = `Window ${randomUUID().slice(0, 8)}`
    for (const [name, hours, over] of [
      ['now', 1, { activityTypeId: types['Call'] }],
      ['yesterday', -20, {}],
      ['long ago', -72, {}],
      ['far ahead', 24 * 9, {}],
    ] as const) {
      await plan(world.as.officer, { name: `${run} ${name}`, startDate: at(hours), endDate: at(hours + 1), ...over })
    }
    const list = async (query: string) =>
      names(await world.as.officer.get(`/api/activities?search=${run}${query}`)).map((name) => name.slice(run.length + 1))
    expect(await list('')).toEqual(['now', 'yesterday'])
    expect(await list('&startDate=2020-01-01&endDate=2100-01-01&sortField=startDate&sortOrder=ASC')).toEqual([
      'long ago',
      'yesterday',
      'now',
      'far ahead',
    ])
    expect(await list('&status=it is open')).toEqual(['now', 'yesterday'])
    expect(await list('&status=ALL&type=ALL')).toEqual(['now', 'yesterday'])
    expect(await list(`&status=${statuses['done']}`)).toEqual([])
    expect(await list('&type=call')).toEqual(['now'])
    expect(await list(`&type=${types['Visit']}`)).toEqual([])
    const { body } = await world.as.officer.get('/api/activities')
    expect(body.meta).toMatchObject({ page: 1, size: 10_000 })
  })

  it('finds by agent, lead and meaning', async () => {
    const lead = await world.app.make.lead({ tenant: world.team })
    const made = await plan(world.as.manager, { name: 'Found by links', assignedUsers: [world.people.officer.id], leads: [lead.id] })
    const by = async (...filter: object[]) =>
      names(await world.as.manager.get(`/api/activities?search=found by&filter=${encodeURIComponent(JSON.stringify(filter))}`)).length
    expect(await by({ field: 'assignedUsers', op: 'contains', value: world.people.officer.id })).toBe(1)
    expect(await by({ field: 'assignedUsers', op: 'contains', value: world.people.elsewhere.id })).toBe(0)
    expect(await by({ field: 'leads', op: 'contains', value: lead.id }, { field: 'meaning', op: 'in', value: ['open'] })).toBe(1)
    expect(await by({ field: 'leads', op: 'empty' })).toBe(0)
    expect(await by({ field: 'clients', op: 'empty' })).toBe(1)
    const bad = await world.as.manager.get(
      `/api/activities?filter=${encodeURIComponent(JSON.stringify([{ field: 'leads', op: 'contains', value: `${made.Id}' or true` }]))}`,
    )
    expect([bad.status, fieldsOf(bad)]).toEqual([422, ['filter']])
  })

  it('gives the caller’s own work, an agent’s work, several by id, and who is on one', async () => {
    const own = await plan(world.as.officer, { name: 'Own work' })
    const others = await plan(world.as.manager, { name: 'Work of the manager' })
    expect(names(await world.as.officer.get('/api/activities/agent-my-work-activities?search=work'))).toEqual(['Own work'])
    expect(names(await world.as.manager.get(`/api/activities/agents/${world.people.officer.id}?search=work`))).toEqual(['Own work'])
    expect(names(await world.as.manager.get(`/api/activities/list/${own.Id},${others.Id}`)).toSorted()).toEqual([
      'Own work',
      'Work of the manager',
    ])
    expect((await world.as.officer.get(`/api/activities/list/${own.Id},${others.Id}`)).status).toBe(404)
    const { body } = await world.as.manager.get<{ agents: Agent[] }>(`/api/activities/activityagents/${own.Id}`)
    expect(body.data.agents.map(({ label }) => label)).toEqual(['Chidi Officer'])
  })

  it('counts by status and by type for the widgets, with the list’s own window', async () => {
    await plan(world.as.elsewhere, { name: 'Counted', activityTypeId: types['Visit'] })
    const done = await plan(world.as.elsewhere, { name: 'Counted done', activityTypeId: types['Call'] })
    await plan(world.as.elsewhere, { name: 'Too far', startDate: at(24 * 30), endDate: at(24 * 30 + 1) })
    await move(world.as.elsewhere, done.Id, 'done')
    const of = async (path: string) =>
      (await world.as.elsewhere.get<{ activities: { label: string; count: number }[]; total: number }>(path)).body.data
    expect(await of('/api/activities/for-status-widget')).toMatchObject({
      activities: [
        { label: 'It is open', meaning: 'open', count: 1 },
        { label: 'It is done', count: 1 },
      ],
      total: 2,
    })
    const byType = await of('/api/activities/for-type-widget')
    expect(Object.fromEntries(byType.activities.map(({ label, count }) => [label, count]))).toEqual({ Visit: 1, Call: 1 })
    expect((await of(`/api/activities/for-type-widget?status=${statuses['done']}`)).total).toBe(1)
  })

  it('reports each agent’s work with its status, 30 days ahead, latest change first', async () => {
    const first = await plan(world.as.officer, { name: 'Report a' })
    await plan(world.as.officer, { name: 'Report b' })
    await plan(world.as.officer, { name: 'Report past', startDate: at(-5), endDate: at(-4) })
    await move(world.as.officer, first.Id, 'missed', { reason: 'Nobody was there' })
    const report = async (query: string) =>
      (
        await world.as.manager.get<{ activityAssignments: { name: string; status: string; statusReason: string; agentName: string }[] }>(
          `/api/activities/agentActivityStatusReport?search=report${query}`,
        )
      ).body
    const all = await report('')
    expect(all.data.activityAssignments.map(({ name }) => name)).toEqual(['Report a', 'Report b'])
    expect(all.data.activityAssignments[0]).toMatchObject({
      status: 'It is missed',
      statusReason: 'Nobody was there',
      agentName: 'Chidi Officer',
    })
    expect(all.meta?.size).toBe(1_000_000)
    expect((await report('&status=missed')).data.activityAssignments).toHaveLength(1)
    expect((await report('&status=ALL')).data.activityAssignments).toHaveLength(2)
  })
})

describe('types and statuses', () => {
  it('are the caller’s tenant’s and its parents’, active ones only; another tenant’s carry its short code', async () => {
    const { make } = world.app
    await make.row('activity_type', { companyId: world.company.id, id: randomUUID(), tenantId: world.branch.id, name: 'Branch only' })
    await make.row('activity_type', {
      companyId: world.company.id,
      id: randomUUID(),
      tenantId: world.company.id,
      name: 'Retired',
      status: 0,
    })
    const labels = async (who: SignedInClient) =>
      (await who.get<{ activityTypes: { label: string }[] }>('/api/activities/types')).body.data.activityTypes.map(({ label }) => label)
    expect(await labels(world.as.officer)).toEqual(
      ['Branch only', 'Call', 'Visit'].map((name) =>
        name === 'Branch only' ? `${name} (${world.branch.shortCode})` : `${name} (${world.company.shortCode})`,
      ),
    )
    expect(await labels(world.as.elsewhere)).toEqual([`Call (${world.company.shortCode})`, `Visit (${world.company.shortCode})`])
    expect(await labels(world.as.admin)).toEqual([`Branch only (${world.branch.shortCode})`, 'Call', 'Visit'])
    expect(await labels(world.as.foreign)).toEqual([])
    const shown = (await world.as.admin.get<{ activityStatuses: Status[] }>('/api/activities/statuses')).body.data.activityStatuses
    expect(shown.map(({ meaning }) => meaning).toSorted()).toEqual(['cancelled', 'done', 'missed', 'open', 'started'])
  })

  it('are managed by administrators: one default, which means work to be done; what is used stays', async () => {
    const [path, { admin, officer }] = ['/api/activities/statuses/manage', world.as]
    expect((await officer.get(path)).status).toBe(403)
    const made = (
      await admin.post<{ activityStatus: { Id: string } }>(path, { name: 'Planned', meaning: 'open', default: true, colour: 'gold' })
    ).body.data.activityStatus
    const defaults = await rows<{ name: string }>('select name from activity_status where "companyId" = $1 and "default"', [
      world.company.id,
    ])
    expect(defaults).toEqual([{ name: 'Planned' }])
    expect(fieldsOf(await admin.put(`${path}/${made.Id}`, { meaning: 'done' }))).toEqual(['default'])
    expect(fieldsOf(await admin.put(`${path}/${made.Id}`, { status: 0 }))).toEqual(['default'])
    expect(fieldsOf(await admin.put(`${path}/${statuses['done']}`, { meaning: 'missed' }))).toEqual(['meaning'])
    expect(fieldsOf(await admin.post(path, { name: 'Odd', meaning: 'nearly' }))).toEqual(['meaning'])
    expect((await admin.put(`${path}/${statuses['open']}`, { default: true })).status).toBe(200)
    expect((await admin.post(`${path}/delete`, { id: made.Id })).status).toBe(200)
    expect((await admin.post(`${path}/delete`, { id: statuses['open'] })).body.code).toBe('STILL_IN_USE')
    expect((await world.as.foreign.put(`${path}/${statuses['open']}`, { name: 'Taken' })).status).toBe(404)
  })

  it('that are inactive cannot be chosen any more', async () => {
    const id = randomUUID()
    await world.app.make.row('activity_status', {
      companyId: world.company.id,
      id,
      tenantId: world.company.id,
      name: 'Old word',
      meaning: 'done',
      status: 0,
    })
    const made = await plan(world.as.officer)
    const answer = await world.as.officer.put('/api/activities/updateAssignmentStatus', { activityId: made.Id, statusId: id })
    expect([answer.status, fieldsOf(answer)]).toEqual([422, ['statusId']])
  })
})
