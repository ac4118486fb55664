import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAreas } from '../../apps/server/src/areas/index.ts'
import type { SignedInClient } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'
import { freePort } from '../support/port.ts'
import { geoStack, type GeoStack } from './support/stack.ts'

let stack: GeoStack
let company: MadeTenant, branch: MadeTenant
let admin: SignedInClient

beforeAll(async () => {
  stack = await geoStack({}, { GEO_URL: `http://127.0.0.1:${await freePort()}` }, (machine) => createAreas(machine))
  company = await stack.app.make.company()
  branch = await stack.app.make.tenant({ company, type: 3, name: 'North' })
  admin = await stack.app.as(await stack.app.make.user({ company, role: 'admin' }))
})
afterAll(() => stack.close())

interface Line {
  label: string
  unit: string
  before: unknown
  after: unknown
}

test('what was chosen for tracking is in the history of the company’s settings, in words, and in no branch’s', async () => {
  for (const body of [{ keepDays: 90 }, { tripRule: 'traccar' }])
    expect((await admin.put('/geo/settings', body)).status, JSON.stringify(body)).toBe(200)
  const historyOf = async ({ id }: MadeTenant) =>
    (await admin.get<{ timeline: Line[] }>(`/api/settings/${id}/history`)).body.data.timeline.map(({ label, before, after, unit }) => [
      label,
      before,
      after,
      unit,
    ])
  expect(await historyOf(company)).toEqual([
    ['Trips are told by', 'Outpost: by arrival', 'Traccar up to 5', ''],
    ['Keep positions for', 'as the installation has it', 90, 'days'],
  ])
  expect(await historyOf(branch)).toEqual([])
})
