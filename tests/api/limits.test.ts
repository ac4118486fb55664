import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draftQuota } from '../../apps/server/src/areas/leads/onboarding.ts'
import { viewQuota } from '../../apps/server/src/areas/views/view.handlers.ts'
import { errorQuota } from '../../apps/server/src/kernel/quota.ts'
import { letterQuota } from '../../apps/server/src/kernel/sync/rows.ts'
import { testApp, type Answer, type SignedInClient, type TestApp } from '../support/app.ts'
import type { MadeTenant } from '../support/make.ts'

let app: TestApp
let company: MadeTenant
beforeAll(async () => {
  app = await testApp()
  company = await app.make.company()
})
afterAll(() => app.close())

const deviceId = randomUUID()
/** How each quota is used up by one call. */
const quotas = { deadLetters: letterQuota, savedViews: viewQuota, drafts: draftQuota, errorLog: errorQuota }
const writes: Record<keyof typeof quotas, (client: SignedInClient) => Promise<Answer>> = {
  deadLetters: (client) => client.post('/api/sync/dead-letter', { deviceId, reason: 'given up', envelopes: [{ changeId: randomUUID() }] }),
  savedViews: (client) => client.post('/api/views', { screen: 'leads', name: randomUUID(), scope: 'user', state: {} }),
  drafts: (client) => {
    const id = randomUUID()
    return client.put(`/api/leads/onboarding-drafts/${id}`, { step: 0, furthest: 0, data: {} })
  },
  errorLog: (client) => client.post('/api/error_log', { entityType: 'lead', errorDetail: 'x' }),
}
/** Rows of a user, made behind the walls, with whatever else the table wants. */
const rows: Record<keyof typeof quotas, string> = {
  deadLetters: `insert into sync_dead_letter ("companyId", "changeId", "tenantId", "deviceId", "userId", "envelope", "reason") select $1, gen_random_uuid(), $1, gen_random_uuid(), $2, '{}', 'x' from generate_series(1, $3)`,
  savedViews: `insert into saved_view ("companyId", "id", "screen", "name", "scope", "userId", "isDefault", "state") select $1, gen_random_uuid(), 'leads', n::text, 'user', $2, false, '{}' from generate_series(1, $3) n`,
  drafts: `insert into onboarding_draft ("companyId", "id", "tenantId", "userId", "step", "furthest", "data") select $1, gen_random_uuid(), $1, $2, 0, 0, '{}' from generate_series(1, $3)`,
  errorLog: `insert into error_log ("companyId", "id", "tenantId", "userId", "entityType", "errorDetail") select $1, gen_random_uuid(), $1, $2, 'x', 'x' from generate_series(1, $3)`,
}

describe.each(Object.keys(quotas) as (keyof typeof quotas)[])('the quota %s', (name) => {
  const { table, most: declared } = quotas[name]
  const most = typeof declared === 'number' ? declared : declared.standard
  it('ends what one user may write, says which it is, and holds when calls come together', async () => {
    const [full, other] = await Promise.all([0, 1].map(async () => app.as(await app.make.user({ company, role: 'admin' }))))
    await app.database.admin.query(rows[name], [company.id, full!.user.id, most - 2])
    const answers = await Promise.all(Array.from({ length: 6 }, () => writes[name](full!)))
    expect(answers.map(({ status }) => status).toSorted(), JSON.stringify(answers.map(({ body }) => body))).toEqual([
      200, 200, 409, 409, 409, 409,
    ])
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'QUOTA_REACHED', details: { quota: name, most } })
    expect((await writes[name](other!)).status).toBe(200)
    const {
      rows: [count],
    } = await app.database.admin.query<{ n: number }>(`select count(*)::int as n from ${table} where "userId" = $1`, [full!.user.id])
    expect(count?.n).toBe(most)
  })
})

it('of twelve reports asked for at once four are taken', async () => {
  const client = await app.as(await app.make.user({ company, role: 'md' }))
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => client.post('/api/reports/run', { report: 'salesAgentReport', parameters: {}, format: 'csv' })),
  )
  expect(answers.map(({ status }) => status).toSorted(), JSON.stringify(answers.map(({ body }) => body))).toEqual([
    ...Array.from({ length: 4 }, () => 202),
    ...Array.from({ length: 8 }, () => 429),
  ])
})
