import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, terms, type Lending } from '../loans/lending.ts'
import { publishProduct } from '../products/fixture.ts'
import { fieldsOf, type World } from '../world.ts'

let lending: Lending
let world: World
let productId: string
type Who = keyof World['as']

beforeAll(async () => {
  lending = await makeLending()
  world = lending.world
  productId = await publishProduct(world.as.admin, 'PLAIN')
})
afterAll(() => world.app.close())

const remove = (id: string | string[], who: Who = 'manager') =>
  world.as[who].post('/api/clients/delete', Array.isArray(id) ? { ids: id } : { id })
const close = (id: string, who: Who = 'manager') => world.as[who].post(`/api/clients/${id}/move`, { move: 'close', reason: 'Moved away' })
const statusOf = async (id: string) => (await lending.rows(`select "status", "deletedAt" from client where id = $1`, id))[0]
const ask = async (of: object, who: Who = 'officer') => {
  const answer = await world.as[who].post<{ loanApplication: { Id: string } }>('/api/applications', {
    productId,
    amount: 10_000,
    instalments: 12,
    ...of,
  })
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.loanApplication.Id
}
/** Both ways out are shut, and say why with the counts. */
async function staysFor(clientId: string, words: string, details: object): Promise<void> {
  const message = `This client has ${words}. Bring that to its end first.`
  const [removed, closed] = [await remove(clientId), await close(clientId)]
  expect([removed.status, removed.body]).toMatchObject([409, { code: 'STILL_IN_USE', message, details }])
  expect([closed.status, closed.body.message]).toEqual([409, message])
  expect(await statusOf(clientId)).toEqual({ status: 'Active', deletedAt: null })
}
async function mayGo(clientId: string): Promise<void> {
  const closed = await close(clientId)
  expect(closed.status, closed.text).toBe(200)
  expect((await remove(clientId)).status).toBe(200)
}

describe('a client stays and is not closed', () => {
  it('while a loan waits for its payout, runs, is overpaid or was written off, in whatever branch it lies', async () => {
    const clientId = await lending.client()
    const { Id } = await lending.loan({ clientId })
    for (const status of ['Approved', 'Active', 'Overpaid', 'Written off']) {
      await lending.rows(`update loan set "status" = $2 where id = $1`, Id, status)
      await staysFor(clientId, '1 loan that is not closed', { loans: 1, applications: 0, payouts: 0 })
    }
    await lending.rows(`update loan set "tenantId" = $2 where id = $1`, Id, world.other.id)
    await staysFor(clientId, '1 loan that is not closed', { loans: 1 })
    await lending.rows(`update loan set "status" = 'Closed' where id = $1`, Id)
    await mayGo(clientId)
  })

  it('while an application is open, of the client or of the lead behind them, and a payout is under way', async () => {
    const lead = await world.app.make.lead({ tenant: world.team, user: world.people.officer })
    const ofLead = await ask({ leadId: lead.id })
    const clientId = await lending.client(world.team, { leadId: lead.id })
    await staysFor(clientId, '1 open application', { applications: 1 })
    const own = await ask({ clientId })
    const { Id } = await lending.loan({ clientId })
    const payout = await lending.disbursement(Id)
    await staysFor(clientId, '1 loan that is not closed, 2 open applications and 1 payout under way', {
      loans: 1,
      applications: 2,
      payouts: 1,
    })
    for (const id of [ofLead, own]) await world.as.officer.post(`/api/applications/${id}/move`, { move: 'withdraw', reason: 'No' })
    expect((await lending.move(payout.Id, 'reject', { reason: 'No' })).status).toBe(200)
    expect((await world.as.admin.post(`/api/loans/${Id}/move`, { move: 'cancel', reason: 'No' })).status).toBe(200)
    await mayGo(clientId)
  })

  it('among others that are chosen together: none is deleted, and a verdict on each says who is not closed', async () => {
    const [free, owing] = [await lending.client(), await lending.client()]
    await lending.running(dayFrom(-10), { clientId: owing })
    expect((await remove([free, owing])).body.code).toBe('STILL_IN_USE')
    expect(await statusOf(free)).toEqual({ status: 'Active', deletedAt: null })
    const many = await world.as.manager.post('/api/clients/move', { ids: [free, owing], move: 'close', reason: 'Moved away' })
    expect(many.text).toContain('1 loan that is not closed')
    expect([(await statusOf(free))?.['status'], (await statusOf(owing))?.['status']]).toEqual(['Closed', 'Active'])
  })

  it('nor says anything of it to another company or to whoever does not see the client', async () => {
    const clientId = await lending.client()
    await lending.loan({ clientId })
    for (const who of ['foreign', 'elsewhere'] as const) expect((await remove(clientId, who)).text).not.toContain('loan')
    expect([(await close(clientId, 'foreign')).status, (await remove(clientId, 'officer')).status]).toEqual([404, 403])
  })

  it('when it is closed and lent to at once: never both, and a closed client gets no loan', async () => {
    const open = (clientId: string) => world.as.admin.post('/api/loans', { clientId, principal: '1200', terms })
    for (const way of [close, remove]) {
      const clientId = await lending.client()
      const answers = await Promise.all([way(clientId), open(clientId), way(clientId), open(clientId), way(clientId)])
      const { status, deletedAt } = (await statusOf(clientId)) ?? {}
      const [{ loans } = {}] = await lending.rows(`select count(*)::int as loans from loan where "clientId" = $1`, clientId)
      expect(
        [status === 'Closed' || deletedAt !== null, Number(loans) > 0].filter(Boolean),
        answers.map(({ text }) => text).join(),
      ).toHaveLength(1)
    }
    const clientId = await lending.client()
    expect((await close(clientId)).status).toBe(200)
    expect(fieldsOf(await open(clientId))).toEqual(['clientId'])
    const applied = await world.as.officer.post('/api/applications', { productId, amount: 10_000, instalments: 12, clientId })
    expect(applied.body).toMatchObject({ fields: [{ field: 'clientId', message: 'is closed. Reopen the client first' }] })
  })
})

describe('a merge', () => {
  it('takes what runs along, that of the lead too, but not to a closed client', async () => {
    const lead = await world.app.make.lead({ tenant: world.team, user: world.people.officer })
    await ask({ leadId: lead.id })
    const [winner, loser] = [await lending.client(), await lending.client(world.team, { leadId: lead.id })]
    await lending.running(dayFrom(-10), { clientId: loser })
    expect((await close(winner)).status).toBe(200)
    const merge = () => world.as.manager.post('/api/clients/merge', { winnerId: winner, loserId: loser })
    const refused = await merge()
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'The client that stays is closed, and the other one has 1 loan that is not closed and 1 open application. Reopen it first, or keep the other one.',
    ])
    await world.as.manager.post(`/api/clients/${winner}/move`, { move: 'reopen', reason: 'Back' })
    const merged = await merge()
    expect(merged.status, merged.text).toBe(200)
    await staysFor(winner, '1 loan that is not closed and 1 open application', { loans: 1, applications: 1 })
  })
})

it('a lead stays while its application is open', async () => {
  const lead = await world.app.make.lead({ tenant: world.team, user: world.people.officer })
  const id = await ask({ leadId: lead.id })
  const remove = () => world.as.manager.post('/api/leads/delete', { id: lead.id })
  expect((await remove()).body).toMatchObject({
    code: 'STILL_IN_USE',
    message: 'This lead has 1 open application. Bring that to its end first.',
    details: { applications: 1 },
  })
  await world.as.officer.post(`/api/applications/${id}/move`, { move: 'withdraw', reason: 'No' })
  expect((await remove()).status).toBe(200)
  expect((await world.as.manager.post('/api/leads/delete', { id: randomUUID() })).status).toBe(404)
})
