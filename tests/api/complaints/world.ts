import { expect } from 'vitest'
import { runJobs } from '../leads/world.ts'
import { makeWorld, type World } from '../world.ts'

export interface ComplaintRow {
  Id: string
  complaintNumber: string
  status: string
  severity: string
  tenantId: string
  ownerUserId: string | null
  accusedUserId: string | null
  receivedAt: string
  firstResponseDueAt: string
  firstResponseAt: string | null
  resolutionDueAt: string
  resolvedAt: string | null
  regulatorDueAt: string
  version: number
  [key: string]: unknown
}

export type By = keyof World['as']
export interface ComplaintWorld extends World {
  take(body?: object, by?: By): Promise<ComplaintRow>
  read(id: string, by?: By): Promise<ComplaintRow>
  move(
    id: string,
    move: string,
    asked?: object,
    by?: By,
  ): Promise<{ status: number; body: { code?: string; fields?: { field: string }[]; message?: string } }>
  /** As if it had come in so many minutes earlier, with all that happened since. */
  age(id: string, minutes: number): Promise<void>
  runClocks(): Promise<void>
  told(userId: string): Promise<string[]>
}

export const settled = { outcome: 'Upheld', rootCause: 'System', redressAmount: 250.5, resolution: 'The payment was posted.' }

/** The usual company, which works around the clock: no test depends on the hour. */
export async function makeComplaintWorld(): Promise<ComplaintWorld> {
  const world = await makeWorld()
  const hours = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'].map((weekday) => ({
    weekday,
    startsAt: '00:00',
    endsAt: '24:00',
  }))
  expect((await world.as.admin.post('/api/working-calendars/add', { tenantId: world.company.id, hours })).status).toBe(200)
  const { admin } = world.app.database
  return {
    ...world,
    take: async (body = {}, by = 'manager') => {
      const answer = await world.as[by].post<{ complaint: ComplaintRow }>('/api/complaints', {
        subject: 'Payment not on the statement',
        category: 'Repayment not posted',
        channel: 'Phone',
        severity: 'Medium',
        complainantName: 'Neema Wafula',
        ...body,
      })
      expect(answer.status, answer.text).toBe(200)
      return answer.body.data.complaint
    },
    read: async (id, by = 'manager') => (await world.as[by].get<{ complaint: ComplaintRow }>(`/api/complaints/${id}`)).body.data.complaint,
    move: (id, move, asked = {}, by = 'manager') => world.as[by].post<never>(`/api/complaints/${id}/move`, { move, ...asked }),
    age: async (id, minutes) => {
      const back = (column: string) => `"${column}" = "${column}" - interval '${minutes} minutes'`
      const columns = ['receivedAt', 'firstResponseDueAt', 'resolutionDueAt', 'regulatorDueAt', 'firstResponseAt', 'resolvedAt']
      await admin.query(`update complaint set ${columns.map(back).join(', ')} where id = $1`, [id])
      await admin.query(`update complaint_pause set ${back('startedAt')}, ${back('endedAt')} where "complaintId" = $1`, [id])
    },
    runClocks: async () => {
      await runJobs(world.app, world.company.id, 'complaints.clocks')
    },
    told: async (userId) =>
      (
        await admin.query<{ message: string }>(
          `select message from notification where "userId" = $1 and message like 'Complaint%' order by "dateCreated", message`,
          [userId],
        )
      ).rows.map(({ message }) => message),
  }
}

export const minutesBetween = (from: string, to: string): number => Math.round((Date.parse(to) - Date.parse(from)) / 60_000)
