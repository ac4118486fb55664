import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { textOfPdf } from '../../support/pdf.ts'
import { dayFrom, makeLending, type Lending } from './lending.ts'

let lending: Lending
let as: Lending['world']['as']
beforeAll(async () => {
  lending = await makeLending()
  as = lending.world.as
  const chosen = { dateFormat: 'DD/MM/YYYY', numberFormat: '1.234,56', currencyDisplay: 'code' }
  expect((await as.admin.put(`/api/settings/${lending.world.company.id}`, chosen)).status).toBe(200)
})
afterAll(() => lending.world.app.close())

const slashed = (day: string) => day.split('-').toReversed().join('/')
const today = slashed(dayFrom(0))
async function read(path: string, by: keyof typeof as = 'admin'): Promise<string> {
  const answer = await as[by].get(path)
  expect(answer.status, answer.text).toBe(200)
  return textOfPdf(answer.bytes)
}

describe('papers of a company that writes otherwise', () => {
  it('are receipts, statements, quotes and previews with its days, numbers and amounts', async () => {
    const loan = await lending.running(dayFrom(-45), { principal: '12000' })
    const paid = await lending.pay(loan.Id, 4_300.5, dayFrom(-1))
    const receipt = await read(`/api/payments/${paid.Id}/receipt`)
    expect(receipt).toContain(`Amount KES 4.300,50 Paid on ${slashed(dayFrom(-1))}`)
    expect(receipt).toContain(`· ${today} · page 1 of 1`)
    const statement = await read(`/api/loans/${loan.Id}/statement`)
    expect(statement).toContain(`As of ${today}`)
    expect(statement).toContain('Principal KES 12.000,00')
    expect(statement).toContain(`Paid out on ${slashed(dayFrom(-45))}`)
    const made = async (path: string, body: object) => {
      const answer = await as.manager.post(`/api/loans/${loan.Id}/${path}`, body)
      expect(answer.status, answer.text.slice(0, 300)).toBe(200)
      return textOfPdf(answer.bytes)
    }
    const quote = await made('settlement/pdf', { on: dayFrom(5) })
    expect(quote).toContain(`Valid until ${slashed(dayFrom(5))}`)
    expect(quote).toMatch(/To be paid in all KES 8\.\d{3},\d{2}/)
    const restructure = await made('restructure/pdf', { instalments: 8 })
    expect(restructure).toMatch(/Principal owed: KES \d\.\d{3},\d{2}\. Nothing/)
    expect(restructure).toMatch(/\d\d\/\d\d\/\d{4} \d\.\d{3},\d\d/)
    for (const text of [receipt, statement, quote, restructure]) expect(text).not.toMatch(/\d{4}-\d{2}-\d{2}|\d,\d{3}\.|\d\.\d{2}(?!\d)/)
  })

  it('are applications, sums and letters of complaints', async () => {
    const lead = await as.officer.post<{ lead: { Id: string } }>('/api/leads', {
      firstName: 'Amina',
      lastName: 'Were',
      phonenumber: '0711000222',
    })
    const application = await as.officer.post('/api/leads/generate-pdf', { pdfData: lead.body.data.lead.Id })
    expect(await textOfPdf(application.bytes)).toContain(`· ${today} · page`)
    const inputs = { basicPay: 60_000, netPay: 38_000, rate: 2.5, termMonths: 12 }
    const sum = await as.admin.post('/api/calculators/cs-affordability/pdf', { inputs })
    expect(sum.status, sum.text.slice(0, 300)).toBe(200)
    const words = await textOfPdf(sum.bytes)
    expect(words).toContain('KES 60.000,00')
    expect(words).toContain('2,5 %')
    expect(words).toContain(`${today} · rules`)
    const taken = await as.manager.post<{ complaint: { Id: string } }>('/api/complaints', {
      subject: 'Payment not on the statement',
      category: 'Repayment not posted',
      channel: 'Phone',
      severity: 'Medium',
      complainantName: 'Neema Wafula',
    })
    expect(await read(`/api/complaints/${taken.body.data.complaint.Id}/acknowledgement`, 'manager')).toContain(
      `We received your complaint on ${today}:`,
    )
  })

  it('say on reports what was asked for the same way, and other companies are left as they were', async () => {
    const parameters = { startDate: dayFrom(-3), endDate: dayFrom(0) }
    const ask = async (by: 'admin' | 'foreign') =>
      (await as[by].post<{ preview: { filters: { value: string }[] } }>('/api/reports/preview', { report: 'userLoginReport', parameters }))
        .body.data.preview.filters
    expect(await ask('admin')).toEqual([
      { label: 'From', value: slashed(dayFrom(-3)) },
      { label: 'To', value: today },
    ])
    expect((await ask('foreign'))[1]?.value).toMatch(/^\d{1,2} [A-Z][a-z]{2} \d{4}$/)
  })
})
