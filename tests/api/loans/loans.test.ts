import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createLoan } from '../../../apps/server/src/areas/loans/index.ts'
import { fieldsOf } from '../world.ts'
import { dayFrom, makeLending, terms, type Lending, type Row } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']

beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

describe('a loan account', () => {
  it('is opened for a client at whole terms, numbered, filed under the client’s branch, and waits for its payout', async () => {
    const made = await lending.loan()
    expect(made).toMatchObject({
      loanNumber: 'L-000001',
      status: 'Approved',
      principal: 1200,
      paidOut: 1200,
      instalment: 424,
      instalments: 3,
      tenantId: lending.world.team.id,
      principalOwed: 0,
      daysPastDue: 0,
    })
    expect((await as.manager.get<{ instalments: Row[] }>(`/api/loans/${made.Id}/schedule`)).body.data.instalments).toEqual([])
  })

  it('is opened at the usual terms too', async () => {
    const answer = await as.manager.post<{ loan: Row }>('/api/loans', {
      clientId: await lending.client(),
      principal: '10000',
      method: 'declining',
      annualRate: 24,
      instalments: 12,
    })
    expect(answer.body.data.loan).toMatchObject({ instalment: 945.6, method: 'declining', annualRate: '24' })
  })

  it('names what is wrong with it', async () => {
    const clientId = await lending.client()
    const wrong = async (body: object) => fieldsOf(await as.manager.post('/api/loans', { clientId, principal: '1200', terms, ...body }))
    expect(await wrong({ terms: { ...terms, instalments: 0 } })).toEqual(['terms.instalments'])
    expect(await wrong({ terms: { ...terms, currency: 'USD' } })).toEqual(['terms.currency'])
    expect(await wrong({ principal: '0' })).toEqual(['principal'])
    expect(await wrong({ clientId: await lending.client(lending.world.stranger) })).toEqual(['clientId'])
    expect(await wrong({ terms: { ...terms, fees: [{ name: 'Too much', kind: 'flat', amount: '1200', due: 'deducted' }] } })).toEqual([
      'principal',
    ])
  })

  it('is for those who may decide on payouts, and out of sight elsewhere', async () => {
    const { Id } = await lending.loan()
    expect((await as.officer.post('/api/loans', { clientId: await lending.client(), principal: '1200', terms })).status).toBe(403)
    expect((await as.officer.get(`/api/loans/${Id}`)).status).toBe(200)
    for (const who of ['elsewhere', 'foreign'] as const)
      for (const path of ['', '/schedule', '/transactions', '/timeline', '/statement'])
        expect([who, path, (await as[who].get(`/api/loans/${Id}${path}`)).status]).toEqual([who, path, 404])
  })
})

it('is opened once for an application, by the areas that decide on them', async () => {
  const ctx = await lending.program()
  const [clientId, applicationId] = [await lending.client(), randomUUID()]
  const open = () =>
    ctx.transaction((inner) =>
      createLoan(inner, { clientId, applicationId, terms, principal: '1200', creditType: 'developmental', productName: 'Quick loan' }),
    )
  expect(await open()).toMatchObject({
    applicationId,
    productName: 'Quick loan',
    creditType: 'developmental',
    officerUserId: lending.world.people.officer.id,
  })
  await expect(open()).rejects.toMatchObject({ failure: 'ALREADY_EXISTS' })
})

describe('a payout', () => {
  it('is asked for, approved by a second person, sent, confirmed; then there is a schedule and the ledger holds it', async () => {
    const { Id: loanId } = await lending.loan({
      terms: {
        fees: [
          { name: 'Processing', kind: 'percentOfPrincipal', amount: '5', due: 'deducted' },
          { name: 'Legal', kind: 'flat', amount: '30', due: 'financed' },
        ],
      },
    })
    const asked = await lending.disbursement(loanId)
    expect(asked).toMatchObject({ status: 'Requested', amount: 1140 })
    const own = await lending.move(asked.Id, 'approve', {}, 'manager')
    expect([own.status, own.body.code]).toEqual([403, 'FORBIDDEN'])
    expect((await lending.move(asked.Id, 'confirm', { providerReference: 'X', paidOn: dayFrom(0) })).status).toBe(409)
    expect((await lending.move(asked.Id, 'approve')).status).toBe(200)
    expect(fieldsOf(await as.admin.put(`/api/disbursements/${asked.Id}`, { payTo: '+254700000000' }))).toEqual(['payTo'])
    expect((await lending.move(asked.Id, 'send')).status).toBe(200)
    expect(fieldsOf(await lending.move(asked.Id, 'confirm', { paidOn: dayFrom(0) }))).toEqual(['providerReference'])
    expect(fieldsOf(await lending.move(asked.Id, 'confirm', { providerReference: 'X', paidOn: dayFrom(2) }))).toEqual(['paidOn'])
    const all = await Promise.all(
      Array.from({ length: 5 }, () => lending.move(asked.Id, 'confirm', { providerReference: 'QX1', paidOn: dayFrom(0) })),
    )
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await lending.read(loanId)).toMatchObject({
      status: 'Active',
      disbursedOn: dayFrom(0),
      principalOwed: 1230,
      owed: 1230 + 73.8,
      daysPastDue: 0,
      bucket: 'Current',
    })
    expect(await lending.balances(loanId)).toEqual({ portfolio: 1230, provider: -1140, feeIncome: -90 })
    const { instalments } = (await as.manager.get<{ instalments: Row[] }>(`/api/loans/${loanId}/schedule`)).body.data
    expect(instalments.map(({ principal, interest, balance }) => [principal, interest, balance])).toEqual([
      [410, 24.6, 820],
      [410, 24.6, 410],
      [410, 24.6, 0],
    ])
  })

  it('failed may be sent again, and what failed once is paid once', async () => {
    const { Id: loanId } = await lending.loan()
    const { Id } = await lending.disbursement(loanId)
    for (const name of ['approve', 'send']) await lending.move(Id, name)
    expect((await lending.move(Id, 'fail', { reason: 'Wrong number' })).status).toBe(200)
    expect(((await lending.move(Id, 'retry')).body.data as { disbursement: Row }).disbursement).toMatchObject({
      status: 'Sent',
      attempts: 2,
    })
    expect((await lending.move(Id, 'confirm', { providerReference: 'QX2', paidOn: dayFrom(0) })).status).toBe(200)
    for (const name of ['retry', 'send']) expect((await lending.move(Id, name)).status).toBe(409)
    expect(await lending.rows(`select from ledger_entry where "loanId" = $1 and kind = 'disbursement'`, loanId)).toHaveLength(1)
  })

  it('is opened within the bounds of money alone; what Postgres cannot store is named', async () => {
    const clientId = await lending.client()
    const open = (over: object) =>
      as.admin.post('/api/loans', { clientId, principal: 100, method: 'flat', annualRate: 24, instalments: 3, unit: 'month', ...over })
    for (const principal of ['999999999999.01', '999999999999999.99', 1e15, 0.001, 1e-7, '0.00'])
      expect([principal, fieldsOf(await open({ principal }))]).toEqual([principal, ['principal']])
    expect((await open({ principal: 999_999_999_999 })).status).toBe(200)
    expect((await open({ productName: 'Cash\0loan' })).body.fields).toEqual([
      { field: 'productName', message: 'may not hold the NUL character' },
    ])
  })

  it('is not approved by who opened the loan, where no application was decided on', async () => {
    const opened = await as.admin.post<{ loan: Row }>('/api/loans', { clientId: await lending.client(), principal: '900', terms })
    expect(opened.status, opened.text).toBe(200)
    const { Id } = await lending.disbursement(opened.body.data.loan.Id)
    const own = await lending.move(Id, 'approve')
    expect([own.status, own.body.message]).toEqual([409, 'Another person has to decide: you opened this loan.'])
  })

  it('is one a loan: a second needs the first to be rejected', async () => {
    const { Id: loanId } = await lending.loan()
    const { Id } = await lending.disbursement(loanId)
    expect((await as.manager.post('/api/disbursements', { loanId, channel: 'cash' })).status).toBe(409)
    const cancelled = await as.admin.post(`/api/loans/${loanId}/move`, { move: 'cancel', reason: 'Not wanted' })
    expect([cancelled.status, cancelled.body.message]).toEqual([409, 'A payout of this loan is on its way. Reject it first.'])
    expect((await lending.move(Id, 'reject', { reason: 'Wrong account' })).status).toBe(200)
    await lending.disbursement(loanId)
    expect(fieldsOf(await as.foreign.post('/api/disbursements', { loanId, channel: 'cash' }))).toEqual(['loanId'])
    expect(
      fieldsOf(await as.manager.post('/api/disbursements', { loanId: (await lending.running(dayFrom(0))).Id, channel: 'cash' })),
    ).toEqual(['loanId'])
  })

  it('is approved in bulk with a verdict on each', async () => {
    const [first, own] = [
      await lending.disbursement((await lending.loan()).Id),
      await lending.disbursement((await lending.loan()).Id, 'admin'),
    ]
    const { body } = await as.admin.post<{ results: { Id: string; isDone: boolean }[] }>('/api/disbursements/move', {
      ids: [first.Id, own.Id],
      move: 'approve',
    })
    expect(body.data.results.map(({ isDone }) => isDone)).toEqual([true, false])
  })
})

describe('the ledger', () => {
  it('opens every balance into its lines', async () => {
    const { Id } = await lending.running(dayFrom(-40))
    const { ledgerAccounts } = (await as.admin.get<{ ledgerAccounts: Row[] }>('/api/ledger/accounts')).body.data
    expect(ledgerAccounts).toHaveLength(20)
    for (const { Id: accountId, balance } of ledgerAccounts) {
      const filter = encodeURIComponent(JSON.stringify([{ field: 'accountId', op: 'eq', value: accountId }]))
      const { ledgerLines } = (
        await as.admin.get<{ ledgerLines: { debit: number; credit: number }[] }>(`/api/ledger/lines?filter=${filter}`)
      ).body.data
      expect(ledgerLines.reduce((sum, { debit, credit }) => sum + debit - credit, 0)).toBeCloseTo(Number(balance), 6)
    }
    expect((await as.officer.get('/api/ledger/accounts')).status).toBe(403)
    const foreign = (await as.foreign.get<{ ledgerEntries: Row[] }>('/api/ledger/entries')).body.data.ledgerEntries
    expect(foreign).toEqual([])
    const entries = (
      await as.elsewhere.get(`/api/ledger/entries?filter=${encodeURIComponent(JSON.stringify([{ field: 'loanId', op: 'eq', value: Id }]))}`)
    ).status
    expect(entries).toBe(403)
  })

  it('is exported by day as CSV that balances', async () => {
    await lending.running(dayFrom(0))
    const { text, status } = await as.admin.post('/api/ledger/export', { day: dayFrom(0) })
    expect(status).toBe(200)
    const [head, ...lines] = text.replace('\uFEFF', '').trim().split('\r\n')
    expect(head).toBe('bookedOn,valueOn,entry,kind,text,account,accountName,branch,loan,debit,credit,currency')
    const sums = lines
      .map((line) => line.split(',').slice(-3).map(Number))
      .reduce(([debit = 0, credit = 0], [d = 0, c = 0]) => [debit + d, credit + c], [0, 0])
    expect(lines.length).toBeGreaterThan(1)
    expect(sums[0]).toBeCloseTo(sums[1] ?? -1, 6)
    // Whoever names an account or a branch writes no formula into somebody's sheet.
    await lending.rows(
      `update ledger_account set name = '=HYPERLINK("http://evil","x")' where "companyId" = $1 and purpose = 'portfolio'`,
      lending.world.company.id,
    )
    const again = (await as.admin.post('/api/ledger/export', { day: dayFrom(0) })).text
    expect([again.includes(`,"'=HYPERLINK(""http://evil"",""x"")",`), /(?:^|,)"?=/m.test(again)]).toEqual([true, false])
    expect((await as.admin.post('/api/ledger/export', { day: '2026-13-01' })).status).toBe(422)
  })

  it('cannot be brought out of balance, added to, changed or emptied, even by the program’s own role', async () => {
    const { Id } = await lending.running(dayFrom(0))
    const [entry] = await lending.rows(`select * from ledger_entry where "loanId" = $1`, Id)
    const [line] = await lending.rows(`select * from ledger_line where "entryId" = $1`, entry?.['id'])
    const { admin } = lending.world.app.database
    const attempt = async (text: string, ...values: unknown[]) => {
      const connection = await admin.connect()
      try {
        await connection.query('begin')
        await connection.query(`set local role fx_app`)
        await connection
          .query(`select set_config('app.company', $1, true), set_config('app.scope', '*', true)`, [lending.world.company.id])
          .catch(() => undefined)
        await connection.query(text, values)
        await connection.query('commit')
        return 'done'
      } catch (error) {
        await connection.query('rollback')
        return (error as Error).message
      } finally {
        connection.release()
      }
    }
    for (const text of [
      'update ledger_line set debit = 1',
      'delete from ledger_line',
      'update ledger_entry set text = text',
      'delete from ledger_entry',
    ])
      expect(await attempt(text)).toContain('permission denied')
    const asOwner = async (text: string, ...values: unknown[]) =>
      admin.query(text, values).then(
        () => 'done',
        (error: Error) => error.message,
      )
    const columns = '"companyId", id, "tenantId", "entryId", "accountId", "bookedOn", debit, credit'
    expect(
      await asOwner(
        `insert into ledger_line (${columns}) values ($1, uuidv7(), $2, $3, $4, $5, 1, 0)`,
        line?.['companyId'],
        line?.['tenantId'],
        line?.['entryId'],
        line?.['accountId'],
        line?.['bookedOn'],
      ),
    ).toContain('do not balance')
    expect(
      await asOwner(
        `insert into ledger_line (${columns}) values ($1, uuidv7(), $2, $3, $4, $5, 1, 0), ($1, uuidv7(), $2, $3, $4, $5, 0, 1)`,
        line?.['companyId'],
        line?.['tenantId'],
        line?.['entryId'],
        line?.['accountId'],
        line?.['bookedOn'],
      ),
    ).toContain('added with their entry')
    expect(
      await asOwner(
        `insert into ledger_entry ("companyId", id, "tenantId", key, kind, "bookedOn", "valueOn", text, "createdByUserId") values ($1, uuidv7(), $2, 'x', 'x', now(), now(), 'x', $2)`,
        entry?.['companyId'],
        entry?.['tenantId'],
      ),
    ).toContain('has 0 lines')
  })
})
