import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { makeWorld, type World } from '../world.ts'
import type { Answer, SignedInClient } from '../../support/app.ts'

export interface Agent {
  Id: string
  label: string
  statusId: string
  statusText: string
  distance: number | null
  isOutOfRange: boolean
  activityAssignmentId: string
}
export interface ActivityRow {
  Id: string
  name: string
  tenantId: string
  status: string
  statusId: string
  meaning: string
  typeDesc: string | null
  location: string | null
  lat: number | null
  lng: number | null
  startDate: string
  endDate: string
  assignedUsers: Agent[]
  agentName: string
  leads: { Id: string }[]
  clients: { Id: string }[]
  version: number
  [key: string]: unknown
}
export interface Status {
  Id: string
  name: string
  label: string
  meaning: string
}

export const hour = 3_600_000
export const at = (hours: number) => new Date(Date.now() + hours * hour).toISOString()
export const visit = (over: object = {}) => ({ name: 'Visit', startDate: at(1), endDate: at(2), ...over })

export async function plan(by: SignedInClient, over: object = {}): Promise<ActivityRow> {
  const { status, body, text } = await by.post<{ activity: ActivityRow }>('/api/activities', visit(over))
  expect(status, text).toBe(200)
  return body.data.activity
}
export const read = async (by: SignedInClient, id: string) =>
  (await by.get<{ activity: ActivityRow }>(`/api/activities/${id}`)).body.data.activity
export const names = (answer: Answer<{ activities?: ActivityRow[] }>) => (answer.body.data.activities ?? []).map(({ name }) => name)

/** A world whose company has a status of each meaning and two types, by name; `move` sets an agent's own status. */
export async function activityWorld() {
  const world = await makeWorld()
  const { types, statuses } = await makeOptions(world, world.company.id)
  return {
    world,
    types,
    statuses,
    rows: async <Row extends object>(text: string, values: unknown[] = []) =>
      (await world.app.database.admin.query<Row>(text, values)).rows,
    move: (by: SignedInClient, activityId: string, meaning: string, over: object = {}) =>
      by.put<{ activity: ActivityRow; gpsLogged?: boolean }>('/api/activities/updateAssignmentStatus', {
        activityId,
        statusId: statuses[meaning],
        statusText: meaning,
        ...over,
      }),
  }
}

async function makeOptions(world: World, companyId: string): Promise<{ types: Record<string, string>; statuses: Record<string, string> }> {
  const made = { types: {} as Record<string, string>, statuses: {} as Record<string, string> }
  for (const [place, name] of ['open', 'started', 'done', 'missed', 'cancelled'].entries()) {
    made.statuses[name] = randomUUID()
    await world.app.make.row('activity_status', {
      companyId,
      id: made.statuses[name],
      tenantId: companyId,
      name: `It is ${name}`,
      meaning: name,
      default: name === 'open',
      position: place,
      colour: 'blue',
    })
  }
  for (const [name, radius] of [
    ['Visit', 200],
    ['Call', null],
  ] as const) {
    made.types[name] = randomUUID()
    await world.app.make.row('activity_type', { companyId, id: made.types[name], tenantId: companyId, name, geofenceRadius: radius })
  }
  return made
}
