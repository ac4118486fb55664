import { readFileSync } from 'node:fs'
import { addDays, dayOf } from '@outpost/rules/time-zone'
import type { CallView } from '@outpost/contract/views'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { handedColumns } from '../../../apps/server/src/areas/users/open-work.ts'
import { fillTables } from '../../security/support/fill.ts'
import type { MadeUser } from '../../support/make.ts'
import { fieldsOf, makeWorld, type World } from '../world.ts'

let world: World
/** One open record of every kind is theirs. */
let leaver: MadeUser
let filled: Record<string, string>

/** What makes the filled row of a table open work, and what ends it. */
const states: Readonly<Record<string, [open: string, over: string]>> = {
  lead: [`"status" = 'New'`, `"status" = 'Converted'`],
  activity: [
    `"startDate" = now(), "endDate" = now() + interval '1 day', "statusId" = null`,
    `"startDate" = now() - interval '3 days', "endDate" = now() - interval '2 days'`,
  ],
  activity_assignment: [`"statusId" = null`, `"statusId" = null`],
  task: [`"status" = 'Open'`, `"status" = 'Done'`],
  activity_plan: [
    `"startDate" = current_date, "endDate" = current_date + 2`,
    `"startDate" = current_date - 9, "endDate" = current_date - 8`,
  ],
  sales_case: [`"status" = 'New'`, `"status" = 'Resolved'`],
  complaint: [`"status" = 'Reopened'`, `"status" = 'Closed'`],
  loan_application: [`"status" = 'Draft'`, `"status" = 'Declined'`],
  client: [`"status" = 'Active'`, `"status" = 'Closed'`],
  client_group: [`"status" = 'Active'`, `"status" = 'Closed'`],
  loan: [`"status" = 'Active'`, `"status" = 'Closed'`],
  ussd_request: [`"status" = 'Open'`, `"status" = 'Done'`],
  maintenance_plan: [`"isActive" = true`, `"isActive" = false`],
  team: [`"leaderUserId" = "leaderUserId"`, `"leaderUserId" = null`],
}
/** As the rows were filled: without triggers. */
async function setAll(to: 0 | 1): Promise<void> {
  const client = await world.app.database.admin.connect()
  try {
    await client.query("set session_replication_role = 'replica'")
    for (const [table, state] of Object.entries(states))
      await client.query(`update ${table} set ${state[to]} where "companyId" = $1 and "id" = $2`, [world.company.id, filled[table]])
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
}

beforeAll(async () => {
  world = await makeWorld()
  leaver = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Neema', lastName: 'Leaver' })
  const handed = new Set([...handedColumns.map((column) => column.split('.')[0] ?? ''), ...Object.keys(states)])
  filled = await fillTables(
    world.app.database.admin,
    { mark: 'Own', company: world.company, tenant: world.team, userId: leaver.id },
    (table) => handed.has(table),
  )
  await setAll(0)
})
afterAll(() => world.app.close())

const told = (language: string) =>
  JSON.parse(readFileSync(new URL(`../../../apps/console/src/languages/told/${language}.json`, import.meta.url), 'utf8')) as Record<
    string,
    string
  >

interface OpenWork {
  message: string
  work: Record<string, unknown>[]
  counts: { subject: string; counts: { count: number; words: string; open: string }[] }[]
}
const openWork = async (ids: string[]) => (await world.as.admin.post<OpenWork>('/api/users/open-work', { ids })).body.data

/** The ids that the screen of a link lists: by the call that it makes itself, with what is in the address. */
async function listed(open: string): Promise<string[]> {
  const { pathname, searchParams } = new URL(open, 'http://outpost.test')
  const layout = (await world.as.admin.get<{ screens: { id: string; path: string; permitted: boolean }[] }>('/api/console')).body.data
  const screen = layout.screens.find(({ path }) => path === pathname)
  expect(screen, pathname).toMatchObject({ permitted: true })
  const { view } = (await world.as.admin.get<{ view: { source: CallView; many: string } }>(`/api/console/screens/${screen?.id}`)).body.data
  const query = new URLSearchParams({ size: '100', filter: searchParams.get('filter') ?? '' })
  for (const [from, to] of [
    ['dateType', 'dateType'],
    ['from', 'startDate'],
    ['to', 'endDate'],
  ] as const)
    if (searchParams.has(from)) query.set(to, searchParams.get(from) ?? '')
  const answer = await world.as.admin.get<Record<string, { Id: string }[]>>(`${view.source.path}?${query.toString()}`)
  expect(answer.status, answer.text).toBe(200)
  const records = Object.values(answer.body.data).find((value) => Array.isArray(value)) ?? []
  return records.map(({ Id }) => Id)
}

it('each count of open work opens a list with exactly these rows, whatever kind they are of', async () => {
  const { counts, work } = await openWork([leaver.id, world.people.officer.id])
  expect(counts.map(({ subject }) => subject)).toEqual(['Neema Leaver'])
  const parts = counts[0]?.counts ?? []
  expect(parts).toHaveLength(Object.keys(work[0] ?? {}).length - 2)
  const found = await Promise.all(parts.map(async ({ count, words, open }) => ({ words, count, ids: await listed(open) })))
  const own = new Set(Object.values(filled))
  expect(found.map(({ words, count, ids }) => [words, count, ids.length, ids.every((id) => own.has(id))])).toEqual(
    parts.map(({ words }) => [words, 1, 1, true]),
  )
  // In French too, one and many.
  for (const { words } of parts) {
    const key = Object.entries(told('en')).find(([, one]) => one === `{{count}} ${words}`)?.[0] ?? ''
    expect([words, told('fr')[key]]).toEqual([words, expect.any(String)])
  }
  // Nobody else's, and nothing that is over.
  const another = parts.map(({ open }) => open.replace(leaver.id, world.people.officer.id))
  expect((await Promise.all(another.map(listed))).flat()).toEqual([])
  await setAll(1)
  expect(await openWork([leaver.id])).toEqual({ message: '', work: [], counts: [] })
  expect((await Promise.all(parts.map(({ open }) => listed(open)))).flat()).toEqual([])
  await setAll(0)
})

it('a filter by whose open work it is takes a user, and shows no more than the list shows anyhow', async () => {
  const filter = (value: string) => encodeURIComponent(JSON.stringify([{ field: 'openFor', op: 'eq', value }]))
  const [from, to] = [addDays(dayOf(Date.now(), 'Africa/Nairobi'), -5), addDays(dayOf(Date.now(), 'Africa/Nairobi'), 5)]
  for (const path of ['/api/activities', '/api/activities/activity-plan']) {
    const ask = (who: keyof World['as'], value: string) =>
      world.as[who].get<Record<string, unknown[]>>(`${path}?startDate=${from}&endDate=${to}&filter=${filter(value)}`)
    expect(fieldsOf(await ask('admin', 'somebody'))).toEqual(['filter'])
    const sizes = (['admin', 'elsewhere', 'foreign'] as const).map(async (who) => {
      const { body } = await ask(who, leaver.id)
      return (Object.values(body.data).find((value) => Array.isArray(value)) ?? []).length
    })
    expect(await Promise.all(sizes), path).toEqual([1, 0, 0])
  }
})
