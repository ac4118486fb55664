import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../support/until.ts'
import { pdf, png, type FormFile } from '../support/form.ts'
import { makeWorld, type World } from './world.ts'

interface FileRow {
  Id: string
  recordId: string
  name: string
  mimeType: string
  size: number
  addedBy: string
}
interface Files {
  files: FileRow[]
}
type Who = keyof World['as']

let world: World
let phones = 746_000_000
beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

const contract: FormFile = { name: 'contract.pdf', bytes: pdf }
const newLead = async (by: Who = 'officer'): Promise<string> => {
  const answer = await world.as[by].post<{ lead: { Id: string } }>('/api/leads', {
    firstName: 'Neema',
    lastName: 'Achieng',
    phonenumber: `0${(phones += 1)}`,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.lead.Id
}
const attach = (id: string, files: FormFile[] = [contract], by: Who = 'officer') =>
  world.as[by].upload<Files>(`/api/leads/${id}/files`, {}, {}, files)
const attached = async (id: string): Promise<FileRow> => {
  const { status, text, body } = await attach(id)
  expect(status, text).toBe(200)
  return body.data.files[0] as FileRow
}
const filesOf = async (id: string, by: Who = 'officer') =>
  (await world.as[by].get<Files>(`/api/leads/${id}/files`)).body.data.files.map(({ name }) => name)
const pathOf = ({ recordId, Id }: FileRow) => `/api/leads/${recordId}/files/${Id}`
const stored = async () =>
  (await readdir(join(world.app.machine.env.DATA_DIR, 'files'), { recursive: true, withFileTypes: true }).catch(() => [])).filter((entry) =>
    entry.isFile(),
  ).length

describe('files of a record', () => {
  it('are added, listed, downloaded as attachments and shown in its history', async () => {
    const id = await newLead()
    const { status, body } = await attach(id, [contract, { name: 'id card.PNG', bytes: png }])
    expect([status, body.message]).toEqual([200, '2 files added'])
    expect(
      body.data.files
        .map(({ recordId, name, mimeType, size, addedBy }) => ({ recordId, name, mimeType, size, addedBy }))
        .toSorted((a, b) => a.name.localeCompare(b.name)),
    ).toEqual([
      { recordId: id, name: 'contract.pdf', mimeType: 'application/pdf', size: pdf.length, addedBy: 'Chidi Officer' },
      { recordId: id, name: 'id card.PNG', mimeType: 'image/png', size: png.length, addedBy: 'Chidi Officer' },
    ])
    expect((await filesOf(id)).toSorted()).toEqual(['contract.pdf', 'id card.PNG'])
    const card = body.data.files.find(({ mimeType }) => mimeType === 'image/png') as FileRow
    const got = await world.as.officer.get(pathOf(card))
    expect([got.status, got.bytes.equals(png), got.headers['content-type']]).toEqual([200, true, 'image/png'])
    expect(got.headers['content-disposition']).toMatch(/^attachment; filename="id card.PNG"/)
    const { timeline } = (
      await world.as.officer.get<{ timeline: { what: string; detail: string; who: string }[] }>(`/api/leads/${id}/timeline`)
    ).body.data
    expect(
      timeline
        .filter(({ what }) => what === 'File added')
        .map(({ detail, who }) => [detail, who])
        .toSorted(),
    ).toEqual([
      ['contract.pdf', 'Chidi Officer'],
      ['id card.PNG', 'Chidi Officer'],
    ])
  })

  it('are refused by content and by size of the form, and then nothing is kept', async () => {
    const [id, before] = [await newLead(), await stored()]
    expect(await attach(id, [contract, { name: 'x.pdf', bytes: '<html>' }])).toMatchObject({
      status: 415,
      body: { code: 'UNSUPPORTED_TYPE' },
    })
    expect(
      await attach(
        id,
        Array.from({ length: 11 }, () => contract),
      ),
    ).toMatchObject({ status: 413, body: { code: 'TOO_MANY_FILES' } })
    expect(await attach(id, [])).toMatchObject({ status: 422, body: { fields: [{ field: 'file' }] } })
    expect([await filesOf(id), await stored()]).toEqual([[], before])
  })

  it('are read and changed as far as the record is, at every call', async () => {
    const id = await newLead()
    const file = await attached(id)
    for (const who of ['elsewhere', 'foreign'] as const) {
      expect((await world.as[who].get(`/api/leads/${id}/files`)).status).toBe(404)
      expect((await world.as[who].get(pathOf(file))).status).toBe(404)
      expect((await attach(id, [contract], who)).status).toBe(404)
      expect((await world.as[who].del(pathOf(file))).status).toBe(404)
    }
    expect((await world.app.nobody.get(pathOf(file))).status).toBe(401)
    // The file of one record is not found through another one, nor through another kind of record.
    expect((await world.as.officer.get(pathOf({ ...file, recordId: await newLead() }))).status).toBe(404)
    expect((await world.as.manager.get(`/api/cases/${id}/files/${file.Id}`)).status).toBe(404)
    expect(await filesOf(id, 'manager')).toEqual(['contract.pdf'])
  })

  it('go when they are removed, with their bytes; the history keeps who removed what', async () => {
    const id = await newLead()
    const file = await attached(id)
    const before = await stored()
    expect((await world.as.manager.del(pathOf(file))).body.message).toBe('File removed')
    expect((await world.as.officer.get(pathOf(file))).status).toBe(404)
    expect((await world.as.manager.del(pathOf(file))).status).toBe(404)
    await until(async () => (await stored()) === before - 1)
    const { timeline } = (
      await world.as.officer.get<{ timeline: { what: string; detail: string; who: string }[] }>(`/api/leads/${id}/timeline`)
    ).body.data
    expect(timeline[0]).toMatchObject({ what: 'File removed', detail: 'contract.pdf', who: 'Baraka Manager' })
    expect(
      (
        await world.app.database.admin.query<{ action: string }>(
          'select action from audit_log where "objectId" = $1 and action like $2 order by seq',
          [id, 'lead.%tach'],
        )
      ).rows,
    ).toEqual([{ action: 'lead.attach' }, { action: 'lead.detach' }])
  })

  it('are out of sight while the record is deleted, and there again when it comes back', async () => {
    const id = await newLead()
    const file = await attached(id)
    expect((await world.as.manager.post('/api/leads/delete', { ids: [id] })).status).toBe(200)
    expect((await world.as.manager.get(pathOf(file))).status).toBe(404)
    expect((await world.as.manager.post('/api/leads/restore', { ids: [id] })).status).toBe(200)
    expect((await world.as.manager.get(pathOf(file))).status).toBe(200)
  })

  it('follow a lead into the one it is merged with, and back', async () => {
    const [winner, loser] = [await newLead(), await newLead()]
    await attached(loser)
    const merged = await world.as.admin.post<{ merge: { Id: string } }>('/api/leads/merge', { winnerId: winner, loserId: loser })
    expect(merged.status, merged.text).toBe(200)
    expect(await filesOf(winner)).toEqual(['contract.pdf'])
    expect((await world.as.admin.post(`/api/leads/merges/${merged.body.data.merge.Id}/undo`)).status).toBe(200)
    expect([await filesOf(winner), await filesOf(loser)]).toEqual([[], ['contract.pdf']])
  })

  it('are stored each once when five are sent at the same moment', async () => {
    const id = await newLead()
    expect((await Promise.all(Array.from({ length: 5 }, () => attach(id)))).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    expect(await filesOf(id)).toHaveLength(5)
  })
})

it('a case counts its files, and its page has the tab with what the caller may do', async () => {
  const { Id } = (await world.as.manager.post<{ case: { Id: string } }>('/api/cases', { title: 'Papers are missing' })).body.data.case
  expect((await world.as.manager.upload(`/api/cases/${Id}/files`, {}, {}, [contract])).status).toBe(200)
  expect((await world.as.manager.get<{ case: { files: number } }>(`/api/cases/${Id}`)).body.data.case.files).toBe(1)
  const { view } = (
    await world.as.manager.get<{
      view: { panels: { key: string; upload?: { many: number }; download?: unknown; actions: { label: string }[] }[] }
    }>('/api/console/screens/sales-cases-view-id')
  ).body.data
  expect(view.panels.find(({ key }) => key === 'files')).toMatchObject({
    upload: { many: 10 },
    download: { method: 'GET', path: '/api/cases/:recordId/files/:id' },
    actions: [{ label: 'Remove' }],
  })
})
