import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignedInClient } from '../support/app.ts'
import { png } from '../support/form.ts'
import { fieldsOf, makeWorld, type World } from '../api/world.ts'

interface Uploaded {
  files: { Id: string; url: string }[]
}

let world: World
/** Work where the officer works: one sees no leads and no activities, the other one activities only. */
let clerk: SignedInClient, agent: SignedInClient
let phones = 747_000_000

beforeAll(async () => {
  world = await makeWorld()
  const { app, company, team } = world
  const client = async (permissions: string[]) =>
    app.as(await app.make.user({ company, tenant: team, role: await app.make.role({ company, name: randomUUID(), permissions }) }))
  clerk = await client(['CRM/REPORTS'])
  agent = await client(['SALES/ACTIVITIES/ACTIVITIES', 'SALES/ACTIVITIES/ACTIVITIES/CREATE', 'SALES/AGENTS/MYWORK'])
})
afterAll(() => world.app.close())

const newLead = async () => {
  const lead = { firstName: 'Neema', lastName: 'Achieng', phonenumber: `0${(phones += 1)}` }
  return (await world.as.officer.post<{ lead: { Id: string } }>('/api/leads', lead)).body.data.lead.Id
}
const newActivity = async (by: SignedInClient) => {
  const { statuses, types } = await options()
  const answer = await by.post<{ activity: { Id: string } }>('/api/activities', {
    name: 'Visit',
    startDate: '2026-11-24T08:00:00Z',
    endDate: '2026-11-24T09:00:00Z',
    statusId: statuses,
    activityTypeId: types,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.activity.Id
}
const options = async () => {
  const first = async (path: string, many: string) =>
    (await world.as.officer.get<Record<string, { Id: string }[]>>(path)).body.data[many]?.[0]?.Id
  return {
    statuses: await first('/api/activities/statuses', 'activityStatuses'),
    types: await first('/api/activities/types', 'activityTypes'),
  }
}
const upload = (by: SignedInClient, owner: Record<string, string> = {}) =>
  by.upload<Uploaded>('/api/storage/upload', owner, {}, [{ name: 'photo.png', bytes: png }])
const uploaded = async (by: SignedInClient, owner: Record<string, string> = {}) => {
  const { status, text, body } = await upload(by, owner)
  expect(status, text).toBe(200)
  return body.data.files[0] as Uploaded['files'][number]
}
const addPhoto = (by: SignedInClient, activityId: string, fileId: string) =>
  by.put('/api/activities/update-assignment-files', { activityId, newFiles: [fileId] })
/** What each gets who asks for the file. */
const statuses = (url: string, ...who: SignedInClient[]) => Promise.all(who.map(async (one) => (await one.get(url)).status))

test('a file of a lead is read by whoever may read the lead, and by nobody else of its branch', async () => {
  const { officer, manager, elsewhere, foreign } = world.as
  const leadId = await newLead()
  const { url } = await uploaded(officer, { ownerType: 'lead', ownerId: leadId })
  expect(await statuses(url, officer, manager)).toEqual([200, 200])
  expect(await statuses(url, clerk, agent, elsewhere, foreign)).toEqual([404, 404, 404, 404])
  expect((await manager.post('/api/leads/delete', { ids: [leadId] })).status).toBe(200)
  expect(await statuses(url, officer, manager)).toEqual([404, 404])
})

test('a photo of an activity is read by whoever may read the activity, also when it was stored for none', async () => {
  const { officer, manager } = world.as
  const activityId = await newActivity(officer)
  for (const owner of [undefined, { ownerType: 'activity', ownerId: activityId }]) {
    const { Id, url } = await uploaded(officer, owner)
    expect((await addPhoto(officer, activityId, Id)).status).toBe(200)
    expect(await statuses(url, officer, manager, agent, clerk)).toEqual([200, 200, 200, 404])
  }
  const { Id, url } = await uploaded(officer)
  await addPhoto(officer, activityId, Id)
  expect((await manager.post('/api/activities/delete', { id: activityId })).status).toBe(200)
  expect(await statuses(url, officer, manager)).toEqual([404, 404])
})

test('a photo stays with an activity that is filed out of sight of the branch it was sent from', async () => {
  const { officer, admin } = world.as
  const activityId = await newActivity(officer)
  const { Id, url } = await uploaded(officer)
  await addPhoto(officer, activityId, Id)
  await world.app.database.admin.query(`
    begin; set local session_replication_role = replica;
    update activity set "tenantId" = '${world.other.id}' where "id" = '${activityId}';
    update activity_file set "tenantId" = '${world.other.id}' where "activityId" = '${activityId}';
    commit`)
  expect(await statuses(url, officer, admin)).toEqual([404, 200])
})

test('nobody gets at the file of a record by adding it to an activity of their own, or by storing one for it', async () => {
  const leadId = await newLead()
  const { Id, url } = await uploaded(world.as.officer, { ownerType: 'lead', ownerId: leadId })
  const answer = await addPhoto(agent, await newActivity(agent), Id)
  expect([answer.status, fieldsOf(answer)]).toEqual([422, ['newFiles']])
  expect(await statuses(url, agent)).toEqual([404])
  const sent = await upload(agent, { ownerType: 'lead', ownerId: leadId })
  expect([sent.status, fieldsOf(sent)]).toEqual([422, ['ownerId']])
})

test('files that a lead or a case keeps are closed to who may not read it', async () => {
  const { officer, manager } = world.as
  const leadId = await newLead()
  const { Id: caseId } = (await manager.post<{ case: { Id: string } }>('/api/cases', { title: 'Papers are missing' })).body.data.case
  for (const [who, path] of [
    [officer, `/api/leads/${leadId}/files`],
    [manager, `/api/cases/${caseId}/files`],
  ] as const) {
    const { body } = await who.upload<Uploaded>(path, {}, {}, [{ name: 'photo.png', bytes: png }])
    const url = `${path}/${body.data.files[0]?.Id}`
    expect([path, await statuses(url, who, clerk, agent)]).toEqual([path, [200, 403, 403]])
  }
})
