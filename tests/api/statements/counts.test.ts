import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayFrom, type Row } from '../loans/lending.ts'
import { makeReading, type Reading } from './reading.ts'

let reading: Reading
let as: Reading['world']['as']
const day = dayFrom(0)
beforeAll(async () => {
  reading = await makeReading()
  as = reading.world.as
})
afterAll(() => reading.world.app.close())

/** What each number of the page of a statement opens, as the page says it. */
async function opened(id: string): Promise<Map<string, string>> {
  const { fields } = (
    await as.admin.get<{ view: { fields: { key: string; kind: string; opens?: string }[] } }>(
      '/api/console/screens/loans-statements-id-view',
    )
  ).body.data.view
  const numbers = fields.filter(({ kind }) => ['number', 'money'].includes(kind))
  return new Map(numbers.map(({ key, opens = '' }) => [key, opens.replace(':Id', id).replace('/loans/statements/lines?filter=', '')]))
}
const behind = (filter: string, who: keyof typeof as = 'admin') =>
  as[who].get<{ statementLines: Row[] }>(`/api/statements/lines?size=1000&filter=${encodeURIComponent(filter)}`)

describe('a number of a statement', () => {
  it('opens the lines that it counts, as many or adding up to it, in a draft and once booked', async () => {
    const loan = await reading.running(dayFrom(-40))
    await reading.pay(loan.Id, 10, day, { method: 'transfer', providerReference: 'C1' })
    await reading.pay(loan.Id, 11, day, { method: 'transfer', providerReference: 'C2' })
    expect(
      (await as.admin.post('/api/statements/rules', { position: 1, column: 'details', holds: 'own fee', does: 'ignore' })).status,
    ).toBe(200)
    const number = String(loan['loanNumber'])
    const rows = [
      `${day};10;;C1;Ann;${number}`,
      `${day};12.5;;C2;Ann;${number}`,
      `${day};423.99;;C3;Ann;${number}`,
      `${day};7;;C4;Ben;KAMAU`,
      `${day};1;;C5;Bank;Own fee back`,
      `${day};;5.25;C6;Rent;out`,
    ]
    const statement = await reading.draft(rows)
    // Another one with such lines is not counted in.
    await reading.draft(rows.map((row) => row.replace(';C', ';D')))
    const compare = async () => {
      const [{ body }, terms] = [await as.admin.get<{ moneyStatement: Row }>(`/api/statements/${statement.Id}`), await opened(statement.Id)]
      expect([...terms.keys()].toSorted()).toEqual(
        ['lines', 'total', 'wentOut', 'forLoans', 'forSuspense', 'known', 'differs', 'left', 'ignored'].toSorted(),
      )
      for (const [key, filter] of terms) {
        const found = (await behind(filter)).body.data?.statementLines ?? []
        const sum = found.reduce((all, { amount }) => all + Math.round(Number(amount) * 100), 0) / 100
        expect([key, ['total', 'wentOut'].includes(key) ? sum : found.length]).toEqual([key, body.data.moneyStatement[key]])
        if (filter.includes('verdict')) expect([key, found.length]).toEqual([key, 1])
      }
      return terms
    }
    const terms = await compare()
    expect((await reading.book(statement.Id)).status).toBe(200)
    await compare()
    // Nobody of another company sees a line, whatever he asks for; nor does who may not see statements.
    for (const filter of terms.values()) expect((await behind(filter, 'foreign')).body.data?.statementLines).toEqual([])
    expect((await behind('[]', 'officer')).status).toBe(403)
  })
})
