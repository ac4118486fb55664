import { failField } from '@outpost/contract/errors'
import { sql } from '@outpost/platform/db/sql'
import type { Wording } from '@outpost/rules/wording'
import type { Content } from 'pdfmake/interfaces.js'
import { z } from 'zod'
import { pdfLetter } from '../../kernel/pdf.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { wordingFor } from '../../kernel/settings/wording.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { lead } from './lead.resource.ts'

/** pdfData names the lead, plainly or as {leadId}: the document is made here from the stored record, never from a client's markup. */
export const pdfInput = z.strictObject({
  pdfData: z.union([idSchema, z.array(idSchema).length(1), z.object({ leadId: idSchema.optional(), Id: idSchema.optional() })]),
})

/** The application of a lead as a PDF letter. */
export async function generateLeadPdf(ctx: Ctx, { pdfData }: z.infer<typeof pdfInput>): Promise<Answer> {
  const id = typeof pdfData === 'string' ? pdfData : Array.isArray(pdfData) ? pdfData[0] : (pdfData.leadId ?? pdfData.Id)
  if (!id) failField('pdfData', 'names no lead')
  const record = await getRecord(ctx, lead, id)
  const consents = await ctx.sql.query<{ channel: string; status: string; requestedAt: Date; textVersion: string }>(sql`
    select "channel", "status", "requestedAt", "textVersion" from lead_consent where "companyId" = ${ctx.company.id} and "leadId" = ${id} order by "requestedAt" desc limit 5`)
  const name = `${String(record['firstName'])} ${String(record['lastName'])}`
  return pdfLetter(`application-${name}`, {
    company: ctx.company,
    title: `Loan application ${name}`,
    content: applicationContent(await wordingFor(ctx.company), record, consents),
  })
}

type Consent = { channel: string; status: string; requestedAt: Date; textVersion: string }

function applicationContent(words: Wording, record: Record<string, unknown>, consents: readonly Consent[]): Content[] {
  const money = (value: unknown) => (value === null || value === undefined ? '-' : words.money(String(value as string | number)))
  return [
    { text: 'Loan application', fontSize: 13, margin: [0, 2, 0, 14] },
    section('Applicant', [
      ['Name', `${text(record['firstName'])} ${text(record['lastName'])}`],
      ['ID number', text(record['idNumber'])],
      ['Phone', text(record['phonenumber'])],
      ['E-mail', text(record['emailAddress'])],
      ['Employer', text(record['employer'])],
      ['Employee number', text(record['empNumber'])],
    ]),
    section('Address', [
      ['Street', text(record['lineone'])],
      ['Town', text(record['city'])],
      ['Province or county', text(record['state'])],
      ['Postcode', text(record['postcode'])],
    ]),
    section('Application', [
      ['Type', text(record['type'])],
      ['Status', text(record['status'])],
      ['Consent', text(record['consentStatus'])],
      ['Affordability', text(record['affordabilityOutcome'])],
      ['Affordable a month', money(record['totalAffordability'])],
      ['Instalment', money(record['installmentAmount'])],
    ]),
    section(
      'Consent requests',
      consents.map((one) => [words.moment(one.requestedAt), `${one.channel}, ${one.status} (${one.textVersion})`]),
    ),
    { text: 'Signature of the applicant ______________________________   Date ______________', margin: [0, 40, 0, 0] },
  ]
}

const text = (value: unknown) => (value === null || value === undefined || value === '' ? '-' : String(value))

function section(title: string, rows: readonly (readonly [string, string])[]): Content {
  const body = rows.map(([label, value]) => [{ text: label, color: '#555555' }, { text: value }])
  return [
    { text: title, bold: true, fontSize: 11, margin: [0, 8, 0, 4] },
    body.length > 0 ? { table: { widths: [140, '*'], body }, layout: 'lightHorizontalLines' } : { text: 'None', color: '#555555' },
  ]
}
