import { randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { fieldsOf } from '../world.ts'
import { activityWorld, hour, plan, read, type ActivityRow } from './support.ts'

const { world, types, statuses, rows, move } = await activityWorld()
afterAll(() => world.app.close())

describe('changing', () => {
  it('sets fields, links and the status of all agents; somebody else’s change in between is a conflict', async () => {
    const lead = await world.app.make.lead({ tenant: world.team })
    const made = await plan(world.as.manager, { assignedUsers: [world.people.officer.id], leads: [lead.id] })
    const saved = (
      await world.as.manager.put<{ activity: ActivityRow }>(`/api/activities/${made.Id}`, {
        version: made.version,
        name: 'Renamed',
        leads: [],
        statusId: statuses['cancelled'],
      })
    ).body.data.activity
    expect(saved).toMatchObject({ name: 'Renamed', leads: [], meaning: 'cancelled' })
    expect(saved.assignedUsers[0]?.statusId).toBe(statuses['cancelled'])
    expect((await world.as.manager.put(`/api/activities/${made.Id}`, { version: made.version, name: 'Again' })).body.code).toBe('CONFLICT')
    expect((await world.as.manager.put(`/api/activities/${made.Id}`, { statusId: statuses['done'] })).body.code).toBe('ILLEGAL_TRANSITION')
  })

  it('adds agents, clients, leads and other records, and refuses what is not there', async () => {
    const lead = await world.app.make.lead({ tenant: world.team })
    const client = await world.app.make.client({ tenant: world.team })
    const made = await plan(world.as.manager, { assignedUsers: [world.people.officer.id] })
    const { manager } = world.as
    const post = (path: string, body: object) =>
      manager.post<{ activity: ActivityRow }>(`/api/activities/${path}`, { activityId: made.Id, ...body })
    expect((await post('assignment', { userId: world.people.manager.id })).body.data.activity.assignedUsers).toHaveLength(2)
    expect(
      (
        await manager.put<{ activity: ActivityRow }>('/api/activities/assignment', {
          activityId: made.Id,
          userIds: [world.people.manager.id],
        })
      ).body.data.activity.agentName,
    ).toBe('Baraka Manager')
    expect((await post('lead', { leadId: lead.id })).body.data.activity.leads.map(({ Id }) => Id)).toEqual([lead.id])
    expect((await post('client', { clientId: client.id })).body.data.activity.clients.map(({ Id }) => Id)).toEqual([client.id])
    expect(
      (
        await post('entities', {
          entities: [
            { entityType: 'tenant', entityId: world.team.id },
            { entityType: 'lead', entityId: lead.id },
          ],
        })
      ).body.data.activity,
    ).toMatchObject({ entities: [{ entityType: 'tenant', entityId: world.team.id }] })
    expect(fieldsOf(await post('entities', { entities: [{ entityType: 'spaceship', entityId: lead.id }] }))).toEqual(['entityType'])
    expect(fieldsOf(await post('entities', { entities: [{ entityType: 'tenant', entityId: world.other.id }] }))).toEqual(['entityId'])
    expect(fieldsOf(await post('entities', { entities: [{ entityType: 'tenant', entityId: world.stranger.id }] }))).toEqual(['entityId'])
    expect(fieldsOf(await post('lead', { leadId: randomUUID() }))).toEqual(['leads'])
    expect(fieldsOf(await post('client', {}))).toEqual(['clientId'])
  })

  it('many at once: status, agents, days; all or none', async () => {
    const made = [await plan(world.as.manager, { name: 'Bulk 1' }), await plan(world.as.manager, { name: 'Bulk 2' })]
    const ids = made.map(({ Id }) => Id)
    const bulk = (body: object) => world.as.manager.post<{ activities: ActivityRow[] }>('/api/activities/bulk-update', body)
    const moved = (await bulk({ ids, days: 2, assignedUsers: [world.people.officer.id] })).body.data.activities
    expect(
      moved.map(({ startDate, agentName }, index) => [Date.parse(startDate) - Date.parse(made[index]?.startDate ?? ''), agentName]),
    ).toEqual([
      [48 * hour, 'Chidi Officer'],
      [48 * hour, 'Chidi Officer'],
    ])
    await bulk({ ids: [ids[0]], statusId: statuses['done'] })
    const refused = await bulk({ ids, statusId: statuses['missed'] })
    expect(refused.body.code).toBe('ILLEGAL_TRANSITION')
    expect((await read(world.as.manager, ids[1] ?? '')).meaning).toBe('open')
    expect((await bulk({ activities: [{ Id: ids[1], name: 'Bulk renamed' }] })).body.data.activities[0]?.name).toBe('Bulk renamed')
    expect(fieldsOf(await bulk({ ids, activities: [] }))).toContain('activities')
    expect((await bulk({ ids: [...ids, randomUUID()], days: 1 })).status).toBe(404)
  })

  it('deletes and brings back', async () => {
    const made = await plan(world.as.manager)
    expect((await world.as.manager.post('/api/activities/delete', { id: made.Id })).status).toBe(200)
    expect((await world.as.manager.get(`/api/activities/${made.Id}`)).status).toBe(404)
    expect((await world.as.manager.post('/api/activities/restore', { ids: [made.Id] })).status).toBe(200)
    expect((await read(world.as.manager, made.Id)).name).toBe('Visit')
  })

  it('keeps files with agent actions 2 and 3, each added once', async () => {
    const made = await plan(world.as.officer)
    const fileId = randomUUID()
    await world.app.make.row('stored_file', {
      companyId: world.company.id,
      id: fileId,
      tenantId: world.team.id,
      storageKey: fileId,
      path: `uploads/${fileId}/photo.jpg`,
      name: 'photo.jpg',
      mimeType: 'image/jpeg',
      size: 12,
      sha256: Buffer.alloc(32),
    })
    const files = (body: object) =>
      world.as.officer.put<{ activity: ActivityRow & { files: { Id: string; name: string }[] } }>(
        '/api/activities/update-assignment-files',
        { activityId: made.Id, ...body },
      )
    const actions = async () =>
      (
        await rows<{ action: number }>(
          'select action from agent_action where "performedByUserId" = $1 and action in (2, 3) order by "dateCreated"',
          [world.people.officer.id],
        )
      ).map(({ action }) => action)
    expect((await files({ newFiles: [{ Id: fileId }], latitude: -1.28, longitude: 36.8 })).body.data.activity.files).toEqual([
      expect.objectContaining({ Id: fileId, name: 'photo.jpg' }),
    ])
    await files({ newFiles: [fileId] })
    expect(await actions()).toEqual([2])
    expect((await files({ removedFiles: [fileId] })).body.data.activity.files).toEqual([])
    expect(await actions()).toEqual([2, 3])
    expect(fieldsOf(await files({ newFiles: [randomUUID()] }))).toEqual(['newFiles'])
  })

  it('is shown in the timeline: who did what, newest first', async () => {
    const made = await plan(world.as.manager, {
      activityTypeId: types['Visit'],
      location: 'Shop',
      lat: -1.28,
      lng: 36.8,
      assignedUsers: [world.people.officer.id],
    })
    await world.as.manager.put(`/api/activities/${made.Id}`, { name: 'New name' })
    await move(world.as.officer, made.Id, 'done', { latitude: -1.3, longitude: 36.8, reason: 'All well' })
    const { body } = await world.as.officer.get<{ timeline: { who: string; what: string; detail: string | null; at: string }[] }>(
      `/api/activities/${made.Id}/timeline`,
    )
    const told = body.data.timeline.map(({ who, what, detail }) => [who, what, detail])
    expect(told[0]).toEqual(['Chidi Officer', 'Status It is open → It is done', 'All well · 2224 m from the place, outside the circle'])
    expect(told).toContainEqual(['Baraka Manager', 'Changed', `Name: ${made.name} → New name`])
    expect(told).toContainEqual(['Baraka Manager', 'Planned', null])
    expect(told).toContainEqual(['Baraka Manager', 'Agents', 'Chidi Officer'])
    expect(told.filter(([, what]) => what?.startsWith('Status'))).toHaveLength(1)
  })
})
