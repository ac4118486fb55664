import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { publishProduct } from '../products/fixture.ts'
import { dayFrom, makeLending, type Lending } from './lending.ts'
import type { World } from '../world.ts'

let lending: Lending
let world: World
type Who = keyof World['as']
interface Results {
  results: { Id: string; isDone: boolean; message?: string }[]
}

beforeAll(async () => {
  lending = await makeLending()
  world = lending.world
})
afterAll(() => world.app.close())

const transfer = (what: 'loans' | 'clients', body: object, who: Who = 'admin') =>
  world.as[who].post<Results>(`/api/${what}/transfer`, { reason: 'Moved house', ...body })
const verdicts = async (...given: Parameters<typeof transfer>) => {
  const { status, body, text } = await transfer(...given)
  expect(status, text).toBe(200)
  return body.data.results.map(({ isDone, message }) => (isDone ? 'done' : message))
}
const filed = async (id: string) => lending.rows(`select "tenantId" as place, "officerUserId" as officer from loan where id = $1`, id)
/** Makes a transfer one of an earlier day. */
const backdate = (id: string, day: string) => lending.rows(`update record_transfer set "transferredOn" = $2 where "objectId" = $1`, id, day)
const par = async (who: Who, asOf: string, by: 'tenant' | 'officer' = 'tenant') => {
  const { body, text, status } = await world.as[who].post<{ preview: { rows: Record<string, unknown>[] } }>('/api/reports/preview', {
    report: 'parVarThirtyReport',
    parameters: { asOf, before: dayFrom(-300), by },
  })
  expect(status, text).toBe(200)
  return body.data.preview.rows
}

describe('a loan that is transferred', () => {
  it('goes with its payments to branch and officer, keeps its history, and is booked on as before', async () => {
    const { Id } = await lending.running(dayFrom(-50))
    const payment = await lending.pay(Id, 100, dayFrom(-20))
    const books = await lending.balances(Id)
    expect(await verdicts('loans', { ids: [Id], tenantId: world.other.id, officerUserId: world.people.elsewhere.id })).toEqual(['done'])
    expect(await filed(Id)).toEqual([{ place: world.other.id, officer: world.people.elsewhere.id }])
    expect((await world.as.officer.get(`/api/loans/${Id}`)).status).toBe(404)
    const seen = await world.as.elsewhere.get<{ payment: { amount: number } }>(`/api/payments/${payment.Id}`)
    expect([seen.status, seen.body.data?.payment.amount]).toEqual([200, 100])
    const { body } = await world.as.elsewhere.get<{ transfers: Record<string, unknown>[] }>(`/api/loans/${Id}/transfers`)
    expect(body.data.transfers).toMatchObject([
      {
        fromBranch: 'Westlands',
        toBranch: 'Mombasa',
        fromOfficer: 'Chidi Officer',
        toOfficer: 'Dalia Elsewhere',
        reason: 'Moved house',
        who: 'Asha Admin',
        transferredOn: dayFrom(0),
      },
    ])
    const timeline = await world.as.elsewhere.get<{ timeline: { what: string; detail: string }[] }>(`/api/loans/${Id}/timeline`)
    expect(timeline.body.data.timeline).toEqual(
      expect.arrayContaining([expect.objectContaining({ what: 'Transferred', detail: 'Moved house' })]),
    )
    // Nothing is booked by the move, and what comes in later is laid to what came in before.
    expect(await lending.balances(Id)).toEqual(books)
    const more = await world.as.elsewhere.post('/api/payments', { loanId: Id, amount: 50, method: 'cash', paidOn: dayFrom(-30) })
    expect(more.status, more.text).toBe(200)
    const after = await lending.balances(Id)
    expect(Object.values(after).reduce((sum, amount) => sum + Math.round(amount * 100), 0)).toBe(0)
    const paid = await lending.rows(
      `select sum(amount)::float8 as sum from payment_allocation where "loanId" = $1 and "supersededAt" is null`,
      Id,
    )
    expect(paid).toEqual([{ sum: 150 }])
    // What was taken back is taken back where it was booked; the branches are whole each.
    const entries = await lending.rows(
      `select e."tenantId" as place, sum(l.debit - l.credit)::float8 as sum from ledger_entry e join ledger_line l on l."entryId" = e.id where e."loanId" = $1 group by 1`,
      Id,
    )
    expect(entries.map(({ sum }) => sum)).toEqual(entries.map(() => 0))
  })

  it('counts on a past day in the branch and for the officer of that day, to whoever reaches them', async () => {
    const { Id, principal } = await lending.running(dayFrom(-200))
    for (const table of ['ledger_entry', 'loan_transaction'])
      await lending.rows(`update ${table} set "bookedOn" = "valueOn" where "loanId" = $1`, Id)
    await lending.rows(`update ledger_line set "bookedOn" = $2 where "loanId" = $1`, Id, dayFrom(-200))
    const [before, after] = [dayFrom(-10), dayFrom(-5)]
    const sum = (rows: Record<string, unknown>[], name: string) =>
      Number(rows.find((row) => String(row['name']).trim() === name)?.['outstanding'] ?? 0)
    const was = { home: sum(await par('admin', before), 'Westlands'), away: sum(await par('admin', before), 'Mombasa') }
    const [managerWas, officerWas] = [
      sum(await par('manager', before), 'Westlands'),
      sum(await par('admin', before, 'officer'), 'Chidi Officer'),
    ]
    expect(managerWas).toBe(was.home)
    await verdicts('loans', { ids: [Id], tenantId: world.other.id, officerUserId: world.people.elsewhere.id })
    await backdate(Id, dayFrom(-7))
    expect({ home: sum(await par('admin', before), 'Westlands'), away: sum(await par('admin', before), 'Mombasa') }).toEqual(was)
    expect(sum(await par('manager', before), 'Westlands')).toBe(was.home)
    expect(sum(await par('admin', before, 'officer'), 'Chidi Officer')).toBe(officerWas)
    const now = await par('admin', after)
    expect([sum(now, 'Westlands'), sum(now, 'Mombasa')]).toEqual([was.home - Number(principal), was.away + Number(principal)])
    expect(sum(await par('manager', after), 'Westlands')).toBe(was.home - Number(principal))
    expect(sum(await par('admin', after), 'Sunrise')).toBe(sum(await par('admin', before), 'Sunrise'))
    expect(sum(await par('admin', after, 'officer'), 'Chidi Officer')).toBe(officerWas - Number(principal))
  })

  it('keeps an officer who was changed in the form too', async () => {
    const { Id } = await lending.running(dayFrom(-3))
    const second = await world.app.make.user({ tenant: world.team, role: 'officer', firstName: 'Second', lastName: 'Officer' })
    expect((await world.as.admin.put(`/api/loans/${Id}`, { officerUserId: second.id })).status).toBe(200)
    expect((await world.as.admin.put(`/api/loans/${Id}`, { officerUserId: second.id })).status).toBe(200)
    const { body } = await world.as.admin.get<{ transfers: Record<string, unknown>[] }>(`/api/loans/${Id}/transfers`)
    expect(body.data.transfers).toMatchObject([{ fromOfficer: 'Chidi Officer', toOfficer: 'Second Officer', reason: null }])
  })

  it('is refused without reach at both ends, without the right, a reason, or an officer of that branch; five at once are one', async () => {
    const { Id } = await lending.running(dayFrom(-3))
    const { Id: far } = await lending.running(dayFrom(-3), { clientId: await lending.client(world.other) })
    const to = { tenantId: world.other.id, officerUserId: world.people.elsewhere.id }
    expect((await transfer('loans', { ids: [Id], ...to }, 'officer')).status).toBe(403)
    expect(await verdicts('loans', { ids: [Id], ...to }, 'manager')).toEqual(['To branch: is not a branch in your reach'])
    expect(await verdicts('loans', { ids: [far], tenantId: world.team.id, officerUserId: world.people.officer.id }, 'manager')).toEqual([
      expect.stringMatching(/not found/i),
    ])
    expect(await verdicts('loans', { ids: [Id, far], ...to }, 'foreign')).toEqual([
      expect.stringMatching(/not found/i),
      expect.stringMatching(/not found/i),
    ])
    expect(await verdicts('loans', { ids: [Id], tenantId: world.stranger.id })).toEqual(['To branch: is not a branch in your reach'])
    expect(await verdicts('loans', { ids: [Id], officerUserId: world.people.foreign.id })).toEqual([
      'To officer: is not an active user in your reach',
    ])
    expect(await verdicts('loans', { ids: [Id], tenantId: world.other.id })).toEqual([
      'To officer: is required: the present one does not work in that branch',
    ])
    expect(await verdicts('loans', { ids: [Id], officerUserId: world.people.elsewhere.id })).toEqual([
      'To officer: does not work in that branch',
    ])
    expect((await transfer('loans', { ids: [Id], ...to, reason: ' ' })).body.fields?.[0]?.field).toBe('reason')
    expect(await lending.rows(`select 1 from record_transfer where "objectId" = any($1)`, [Id, far])).toEqual([])
    const answers = await Promise.all(Array.from({ length: 5 }, () => verdicts('loans', { ids: [Id], ...to })))
    expect(answers.flat().toSorted()).toEqual([...Array.from({ length: 4 }, () => 'It is there already.'), 'done'])
    expect(await lending.rows(`select 1 from record_transfer where "objectId" = $1`, Id)).toHaveLength(1)
  })
})

it('a client goes with the loans that are not closed, written off or not, or without them', async () => {
  const id = await lending.client()
  const { Id } = await lending.running(dayFrom(-3), { clientId: id })
  const [{ Id: lost }, { Id: closed }] = [
    await lending.running(dayFrom(-3), { clientId: id }),
    await lending.running(dayFrom(-3), { clientId: id }),
  ]
  expect((await world.as.admin.post(`/api/loans/${lost}/move`, { move: 'writeOff', reason: 'Gone' })).status).toBe(200)
  await lending.pay(closed, 1272, dayFrom(0))
  const to = { tenantId: world.other.id, assignedUserId: world.people.elsewhere.id }
  expect((await transfer('clients', { ids: [id], ...to }, 'officer')).body.data?.results[0]?.message).toBe(
    'To branch: is not a branch in your reach',
  )
  expect(await verdicts('clients', { ids: [id], ...to })).toEqual(['done'])
  expect(await filed(Id)).toEqual([{ place: world.team.id, officer: world.people.officer.id }])
  const back = { tenantId: world.team.id, assignedUserId: world.people.officer.id }
  expect(await verdicts('clients', { ids: [id], ...back })).toEqual(['done'])
  expect(await verdicts('clients', { ids: [id], ...to, withLoans: true })).toEqual(['done'])
  for (const one of [Id, lost]) expect(await filed(one)).toEqual([{ place: world.other.id, officer: world.people.elsewhere.id }])
  expect(await filed(closed)).toEqual([{ place: world.team.id, officer: world.people.officer.id }])
  const { body } = await world.as.elsewhere.get<{ transfers: { toBranch: string }[] }>(`/api/clients/${id}/transfers`)
  expect(body.data.transfers.map(({ toBranch }) => toBranch)).toEqual(['Mombasa', 'Westlands', 'Mombasa'])
  const feed = await lending.rows(`select "tenantId" as place, op from sync_feed where "entityId" = $1 order by op`, id)
  expect(feed).toEqual(
    expect.arrayContaining([
      { place: world.team.id, op: 'gone' },
      { place: world.other.id, op: 'put' },
    ]),
  )
})

describe('a user who is deactivated', () => {
  const leave = (id: string, more: object = {}) => world.as.admin.del('/api/users/delete', { userIds: [id], ...more })

  it('gives clients, running loans, applications and complaints to the heir, with their history, and has them back', async () => {
    const { team, people, as } = world
    const leaver = await world.app.make.user({ tenant: team, role: 'officer', firstName: 'Neema', lastName: 'Leaver' })
    const clientId = await lending.client(team, { assignedUserId: leaver.id })
    const { Id: loanId } = await lending.running(dayFrom(-10), { clientId })
    expect((await as.admin.put(`/api/loans/${loanId}`, { officerUserId: leaver.id })).status).toBe(200)
    const productId = await publishProduct(as.admin, 'LEAVE')
    const [version] = await lending.rows('select id from product_version where "productId" = $1', productId)
    const application = await world.app.make.row<{ id: string }>('loan_application', {
      companyId: world.company.id,
      id: crypto.randomUUID(),
      tenantId: team.id,
      number: 9_001,
      clientId,
      productId,
      productVersionId: version?.['id'],
      amount: 1000,
      instalments: 3,
      status: 'In review',
      instalment: 350,
      paidOut: 1000,
      totalPaid: 1050,
      totalCost: 50,
      quote: {},
      quotedAt: `${dayFrom(-1)}T09:00:00Z`,
      createdByUserId: leaver.id,
      ownerUserId: leaver.id,
    })
    const complaint = await as.manager.post<{ complaint: { Id: string } }>('/api/complaints', {
      subject: 'Late answer',
      category: 'Other',
      channel: 'Phone',
      severity: 'Low',
      complainantName: 'Wanjiku',
      ownerUserId: leaver.id,
      accusedUserId: people.officer.id,
    })
    expect(complaint.status, complaint.text).toBe(200)
    const complaintId = complaint.body.data.complaint.Id
    const holders = async () => {
      const [found] = await lending.rows(
        `select (select "assignedUserId" from client where id = $1) as client, (select "officerUserId" from loan where id = $2) as loan,
          (select "ownerUserId" from loan_application where id = $3) as application, (select "ownerUserId" from complaint where id = $4) as complaint`,
        clientId,
        loanId,
        application.id,
        complaintId,
      )
      return Object.values(found!)
    }
    const asked = await leave(leaver.id)
    expect(asked.body.details?.['work']).toMatchObject([{ clients: 1, loans: 1, applications: 1, complaints: 1 }])
    expect(asked.body.message).toContain('1 open complaint, 1 loan application, 1 client, 1 running loan')
    // Nobody takes a complaint about himself over, and then nothing moves.
    const refused = await leave(leaver.id, { toUserId: people.officer.id })
    expect([refused.status, await holders()]).toEqual([422, [leaver.id, leaver.id, leaver.id, leaver.id]])
    const heir = await world.app.make.user({ tenant: team, role: 'officer', firstName: 'Heri' })
    const gone = await leave(leaver.id, { toUserId: heir.id })
    expect(gone.status, gone.text).toBe(200)
    expect(await holders()).toEqual([heir.id, heir.id, heir.id, heir.id])
    const { body } = await as.admin.get<{ transfers: { toOfficer: string }[] }>(`/api/loans/${loanId}/transfers`)
    expect(body.data.transfers[0]?.toOfficer).toMatch(/^Heri /)
    expect((await as.admin.post('/api/users/undelete', { userIds: [leaver.id] })).status).toBe(200)
    expect(await holders()).toEqual([leaver.id, leaver.id, leaver.id, leaver.id])
  })
})
