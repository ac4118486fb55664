import { sql, trusted } from '@outpost/platform/db/sql'
import { complaintBodyOf, spanOf } from '@outpost/rules/complaints/regulator'
import { nameOf, userName } from '../../kernel/names.ts'
import { pdfLetter } from '../../kernel/pdf.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import { wordingFor } from '../../kernel/settings/wording.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { complaint } from './complaint.resource.ts'

export type LetterKind = 'acknowledgement' | 'status'

export const letterTitles: Readonly<Record<LetterKind, string>> = {
  acknowledgement: 'We have your complaint',
  status: 'The state of your complaint',
}

export interface Facts {
  number: string
  subject: string
  status: string
  name: string
  receivedAt: Date
  resolutionDueAt: Date
  regulatorDueAt: Date
  handler: string | null
  branch: string
  email: string | null
  clientId: string | null
  tenantId: string
}

/** What letters and mails about a complaint say; undefined when the caller does not see it. */
export function factsOf(ctx: Ctx, id: string): Promise<(Facts & Record<string, unknown>) | undefined> {
  return ctx.sql.maybe<Facts & Record<string, unknown>>(sql`
    select ${trusted(complaint.fields['complaintNumber']?.sql ?? 'null')} as number, t."subject", t."status", t."receivedAt", t."resolutionDueAt", t."regulatorDueAt",
      coalesce(nullif(${nameOf('c')}, ''), t."complainantName", '') as name, coalesce(nullif(t."complainantEmail", ''), c."emailAddress") as email,
      ${userName(sql`t."companyId"`, sql`t."ownerUserId"`)} as handler,
      t."clientId", coalesce(c."tenantId", t."tenantId") as "tenantId",
      (select b."name" from tenant b where b."companyId" = t."companyId" and b."id" = t."tenantId") as branch
    from complaint t left join client c on c."companyId" = t."companyId" and c."id" = t."clientId"
    where t."companyId" = ${ctx.company.id}::uuid and t."id" = ${id}::uuid`)
}

/** The paragraphs of a letter to the client. */
export async function paragraphsOf({ company }: Ctx, kind: LetterKind, facts: Facts): Promise<string[]> {
  const { dayOf: day } = await wordingFor(company)
  const contact = `${facts.handler ?? company.name}, ${facts.branch}, handles it and answers your questions. Please name ${facts.number}.`
  const span = spanOf(Math.round((facts.regulatorDueAt.getTime() - facts.receivedAt.getTime()) / 86_400_000))
  const ombud = `If it is not settled by ${day(facts.regulatorDueAt)}, ${span} after we received it, or you are not content with the outcome, you may take it to ${complaintBodyOf(company.country)}.`
  if (kind === 'acknowledgement')
    return [
      `We received your complaint on ${day(facts.receivedAt)}: ${facts.subject}. Its number is ${facts.number}.`,
      contact,
      `We mean to settle it by ${day(facts.resolutionDueAt)} and tell you in writing what we found.`,
      ombud,
    ]
  return [
    `Your complaint ${facts.number} of ${day(facts.receivedAt)} is not settled yet: ${facts.subject}.`,
    `State: ${facts.status.toLowerCase()}. We mean to settle it by ${day(facts.resolutionDueAt)}.`,
    contact,
    ombud,
  ]
}

/** A letter of the complaint as a PDF to print. */
export const printLetter =
  (kind: LetterKind) =>
  async (ctx: Ctx, { id }: { id: string }): Promise<Answer> => {
    await getRecord(ctx, complaint, id)
    const facts = await factsOf(ctx, id)
    if (!facts) throw new Error('a complaint that was read is not there')
    return pdfLetter(`${kind}-${facts.number}`, {
      company: ctx.company,
      title: letterTitles[kind],
      content: [
        { text: letterTitles[kind], fontSize: 13, margin: [0, 2, 0, 14] },
        { text: `Dear ${facts.name},`, margin: [0, 0, 0, 8] },
        ...(await paragraphsOf(ctx, kind, facts)).map((text) => ({ text, margin: [0, 0, 0, 8] as [number, number, number, number] })),
        { text: facts.handler ?? ctx.company.name, margin: [0, 16, 0, 0] },
      ],
    })
  }
