import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { capture, leadAlong, setColumns } from '../leads/world.ts'
import { makeWorld, type World } from '../world.ts'

let world: World
type Who = keyof World['as']
interface Found {
  exists: boolean
  fields: string[]
  existing: object[]
  others?: { field: string; Id: string; fullName: string }[]
}

beforeAll(async () => {
  world = await makeWorld()
})
afterAll(() => world.app.close())

let phones = 30_000_000
const phone = () => `07${(phones += 1)}`
const asked = async (of: 'clients' | 'leads', body: object, who: Who | { permissions: string[] } = 'officer') => {
  const by =
    typeof who === 'string' ? world.as[who] : await world.app.as(await world.app.make.user({ tenant: world.team, roles: [], ...who }))
  const answer = await by.post<Found>(`/api/${of}/exist`, body)
  expect(answer.status, answer.text).toBe(200)
  return { ...answer.body.data, others: answer.body.data.others ?? [] }
}
const save = async (body: object, who: Who = 'officer') => {
  const answer = await world.as[who].post<{ client: { Id: string } }>('/api/clients', { firstName: 'Naliaka', lastName: 'Barasa', ...body })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.client.Id
}

describe('a client with what an open lead has', () => {
  it('is warned of by name, at each field, and taken all the same', async () => {
    const phonenumber = phone()
    const lead = await capture(world.as.officer, { phonenumber, emailAddress: 'across@example.org', idNumber: '40111222' })
    const body = { phonenumber: `+254${phonenumber.slice(1)}`, emailAddress: 'ACROSS@example.org', idNumber: '40111222' }
    const { exists, fields, existing, others } = await asked('clients', body)
    expect([exists, fields, existing]).toEqual([false, [], []])
    expect(others.toSorted((a, b) => a.field.localeCompare(b.field))).toEqual(
      ['emailAddress', 'idNumber', 'phonenumber'].map((field) => ({ field, Id: lead.Id, fullName: 'Wanjiru Kamau' })),
    )
    await save(body)
  })

  it('says nothing of leads that are closed, out of reach, of another company, or not for the caller to see', async () => {
    const lead = await capture(world.as.officer, { phonenumber: phone() })
    const body = { phonenumber: lead.phonenumber }
    for (const who of ['elsewhere', 'foreign', { permissions: ['CLIENTS/CREATE'] }] as const)
      expect((await asked('clients', body, typeof who === 'string' ? who : { permissions: [...who.permissions] })).others).toEqual([])
    expect((await asked('clients', body, { permissions: ['CLIENTS/CREATE', 'SALES/LEADS'] })).others).toHaveLength(1)
    await setColumns(world.app, lead.Id, { status: 'Declined by client' })
    expect((await asked('clients', body)).others).toEqual([])
  })

  it('is imported with a warning at its row, in a trial as well', async () => {
    const lead = await capture(world.as.officer, { phonenumber: phone() })
    const rows = [
      { row: 2, values: { firstName: 'Wanjiru', lastName: 'Kamau', phonenumber: lead.phonenumber } },
      { row: 3, values: { firstName: 'Other', lastName: 'Person', phonenumber: phone() } },
    ]
    const warnings = [
      {
        field: 'phonenumber',
        message: 'An open lead has this already. Make the client from this lead:',
        name: 'Wanjiru Kamau',
        open: `/sales/leads/${lead.Id}/view`,
      },
    ]
    for (const [who, dryRun] of [
      ['elsewhere', true],
      ['officer', true],
      ['officer', false],
    ] as const) {
      const answer = await world.as[who].post<{ rows: Record<string, unknown>[] }>('/api/clients/import', { dryRun, rows })
      expect(answer.status, answer.text).toBe(200)
      const [first, second] = answer.body.data.rows
      expect([first?.['verdict'], first?.['warnings']]).toEqual(['make', who === 'officer' ? warnings : undefined])
      expect([second?.['verdict'], second?.['warnings']]).toEqual(['make', undefined])
    }
  })
})

describe('a lead with what a client has', () => {
  it('is warned of by name, and taken all the same', async () => {
    const phonenumber = phone()
    const Id = await save({ phonenumber })
    expect(await asked('leads', { phonenumber })).toMatchObject({
      exists: false,
      others: [{ field: 'phonenumber', Id, fullName: 'Naliaka Barasa' }],
    })
    await capture(world.as.officer, { phonenumber })
    const body = { phonenumber }
    for (const who of ['elsewhere', 'foreign', { permissions: ['SALES/LEADS/CREATE'] }] as const)
      expect((await asked('leads', body, typeof who === 'string' ? who : { permissions: [...who.permissions] })).others).toEqual([])
  })

  it('but not of the client who was made of it', async () => {
    const lead = await capture(world.as.officer, { phonenumber: phone() })
    await leadAlong(world.app, world.as.officer, lead.Id, [
      'Contacted',
      'Consent requested',
      'Qualified',
      'Onboarding',
      'Submitted',
      'Approved',
    ])
    expect((await world.as.officer.post(`/api/leads/${lead.Id}/convert`)).status).toBe(200)
    const { phonenumber } = lead
    expect((await asked('leads', { phonenumber, Id: lead.Id })).others).toEqual([])
    expect((await asked('leads', { phonenumber })).others).toHaveLength(1)
    expect((await asked('clients', { phonenumber })).others).toEqual([])
  })
})
