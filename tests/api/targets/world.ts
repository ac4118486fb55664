import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { makeWorld, type World } from '../world.ts'
import type { MadeUser } from '../../support/make.ts'
import type { SignedInClient } from '../../support/app.ts'

export interface TargetRow {
  Id: string
  value: number
  startDate: string
  endDate: string
  tenantId: string
  parentId: string | null
  figures: Figures
  [key: string]: unknown
}
export interface Figures {
  actual: number
  attainment: number
  expected: number
  variance: number
  unit: string
  events: number
}
export interface RecordRow {
  at: string
  amount: number
  entity: string
  entityId?: string
  label: string | null
  userId?: string
}

export const today = (days = 0): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Africa/Nairobi' }).format(Date.now() + days * 86_400_000)

/** The usual company with the ways to make targets, leads and visits in it. */
export interface TargetWorld extends World {
  target(body: object, by?: keyof World['as']): Promise<TargetRow>
  read(id: string, by?: SignedInClient): Promise<Figures>
  records(
    id: string,
    by?: SignedInClient,
    query?: string,
  ): Promise<{ records: RecordRow[]; sum: number; total: number; people: { userId: string; actual: number }[] }>
  lead(by: SignedInClient, over?: object): Promise<string>
  /** An activity of the user whose assignment is in a status of that meaning since `at`. */
  visit(user: MadeUser, meaning: 'done' | 'missed' | 'open' | 'cancelled', at?: Date): Promise<string>
}

let phones = 710_000_000

export async function makeTargetWorld(): Promise<TargetWorld> {
  const world = await makeWorld()
  const { app, company } = world
  const statuses = new Map<string, string>()
  for (const meaning of ['open', 'done', 'missed', 'cancelled']) {
    const { id } = await app.make.row<{ id: string }>('activity_status', {
      companyId: company.id,
      id: randomUUID(),
      tenantId: company.id,
      name: meaning,
      meaning,
    })
    statuses.set(meaning, id)
  }
  return {
    ...world,
    target: async (body, by = 'manager') => {
      const make = () =>
        world.as[by].post<{ target: TargetRow }>('/api/targets', {
          metric: 'leads.created',
          periodKind: 'month',
          startDate: today(),
          value: 10,
          ...body,
        })
      const first = await make()
      // One that an earlier test left for the same owner and days makes room.
      if (first.body.code === 'ALREADY_EXISTS')
        expect((await world.as.admin.post('/api/targets/delete', { id: first.body.details?.['existingId'] })).status).toBe(200)
      const answer = first.body.code === 'ALREADY_EXISTS' ? await make() : first
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.target
    },
    read: async (id, by = world.as.admin) => (await by.get<{ target: TargetRow }>(`/api/targets/${id}`)).body.data.target.figures,
    records: async (id, by = world.as.admin, query = '') => {
      const { body, status, text } = await by.get<{ records: RecordRow[]; sum: number; people: { userId: string; actual: number }[] }>(
        `/api/targets/${id}/records?size=1000${query}`,
      )
      expect(status, text).toBe(200)
      return { ...body.data, total: body.meta?.total ?? -1 }
    },
    lead: async (by, over = {}) => {
      const answer = await by.post<{ lead: { Id: string } }>('/api/leads', {
        firstName: 'Wanjiru',
        lastName: 'Kamau',
        phonenumber: `0${(phones += 1)}`,
        ...over,
      })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.lead.Id
    },
    visit: async (user, meaning, at = new Date()) => insertVisit(world, { user, statusId: statuses.get(meaning) ?? '', at }),
  }
}

async function insertVisit(
  { app, company }: World,
  { user, statusId, at }: { user: MadeUser; statusId: string; at: Date },
): Promise<string> {
  const [id, client] = [randomUUID(), await app.database.admin.connect()]
  try {
    await client.query('begin')
    await client.query("select set_config('app.company', $1, true), set_config('app.stream', $1, true)", [company.id])
    await client.query(
      `insert into activity ("companyId", id, "tenantId", name, "startDate", "endDate", "createdUserId", "createdBy", "statusId") values ($1, $2, $3, 'Visit', $4, $4, $5, 'x', $6)`,
      [company.id, id, user.tenantId, at, user.id, statusId],
    )
    await client.query(
      `insert into activity_assignment ("companyId", id, "tenantId", "activityId", "userId", "statusId", "statusDateCreated") values ($1, $2, $3, $4, $5, $6, $7)`,
      [company.id, randomUUID(), user.tenantId, id, user.id, statusId, at],
    )
    await client.query('commit')
  } finally {
    client.release()
  }
  return id
}
