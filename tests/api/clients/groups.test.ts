import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rolloverJob } from '../../../apps/server/src/areas/clients/groups/group.rollover.job.ts'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

interface GroupRow {
  Id: string
  version: number
  groupNumber: string
  status: string
  memberCount: number
  chair: string | null
  nextMeetingAt: string | null
  members: { Id: string; clientId: string; clientIdLabel?: string; role: string }[]
}

let world: World
let phones = 30_000_000
const make = (body: object = {}, by: keyof World['as'] = 'manager') =>
  world.as[by].post<{ clientGroup: GroupRow }>('/api/client-groups', { name: 'Umoja', minMembers: 2, maxMembers: 3, ...body })
const made = async (body: object = {}) => {
  const answer = await make(body)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.clientGroup
}
const put = (id: string, body: object) => world.as.manager.put<{ clientGroup: GroupRow }>(`/api/client-groups/${id}`, body)
const client = async (firstName: string, by: keyof World['as'] = 'officer') => {
  const answer = await world.as[by].post<{ client: { Id: string } }>('/api/clients', {
    firstName,
    lastName: 'Otieno',
    phonenumber: `07${(phones += 1)}`,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.client.Id
}
const as = (role: string) => (clientId: string) => ({ clientId, role })
const [chair, member] = [as('Chair'), as('Member')]

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

describe('a group', () => {
  it('has members with offices, works once it has enough and a chair, and shows on the client', async () => {
    const [a, b, c] = [await client('Ann'), await client('Ben'), await client('Cyd')]
    const group = await made({ members: [member(a)] })
    expect(group).toMatchObject({ status: 'Forming', memberCount: 1, chair: null, assignedUserId: world.people.manager.id })
    expect(group.groupNumber).toMatch(/^G-\d{4}$/)
    const move = (body: object) => world.as.manager.post<{ clientGroup: GroupRow }>(`/api/client-groups/${group.Id}/move`, body)
    const early = await move({ move: 'activate' })
    expect([early.status, early.body.message]).toEqual([409, 'A group needs 2 members to work; this one has 1.'])
    await put(group.Id, { members: [...group.members, member(b)] })
    expect((await move({ move: 'activate' })).body.message).toBe('Nobody chairs this group yet.')
    const two = (await put(group.Id, { members: [{ Id: group.members[0]?.Id, role: 'Chair' }, member(b)] })).body.data.clientGroup
    expect(two).toMatchObject({ chair: 'Ann Otieno', memberCount: 2 })
    expect((await move({ move: 'activate' })).body.data.clientGroup.status).toBe('Active')
    expect(fieldsOf(await put(group.Id, { members: [{ Id: group.members[0]?.Id }] }))).toEqual(['members'])
    expect((await put(group.Id, { members: [...two.members, member(c)] })).status).toBe(200)
    const { body } = await world.as.manager.get<{ groups: { Id: string; role: string }[] }>(`/api/clients/${a}/groups`)
    expect(body.data.groups).toMatchObject([{ Id: group.Id, role: 'Chair', status: 'Active' }])
    const held = await world.as.manager.post('/api/clients/delete', { id: a })
    expect([held.status, held.body.code]).toEqual([409, 'STILL_IN_USE'])
    expect((await move({ move: 'close', reason: 'Split up' })).body.data.clientGroup.status).toBe('Closed')
    expect((await world.as.manager.post('/api/clients/delete', { id: a })).status).toBe(200)
  })

  it('refuses too many, twice the same, two chairs, a closed client, and says which line', async () => {
    const ids = await Promise.all(['Dan', 'Eve', 'Fay', 'Gus'].map((name) => client(name)))
    const [d = '', e = '', f = '', g = ''] = ids
    expect(fieldsOf(await make({ members: ids.map(member) }))).toEqual(['members'])
    expect(fieldsOf(await make({ members: [member(d), member(d)] }))).toEqual(['members.1.clientId'])
    expect(fieldsOf(await make({ members: [chair(d), chair(e)] }))).toEqual(['members.1.role'])
    await world.as.officer.post(`/api/clients/${g}/move`, { move: 'close', reason: 'Moved away' })
    expect(fieldsOf(await make({ members: [member(f), member(g)] }))).toEqual(['members.1.clientId'])
    expect(fieldsOf(await make({ minMembers: 9 }))).toEqual(['maxMembers'])
    expect(fieldsOf(await make({ meetingRule: 'FREQ=WEEKLY' }))).toEqual(['meetingStart'])
  })

  it('takes no client of another branch or company, and a client into as many groups as the company says, at once too', async () => {
    const [far, foreign, h] = [await client('Far', 'elsewhere'), await client('Foreign', 'foreign'), await client('Hal')]
    for (const id of [far, foreign]) expect(fieldsOf(await make({ members: [member(h), member(id)] }))).toEqual(['members.1.clientId'])
    const answers = await Promise.all(Array.from({ length: 5 }, () => make({ members: [member(h)] })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 422, 422, 422, 422])
    const refused = answers.find(({ status }) => status === 422)
    expect(JSON.stringify(refused?.body)).toContain('is in another group already')
    // A closed group counts no longer, and the company may allow more than one.
    const [first] = answers.filter(({ status }) => status === 200)
    const id = first?.body.data.clientGroup.Id ?? ''
    await world.as.manager.post(`/api/client-groups/${id}/move`, { move: 'close', reason: 'Split up' })
    expect((await make({ members: [member(h)] })).status).toBe(200)
    expect((await make({ members: [member(h)] })).status).toBe(422)
    expect((await world.as.admin.put(`/api/settings/${world.company.id}`, { groupsPerClient: 2 })).status).toBe(200)
    await expect.poll(async () => (await make({ members: [member(h)] })).status).toBe(200)
    expect((await make({ members: [member(h)] })).status).toBe(422)
  })

  it('comes back only while its members are in no other group', async () => {
    const ivy = await client('Ivy')
    const { admin } = world.as
    // The company allows two since the test before.
    const groups = await Promise.all([1, 2].map((place) => made({ name: `Set ${place}`, members: [member(ivy)] })))
    const [first] = groups
    expect((await admin.post('/api/client-groups/delete', { id: first?.Id })).status).toBe(200)
    const other = await made({ name: 'Other', members: [member(ivy)] })
    const back = () => admin.post('/api/client-groups/restore', { ids: [first?.Id] })
    const refused = await back()
    expect([refused.status, refused.body.message]).toEqual([409, 'Ivy Otieno has joined another group since. Take them out of it first.'])
    expect((await admin.get(`/api/client-groups/${first?.Id}`)).status).toBe(404)
    await put(other.Id, { members: [] })
    expect((await back()).status).toBe(200)
  })

  it('meets by its calendar: the next meeting moves on when one has begun', async () => {
    const start = new Date(Date.now() - 3 * 86_400_000)
    start.setUTCSeconds(0, 0)
    const later = (days: number) => new Date(start.getTime() + days * 86_400_000).toISOString()
    const group = await made({ meetingStart: start.toISOString(), meetingRule: 'FREQ=WEEKLY', meetingPlace: 'Chief’s camp' })
    expect(group.nextMeetingAt).toBe(later(7))
    const { body } = await world.as.manager.get<{ meetings: { at: string }[] }>(`/api/client-groups/${group.Id}/meetings`)
    expect(body.data.meetings.slice(0, 2).map(({ at }) => at)).toEqual([later(7), later(14)])
    const roll = async (at: string | null) => {
      const ctx = await makeJobCtx(world.app.services, { companyId: world.company.id, userId: null })
      await ctx.transaction((inner) =>
        rolloverJob.run(inner, { groupId: group.Id, at: String(at) }, { id: 'test', attempt: 1, signal: new AbortController().signal }),
      )
    }
    const next = async () =>
      (await world.as.manager.get<{ clientGroup: GroupRow }>(`/api/client-groups/${group.Id}`)).body.data.clientGroup.nextMeetingAt
    await roll(later(14))
    expect(await next()).toBe(later(7))
    await roll(later(7))
    expect(await next()).toBe(later(14))
  })

  it('moves one meeting and leaves another out: the next one, the list and what follows go by it', async () => {
    const start = new Date(Date.now() + 2 * 86_400_000)
    start.setUTCHours(9, 0, 0, 0)
    const later = (days: number, hours = 0) => new Date(start.getTime() + days * 86_400_000 + hours * 3_600_000).toISOString()
    const dayAt = (days: number) => later(days).slice(0, 10)
    const group = await made({ meetingStart: start.toISOString(), meetingRule: 'FREQ=WEEKLY' })
    const change = (meetingChanges: object[]) => put(group.Id, { meetingChanges })
    const next = async () => {
      const { body } = await world.as.manager.get<{ clientGroup: GroupRow }>(`/api/client-groups/${group.Id}`)
      return body.data.clientGroup.nextMeetingAt
    }
    expect(group.nextMeetingAt).toBe(later(0))
    expect(
      (
        await change([
          { meetingOn: dayAt(0), reason: 'Holiday' },
          { meetingOn: dayAt(7), movedTo: later(8, 2) },
        ])
      ).status,
    ).toBe(200)
    expect(await next()).toBe(later(8, 2))
    const { body } = await world.as.manager.get<{ meetings: { at: string }[] }>(`/api/client-groups/${group.Id}/meetings`)
    expect(body.data.meetings.slice(0, 3).map(({ at }) => at)).toEqual([later(8, 2), later(14), later(21)])
    // Another day is none of the calendar's; a day is changed once.
    expect(fieldsOf(await change([{ meetingOn: dayAt(1) }]))).toEqual(['meetingChanges.0.meetingOn'])
    expect(fieldsOf(await change([{ meetingOn: dayAt(7) }, { meetingOn: dayAt(7) }]))).toEqual(['meetingChanges.1.meetingOn'])
    expect(fieldsOf(await make({ meetingChanges: [{ meetingOn: dayAt(0) }] }))).toEqual(['meetingChanges.0.meetingOn'])
    // Another calendar leaves the changes of the former one behind, and they may stay in the form.
    expect((await put(group.Id, { meetingStart: later(3) })).status).toBe(200)
    expect(await next()).toBe(later(3))
    const lines = (await put(group.Id, { notes: 'Moved' })).body.data.clientGroup as GroupRow & { meetingChanges: object[] }
    expect((await change(lines.meetingChanges)).status).toBe(200)
    expect((await change([])).status).toBe(200)
    expect(await next()).toBe(later(3))
    for (const by of ['elsewhere', 'foreign'] as const)
      expect((await world.as[by].put(`/api/client-groups/${group.Id}`, { meetingChanges: [] })).status).toBe(404)
  })

  it('is seen in reach only, and by who may see groups', async () => {
    const group = await made()
    for (const by of ['elsewhere', 'foreign'] as const) expect((await world.as[by].get(`/api/client-groups/${group.Id}`)).status).toBe(404)
    const role = await world.app.make.role({ company: world.company, name: 'No groups', permissions: ['CLIENTS', 'CLIENTS/CREATE'] })
    const without = await world.app.as(await world.app.make.user({ tenant: world.branch, roles: [role] }))
    expect((await without.get('/api/client-groups')).status).toBe(403)
  })

  it('is for the people in the field: an officer forms one, fills it and takes its sheet, and does not delete it', async () => {
    const { officer } = world.as
    const ids = [await client('Fern'), await client('Gil')]
    const made = await make({ members: [chair(ids[0] ?? ''), member(ids[1] ?? '')] }, 'officer')
    expect(made.status, made.text).toBe(200)
    const { Id } = made.body.data.clientGroup
    expect((await officer.post(`/api/client-groups/${Id}/move`, { move: 'activate' })).status).toBe(200)
    const sheet = await officer.post<{ collectionSheet: { Id: string } }>('/api/collection-sheets', {
      groupId: Id,
      meetingOn: '2026-11-20',
    })
    expect(sheet.status, sheet.text).toBe(200)
    // Posting is for whoever captures payments; it is refused for its content, not for the right.
    expect((await officer.post(`/api/collection-sheets/${sheet.body.data.collectionSheet.Id}/post`, {})).status).toBe(422)
    expect((await officer.post('/api/client-groups/delete', { id: Id })).status).toBe(403)
  })
})
