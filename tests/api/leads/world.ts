import { randomInt } from 'node:crypto'
import { expect } from 'vitest'
import { makeJobCtx } from '../../../apps/server/src/kernel/session/jobs.ts'
import type { SignedInClient, TestApp } from '../../support/app.ts'
import type { MadeTenant } from '../../support/make.ts'

export interface LeadRow {
  Id: string
  tenantId: string
  status: string
  phonenumber: string
  version: number
  [key: string]: unknown
}

let phones = 710_000_000 + randomInt(1_000_000)
/** A number that nobody has in this run. */
export const phone = (): string => `0${(phones += 1)}`

/** Captures a lead through the door. */
export async function capture(by: SignedInClient, over: object = {}): Promise<LeadRow> {
  const answer = await by.post<{ lead: LeadRow }>('/api/leads', { firstName: 'Wanjiru', lastName: 'Kamau', phonenumber: phone(), ...over })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.lead
}

/** The lead as it is stored now. */
export async function read(by: SignedInClient, id: string): Promise<LeadRow> {
  const answer = await by.get<{ lead: LeadRow }>(`/api/leads/${id}`)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.lead
}

/** Runs the waiting jobs of one kind as the worker does, for the program itself; gives how many there were. */
export async function runJobs(app: TestApp, companyId: string, type: string): Promise<number> {
  const job = app.areas.flatMap(({ jobs }) => jobs).find(({ name }) => name === type)
  if (!job) throw new Error(`There is no job ${type}`)
  const { rows } = await app.database.admin.query<{ id: string; payload: Record<string, unknown> }>(
    `update outbox set status = 'done' where "companyId" = $1 and type = $2 and status = 'new' returning id, payload`,
    [companyId, type],
  )
  for (const { id, payload } of rows) {
    const ctx = await makeJobCtx(app.services, { companyId, userId: null })
    await ctx.transaction((inner) => job.run(inner, payload, { id, attempt: 1, signal: new AbortController().signal }))
  }
  return rows.length
}

const deciders = new WeakMap<TestApp, Map<string, Promise<SignedInClient>>>()

/** Somebody of credit in the company of this lead, who had no part in making it ready. */
async function decider(app: TestApp, leadId: string): Promise<SignedInClient> {
  const {
    rows: [row],
  } = await app.database.admin.query<{ companyId: string }>('select "companyId" from lead where id = $1', [leadId])
  const {
    rows: [tenant],
  } = await app.database.admin.query<MadeTenant>('select * from tenant where id = $1', [row?.companyId])
  const known = deciders.get(app) ?? new Map<string, Promise<SignedInClient>>()
  deciders.set(app, known)
  const one =
    known.get(String(row?.companyId)) ?? app.make.user({ tenant: tenant as MadeTenant, role: 'credit' }).then((user) => app.as(user))
  known.set(String(row?.companyId), one)
  return one
}

/** Leads a lead along statuses as a person would who holds consent and a passed assessment; credit is decided by somebody else. */
export async function leadAlong(app: TestApp, by: SignedInClient, id: string, statuses: readonly string[]): Promise<void> {
  await setColumns(app, id, { consentStatus: 'GRANTED', affordabilityOutcome: 'PASS', affordabilityDate: new Date() })
  for (const status of statuses) {
    const answer = await (status === 'Approved' ? await decider(app, id) : by).put(`/api/leads/status/${id}`, { status })
    expect(answer.status, answer.text).toBe(200)
  }
}

/** Sets columns behind the program's back: what time or another part of the world did. */
export async function setColumns(app: TestApp, id: string, columns: Record<string, unknown>): Promise<void> {
  const client = await app.database.admin.connect()
  try {
    await client.query("set session_replication_role = 'replica'")
    const keys = Object.keys(columns)
    await client.query(`update lead set ${keys.map((key, index) => `"${key}" = $${index + 2}`).join(', ')} where id = $1`, [
      id,
      ...Object.values(columns),
    ])
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
}
