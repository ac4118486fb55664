import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending, type Row } from '../loans/lending.ts'

let lending: Lending
beforeAll(async () => {
  lending = await makeLending()
})
afterAll(() => lending.world.app.close())

interface Entry {
  at: string
  who: string
  what: string
  detail: string | null
}

it('the history of a client tells of loans, payments, promises, messages and complaints, to whom may see them', async () => {
  const { as, people, team } = lending.world
  const clientId = await lending.client(team, { emailAddress: 'all@mail.test' })
  const loan = await lending.running(dayFrom(-40), { clientId })
  const { paymentNumber, Id: payment } = await lending.pay(loan.Id, 424, dayFrom(-1))
  const promised = await as.admin.post('/api/promises', { loanId: loan.Id, amount: 100, dueOn: dayFrom(3), channel: 'Call' })
  expect(promised.status, promised.text).toBe(200)
  expect((await as.admin.post(`/api/payments/${payment}/send-receipt`, { channel: 'mail' })).status).toBe(200)
  const filed = await as.manager.post<{ complaint: Row }>('/api/complaints', {
    subject: 'Rude',
    category: 'Other',
    channel: 'Phone',
    severity: 'Low',
    clientId,
    accusedUserId: people.officer.id,
  })
  expect(filed.status, filed.text).toBe(200)
  const told = async (who: keyof typeof as) =>
    (await as[who].get<{ timeline: Entry[] }>(`/api/clients/${clientId}/timeline`)).body.data.timeline.map(
      ({ what, detail }) => `${what}: ${detail}`,
    )
  const all = await told('manager')
  for (const entry of [
    `Loan ${String(loan['loanNumber'])} opened: KES 1,200.00`,
    `Payment ${String(paymentNumber)}: KES 424.00`,
    `Promised to pay by ${dayFrom(3)}: KES 100.00 · Open`,
    'Complaint K-00001: Rude',
  ])
    expect(all).toContain(entry)
  expect(all.filter((entry) => entry.startsWith('E-mail to the client'))).toHaveLength(2)
  // Whom a complaint is about reads neither it nor the letter about it; payouts are for who decides on them.
  const officers = await told('officer')
  expect(officers.filter((entry) => entry.includes('Complaint') || entry.includes('complaint'))).toEqual([])
  expect(officers).toContain(`Payment ${String(paymentNumber)}: KES 424.00`)
  expect((await told('admin')).some((entry) => /^Payout D-\d{6} confirmed: KES 1,200.00$/.test(entry))).toBe(true)
  expect((await as.foreign.get(`/api/clients/${clientId}/timeline`)).status).toBe(404)
})
