import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, makeLending, type Lending, type Row } from '../loans/lending.ts'

let lending: Lending
let as: Lending['world']['as']
beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
})
afterAll(() => lending.world.app.close())

const read = (rows: string[], over: object = {}, who: keyof typeof as = 'admin') =>
  as[who].post<{ moneyStatement: Row }>('/api/statements', {
    source: 'bank',
    csv: ['Date;Paid in;Receipt No.;Name;Account no', ...rows].join('\n'),
    ...over,
  })
const draft = async (...rows: string[]) => {
  const answer = await read(rows)
  expect(answer.status, answer.text).toBe(200)
  return answer.body.data.moneyStatement
}
const book = (id: string, who: keyof typeof as = 'admin') => as[who].post<{ moneyStatement: Row }>(`/api/statements/${id}/book`, {})
const linesOf = async (id: string) => (await as.admin.get<{ lines: Row[] }>(`/api/statements/${id}/lines`)).body.data.lines
const differencesOf = async (id: string) =>
  (await as.admin.get<{ differences: Row[] }>(`/api/statements/${id}/differences`)).body.data.differences.map(
    ({ reference, what, stated, booked }) => [reference, what, stated, booked],
  )
const payments = (...references: string[]) =>
  lending.rows(
    `select "providerReference" as reference, amount::text, status, "loanId" from payment where "providerReference" = any($1::text[]) order by 1`,
    references,
  )
const messages = (answer: { body: unknown }) =>
  ((answer.body as { fields?: { field: string; message: string }[] }).fields ?? []).map(({ field, message }) => `${field} ${message}`)
const day = dayFrom(0)

describe('a statement', () => {
  it('is read into a draft that books nothing, then booked once, five times at once, exact to the cent', async () => {
    const loan = await lending.running(dayFrom(-40))
    const number = String(loan['loanNumber'])
    await lending.pay(loan.Id, 10, day, { method: 'transfer', providerReference: 'B1' })
    await lending.pay(loan.Id, 11, day, { method: 'transfer', providerReference: 'b2' })
    expect(
      (await as.admin.post('/api/statements/rules', { position: 1, column: 'details', holds: 'bank fee', does: 'ignore' })).status,
    ).toBe(200)
    expect((await as.admin.post('/api/statements/rules', { position: 2, column: 'payer', holds: 'Court', does: 'suspense' })).status).toBe(
      200,
    )
    const statement = await draft(
      `${day};10.00;B1;Ann;${number}`,
      `${day};12,00;B2;Ann;${number}`.replace(',', '.'),
      `${day};423.99;B3;Ann;${number}`,
      `${day};7;B4;Ben;KAMAU`,
      `${day};1;B5;Bank;Bank fee back`,
      `${day};5;B6;High court;${number}`,
      `${day};;B7;Rent;out`,
      `${day};-5;B8;Rent;out`,
    )
    expect(statement).toMatchObject({
      status: 'Draft',
      lines: 7,
      forLoans: 1,
      forSuspense: 2,
      known: 1,
      differs: 1,
      ignored: 1,
      left: 1,
      total: 458.99,
      wentOut: 5,
    })
    expect((await linesOf(statement.Id)).map(({ reference, verdict, why }) => [reference, verdict, why])).toEqual([
      ['B1', 'Known', null],
      ['B2', 'Differs', 'Booked as 11.00'],
      ['B3', 'Loan', null],
      ['B4', 'Suspense', null],
      ['B5', 'Ignored', 'Rule: bank fee'],
      ['B6', 'Suspense', 'Rule: Court'],
      ['B8', 'Out', null],
    ])
    expect(await payments('B3', 'B4', 'B5', 'B6')).toEqual([])
    expect(await differencesOf(statement.Id)).toEqual([
      ['B2', 'Other amount', 12, 11],
      ['B3', 'Not booked', 423.99, null],
      ['B4', 'Not booked', 7, null],
      ['B6', 'Not booked', 5, null],
      ['B8', 'Left by the statement, not booked', 5, null],
    ])
    const answers = await Promise.all(Array.from({ length: 5 }, () => book(statement.Id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409])
    expect(await payments('B3', 'B4', 'B5', 'B6')).toEqual([
      { reference: 'B3', amount: '423.99', status: 'Posted', loanId: loan.Id },
      { reference: 'B4', amount: '7.00', status: 'Suspense', loanId: null },
      { reference: 'B6', amount: '5.00', status: 'Suspense', loanId: null },
    ])
    expect(await lending.read(loan.Id)).toMatchObject({ owed: 1272 - 10 - 11 - 423.99 })
    await lending.pay(loan.Id, 3, day, { method: 'transfer', providerReference: 'B9' })
    expect(await differencesOf(statement.Id)).toEqual([
      ['B2', 'Other amount', 12, 11],
      ['B8', 'Left by the statement, not booked', 5, null],
      ['B9', 'Not on the statement', null, 3],
    ])
    // The same file once more has nothing left to book.
    const again = await draft(`${day};423.99;B3;Ann;${number}`)
    expect(again).toMatchObject({ known: 1, forLoans: 0 })
    expect((await book(again.Id)).status).toBe(200)
    expect(await payments('B3')).toHaveLength(1)
  })

  it('has the amounts that its bank means, whichever way it sets off thousands and decimals', async () => {
    const written = ['12,50', '1.234,50', '"1,234.50"', '1 234,5', '1,000', '12,50-']
    const messagesOf = (rows: readonly string[]) => read(rows.map((amount, place) => `${day};${amount};CM${place};a;b`)).then(messages)
    expect(await messagesOf(written)).toEqual(['csv line 7: the amount “12,50-” is none in KES'])
    expect(await messagesOf(['1,23,45', '1,2345'])).toHaveLength(2)
    const { Id } = await draft(...written.slice(0, -1).map((amount, place) => `${day};${amount};CM${place};a;b`))
    expect(
      (await lending.rows('select amount::float8 from money_statement_line where "statementId" = $1 order by position', Id)).map(
        ({ amount }) => amount,
      ),
    ).toEqual([12.5, 1234.5, 1234.5, 1234.5, 1000])
  })

  it('that cannot be read is refused with each line that is wrong, and nothing is kept', async () => {
    const before = await lending.rows('select count(*) from money_statement')
    expect(
      messages(
        await read([
          `${day};1;X1;a;b`,
          `31.02.2026;1;X2;a;b`,
          `${day};abc;X3;a;b`,
          `${day};1.005;X4;a;b`,
          `${day};1;;a;b`,
          `${dayFrom(3)};1;X6;a;b`,
          `0000-01-05;1;X7;a;b`,
        ]),
      ),
    ).toEqual([
      'csv line 3: the date “31.02.2026” is none',
      'csv line 4: the amount “abc” is none in KES',
      'csv line 5: the amount “1.005” is none in KES',
      'csv line 6: the reference is missing',
      'csv line 7: the date lies in the future',
      'csv line 8: the date “0000-01-05” is none',
    ])
    expect(messages(await read([], { csv: 'Day,Sum\n1,2' }))).toHaveLength(3)
    expect(messages(await read([], { csv: 'Date,Amount,Reference\n"2026-01-01,1,x' }))[0]).toContain('csv cannot be read')
    expect(messages(await read([`${day};1;X1;a;b`, `${day};1;x1;a;b`]))).toEqual(['csv names x1 twice'])
    expect(messages(await read([`${day};;X1;a;b`]))).toEqual(['csv holds no money that came in or went out'])
    expect(await lending.rows('select count(*) from money_statement')).toEqual(before)
  })

  it('is of its company, and for who decides on money', async () => {
    const statement = await draft(`${day};1;Y1;a;b`)
    for (const path of ['', '/lines', '/differences'])
      expect((await as.foreign.get(`/api/statements/${statement.Id}${path}`)).status).toBe(404)
    expect((await book(statement.Id, 'foreign')).status).toBe(404)
    expect((await book(statement.Id, 'officer')).status).toBe(403)
    for (const body of [{ move: 'book' }, { status: 'Booked' }])
      expect((await as.admin.post(`/api/statements/${statement.Id}/move`, body)).status).not.toBe(200)
    expect((await as.admin.post(`/api/statements/${statement.Id}/move`, { move: 'discard', reason: 'Read twice' })).status).toBe(200)
    expect((await book(statement.Id)).status).toBe(409)
  })

  it('comes as MT940 too: what came in and what went out, under the same rules, the same file once', async () => {
    const loan = await lending.running(dayFrom(-40))
    const [number, short] = [String(loan['loanNumber']), dayFrom(-1).slice(2).replaceAll('-', '')]
    const mt940 = (over: { currency?: string; closing?: string; date?: string } = {}) =>
      [
        ':20:STMT0001',
        ':25:KCB/1100223344',
        ':28C:00012/001',
        `:60F:C${short}${over.currency ?? 'KES'}1000,00`,
        `:61:${over.date ?? short}C250,55NTRFNONREF//BANKREF1`,
        `:86:166?00TRANSFER?20${number} INSTALMENT?32NEEMA WAFULA`,
        `:61:${short}C100,NTRFCLIENT77`,
        ':86:KAMAU MAIZE',
        `:61:${short}C5,45NMSCNONREF`,
        ':86:Bank fee back',
        `:61:${short}C3,NMSCNONREF`,
        ':86:Cash',
        `:61:${short}D60,NTRFRENT`,
        ':86:Rent',
        `:62F:C${short}${over.currency ?? 'KES'}${over.closing ?? '1299,00'}`,
        '-',
      ].join('\r\n')
    const readIn = (csv: string) => as.admin.post<{ moneyStatement: Row }>('/api/statements', { source: 'bank', csv })
    const answer = await readIn(mt940())
    expect(answer.status, answer.text).toBe(200)
    const { moneyStatement } = answer.body.data
    expect(moneyStatement).toMatchObject({
      lines: 5,
      forLoans: 1,
      ignored: 1,
      left: 1,
      total: 359,
      wentOut: 60,
      firstOn: dayFrom(-1),
      lastOn: dayFrom(-1),
    })
    expect(
      (await linesOf(moneyStatement.Id)).map(({ reference, amount, payer, loanNumber, verdict }) => [
        reference,
        amount,
        payer,
        loanNumber,
        verdict,
      ]),
    ).toEqual([
      ['BANKREF1', 250.55, 'NEEMA WAFULA', number, 'Loan'],
      ['CLIENT77', 100, null, null, 'Suspense'],
      ['STMT0001 00012/001-3', 5.45, null, null, 'Ignored'],
      ['STMT0001 00012/001-4', 3, null, null, 'Suspense'],
      ['RENT', 60, null, null, 'Out'],
    ])
    expect((await book(moneyStatement.Id)).status).toBe(200)
    expect(await lending.read(loan.Id)).toMatchObject({ owed: 1272 - 250.55 })
    expect((await readIn(mt940())).body.data.moneyStatement).toMatchObject({ known: 3, forLoans: 0, forSuspense: 0 })
    expect(messages(await readIn(mt940({ currency: 'EUR' })))).toEqual(['csv is in EUR, your books are in KES'])
    expect(messages(await readIn(mt940({ closing: '1300,00' })))[0]).toContain('csv cannot be read as MT940')
    expect(messages(await readIn(mt940({ date: dayFrom(2).slice(2).replaceAll('-', '') })))).toEqual([
      'csv movement 1: the date lies in the future',
    ])
    expect(messages(await readIn(':20:X\n:61:nonsense'))[0]).toContain('csv cannot be read as MT940')
  })
})
