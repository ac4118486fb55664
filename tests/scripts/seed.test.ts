import { afterAll, beforeAll, expect, test } from 'vitest'
import { isLeadStatus, refuseLeadStatus } from '@outpost/rules/leads/lead-status'
import { trimPhone } from '@outpost/rules/phone'
import { bookChecks } from '../../apps/server/src/areas/reconciliation/loan.checks.ts'
import type { Ctx } from '../../apps/server/src/kernel/types.ts'
import { companyLeadLife } from '../../prisma/seed/lead-life.ts'
import { companyLeads } from '../../prisma/seed/leads.ts'
import { companyLoans } from '../../prisma/seed/loans/loans.ts'
import { regularClients } from '../../prisma/seed/loans/regulars.ts'
import { companyUsers } from '../../prisma/seed/people.ts'
import { companyPlans } from '../../prisma/seed/plans.ts'
import { demoId } from '../../prisma/seed/random.ts'
import { seedDemo } from '../../prisma/seed/seed.ts'
import { demoCompanies, demoRoles } from '../../prisma/seed/tree.ts'
import { protocols, vehicleOf } from '../../scripts/simulate/vehicle.ts'
import { testDatabase, type TestDatabase } from '../support/db.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase()
  expect(
    await seedDemo({ url: database.url, secret: database.secret, deploySecret: database.deploySecret, leads: 300, activities: 400 }),
  ).toBe(true)
})
afterAll(() => database.drop())

const rows = async <Row extends object>(text: string) => (await database.admin.query<Row>(text)).rows

test('a second seeding finds the tenants and leaves them alone', async () => {
  expect(await seedDemo({ url: database.url, secret: database.secret, deploySecret: database.deploySecret })).toBe(false)
  expect(await rows('select from lead')).toHaveLength(900)
})

test('each company has one user of each role, who sits below a tenant of it, and a stranger has no group', async () => {
  const users = await rows<{ emailAddress: string; inside: boolean }>(`select u."emailAddress", t."path"[1] = u."companyId" as inside
    from app_user u join user_tenant ut on ut."userId" = u."id" and ut."companyId" = u."companyId" join tenant t on t."id" = ut."tenantId"`)
  const known = users.map(({ emailAddress }) => emailAddress)
  for (const { domain } of demoCompanies) for (const { login } of demoRoles) expect(known).toContain(`${login}@${domain}`)
  expect(known).toContain('global@outpost.test')
  expect(users.every(({ inside }) => inside)).toBe(true)
  expect(await rows(`select from tenant where "name" = 'Copper Loans' and "groupId" is null and "type" = 2`)).toHaveLength(1)
  expect(
    await rows(`select from role where "systemRole" = 'global' and "companyId" in (select "id" from tenant where "type" = 2)`),
  ).toEqual([])
})

test('leads keep the rules that the program keeps: status, consent, phone, no duplicates', async () => {
  const leads = await rows<{
    status: string
    consentStatus: string
    affordabilityOutcome: string
    phonenumber: string
    trimmedPhonenumber: string
    countryCode: string
  }>('select * from lead')
  for (const lead of leads) {
    expect(isLeadStatus(lead.status)).toBe(true)
    if (isLeadStatus(lead.status)) expect(refuseLeadStatus(lead.status, lead)).toBeNull()
    expect(trimPhone(lead.phonenumber, lead.countryCode)).toBe(lead.trimmedPhonenumber)
  }
  expect(await rows('select "companyId", "trimmedPhonenumber" from lead group by 1, 2 having count(*) > 1')).toEqual([])
  expect(await rows(`select from lead where "dateCreated" > now() - interval '7 days'`)).not.toHaveLength(0)
  expect(
    await rows(
      `select from lead l left join record_move s on s."companyId" = l."companyId" and s."objectType" = 'lead' and s."objectId" = l."id" and s."to" = l."status" where s."id" is null`,
    ),
  ).toEqual([])
})

test('nothing points into another company, and devices find every row in the feed', async () => {
  expect(
    await rows(
      'select from activity_lead a left join lead l on l."companyId" = a."companyId" and l."id" = a."leadId" where l."id" is null',
    ),
  ).toEqual([])
  expect(
    await rows(
      'select from lead l left join app_user u on u."companyId" = l."companyId" and u."id" = l."assignedUserId" where l."assignedUserId" is not null and u."id" is null',
    ),
  ).toEqual([])
  const [feed] = await rows<{ fed: number; synced: number }>(`select (select count(*)::int from sync_feed f
      where exists (select from lead l where l."companyId" = f."companyId" and l."id" = f."entityId") or exists (select from activity a where a."companyId" = f."companyId" and a."id" = f."entityId")) as fed,
    (select count(*)::int from lead) + (select count(*)::int from activity) as synced`)
  expect(feed?.fed).toBe(feed?.synced)
  expect(feed?.synced).toBeGreaterThanOrEqual(3 * (300 + 400))
  expect(
    await rows('select from sync_stream s where s."seq" <> (select max(f."seq") from sync_feed f where f."companyId" = s."companyId")'),
  ).toEqual([])
})

test('the portfolio lives: two years of loans that run, are over, late and written off, joint loans, promises kept and broken; nothing of it lies ahead', async () => {
  for (const { key } of demoCompanies) {
    const of = async (text: string) => (await database.admin.query<Record<string, number>>(text, [demoId(key)])).rows[0] ?? {}
    const loans =
      await of(`select count(*)::int as all, count(*) filter (where status = 'Active')::int as active, count(*) filter (where status = 'Closed')::int as closed,
      count(*) filter (where status = 'Written off')::int as lost, count(*) filter (where "unpaidSince" < current_date - 30)::int as late, count("groupId")::int as shares,
      current_date - min("disbursedOn") as oldest, count(*) filter (where "disbursedOn" > current_date)::int as ahead from loan where "companyId" = $1`)
    // With 300 leads in place of 2,000 the portfolio is as much smaller.
    expect([key, loans['all'] ?? 0]).toEqual([key, expect.toSatisfy((count: number) => count > 60 && count < 160)])
    for (const kind of ['active', 'closed', 'late']) expect([key, kind, (loans[kind] ?? 0) > 3]).toEqual([key, kind, true])
    expect([key, loans['oldest']]).toEqual([key, expect.toSatisfy((days: number) => days > 640 && days <= 731)])
    expect([key, loans['ahead']]).toEqual([key, 0])
    const promises = await of(
      `select count(*) filter (where status = 'Kept')::int as kept, count(*) filter (where status = 'Open')::int as open from payment_promise where "companyId" = $1`,
    )
    expect([key, (promises['kept'] ?? 0) > 0, (promises['open'] ?? 0) > 0]).toEqual([key, true, true])
    const ahead = await of(`select count(*)::int as entries from ledger_entry where "companyId" = $1 and "bookedOn" > current_date`)
    expect([key, ahead['entries']]).toEqual([key, 0])
  }
  expect((await rows<{ count: number }>(`select count(*)::int as count from loan where status = 'Written off'`))[0]?.count).toBeGreaterThan(
    0,
  )
})

test('the whole demo has some 600 loans a company, shares of joint loans among them, and promises of each end', () => {
  const now = Date.now()
  for (const company of demoCompanies) {
    const users = companyUsers(company)
    const made = companyLeads({ company, users, count: 2_000, now })
    const { clients } = companyLeadLife({ company, users, made, now })
    const regulars = regularClients({ company, users, clients, now })
    const tables = companyLoans({ company, users, clients, regulars, now })
    const of = (name: string) => tables.filter(([table]) => table === name).flatMap(([, found]) => found as Record<string, unknown>[])
    const loans = of('loan')
    expect([company.key, loans.length]).toEqual([company.key, expect.toSatisfy((count: number) => count > 520 && count < 680)])
    expect([company.key, loans.filter(({ groupId }) => typeof groupId === 'string').length > 0]).toEqual([company.key, true])
    const ends = new Set(of('payment_promise').map(({ status }) => status))
    expect([company.key, [...ends].toSorted()]).toEqual([company.key, ['Broken', 'Kept', 'Open']])
  }
})

test('its books agree: loans, schedules, payments and ledger, as the nightly comparison has it', async () => {
  for (const { key } of demoCompanies)
    for (const { text, values } of bookChecks({ company: { id: demoId(key) } } as Ctx)) {
      const found = await database.admin.query<{ what: string }>(text, [...values])
      expect([key, found.rows.map(({ what }) => what)]).toEqual([key, []])
    }
})

test('vehicles secure loans that run: one names the loan of another person, the others their client', async () => {
  const secured = await rows<{ named: string | null; owns: number | null }>(`
    select l."status" as named, (select count(*)::int from loan o where o."companyId" = a."companyId" and o."clientId" = a."clientId" and o."status" = 'Active') as owns
    from asset a left join loan l on l."companyId" = a."companyId" and l."id" = a."loanId" where a."clientId" is not null or a."loanId" is not null`)
  expect(secured.filter(({ named }) => named !== null)).toEqual([{ named: 'Active', owns: 0 }])
  expect(secured.filter(({ owns }) => (owns ?? 0) > 0)).toHaveLength(4)
})

test('the vehicles that the simulator drives are registered, in teams of the company whose roads they are on', async () => {
  const devices = await rows<{ uniqueId: string; protocol: string; parent: string }>(`select d."uniqueId", d."protocol", p."name" as parent
    from geo.device d join tenant t on t."companyId" = d."companyId" and t."id" = d."tenantId" join tenant p on p."companyId" = t."companyId" and p."id" = t."path"[cardinality(t."path") - 1]`)
  expect(devices.map(({ uniqueId }) => uniqueId).toSorted()).toEqual(
    Array.from({ length: 12 }, (_, number) => vehicleOf(number).uniqueId).toSorted(),
  )
  expect(new Set(devices.map(({ parent }) => parent))).toEqual(new Set(['Nairobi Branch']))
  expect(new Set(devices.map(({ protocol }) => protocol))).toEqual(new Set(protocols))
})

// What is done, runs and waits of today's round depends on the clock.
test.each([2, 8, 14])('the demo can be made at any hour: %i h UTC', async (hour) => {
  const empty = await testDatabase()
  try {
    expect(
      await seedDemo({
        url: empty.url,
        secret: empty.secret,
        deploySecret: empty.deploySecret,
        leads: 20,
        activities: 30,
        now: new Date().setUTCHours(hour, 10),
      }),
    ).toBe(true)
  } finally {
    await empty.drop()
  }
})

test.each(demoCompanies)(
  'whatever the minute of the morning, the round of $name has whole seconds and nothing of the future',
  (company) => {
    const users = companyUsers(company)
    for (let minutes = 0; minutes < 8 * 60; minutes += 2) {
      const now = new Date().setUTCHours(4, minutes, 0, 0)
      const moves = companyPlans({ company, users, now, firstSeq: 0 }).moves as { durationSeconds: number; dateCreated: string }[]
      for (const { durationSeconds, dateCreated } of moves) {
        expect({ minutes, isWhole: Number.isInteger(durationSeconds), isPast: Date.parse(dateCreated) <= now }).toEqual({
          minutes,
          isWhole: true,
          isPast: true,
        })
      }
    }
  },
)
