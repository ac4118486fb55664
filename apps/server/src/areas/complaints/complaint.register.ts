import { sql, trusted } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { nameOf, userName } from '../../kernel/names.ts'
import { defineReport } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf } from '../../kernel/reports/period.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { visibleRows } from '../../kernel/resource/read/query.ts'
import { complaint } from './complaint.resource.ts'

/** The register of complaints, as a regulator asks for it. */
export const complaintRegister = defineReport({
  name: 'complaintRegister',
  title: 'Complaints register',
  menu: { label: 'Complaints register', icon: 'file-chart', order: 12 },
  description: 'All complaints received in a period, with how and when each was answered and settled.',
  anyOf: ['CRM/REPORTS'],
  input: z.strictObject({ ...periodInput, branch: idSchema.optional() }),
  fields: [...periodFields, { key: 'branch', kind: 'reference', label: 'Branch', to: 'tenant' }],
  plan(ctx, input) {
    const period = periodOf(ctx, input)
    const below = input.branch === undefined ? sql`true` : sql`b."path" @> array[${input.branch}::uuid]`
    return {
      title: 'Complaints register',
      filters: periodFilters(period),
      definition:
        'Complaints received in the period, of the tenants in reach, that the reader may see. A branch counts with the teams below it. ' +
        'Reply due and settle by are counted on the working calendar of the branch; time in which the client was waited for is left out of the latter. ' +
        'Ombud from: six weeks after it was received, or the time that the company has set.',
      columns: [
        { key: 'number', title: 'Number', kind: 'text', width: 12 },
        { key: 'receivedAt', title: 'Received', kind: 'dateTime', width: 18 },
        { key: 'branch', title: 'Branch', kind: 'text', width: 22 },
        { key: 'client', title: 'Complainant', kind: 'text', width: 26 },
        { key: 'channel', title: 'Came in by', kind: 'text', width: 14 },
        { key: 'category', title: 'Category', kind: 'text', width: 20 },
        { key: 'product', title: 'Product', kind: 'text', width: 20 },
        { key: 'loan', title: 'Loan', kind: 'text', width: 12 },
        { key: 'severity', title: 'Severity', kind: 'text', width: 10 },
        { key: 'subject', title: 'Subject', kind: 'text', width: 40 },
        { key: 'about', title: 'About', kind: 'text', width: 24 },
        { key: 'handler', title: 'Handled by', kind: 'text', width: 24 },
        { key: 'status', title: 'Status', kind: 'text', width: 18 },
        { key: 'firstResponseDueAt', title: 'Reply due', kind: 'dateTime', width: 18 },
        { key: 'firstResponseAt', title: 'First reply', kind: 'dateTime', width: 18 },
        { key: 'resolutionDueAt', title: 'Settle by', kind: 'dateTime', width: 18 },
        { key: 'resolvedAt', title: 'Settled', kind: 'dateTime', width: 18 },
        { key: 'regulatorDueAt', title: 'Ombud from', kind: 'dateTime', width: 18 },
        { key: 'outcome', title: 'Outcome', kind: 'text', width: 18 },
        { key: 'rootCause', title: 'Root cause', kind: 'text', width: 18 },
        { key: 'redressAmount', title: 'Redress', kind: 'money', width: 14, total: true },
      ],
      statement: sql`
        select ${trusted(complaint.fields['complaintNumber']?.sql ?? 'null')} as "number", t."receivedAt", b."name" as "branch", coalesce(nullif(${nameOf('c')}, ''), t."complainantName") as "client",
          t."channel", t."category", t."product", (select 'L-' || lpad(l."number"::text, greatest(6, length(l."number"::text)), '0') from loan l where l."companyId" = t."companyId" and l."id" = t."loanId") as "loan", t."severity", t."subject", ${userName(sql`t."companyId"`, sql`t."accusedUserId"`)} as "about",
          ${userName(sql`t."companyId"`, sql`t."ownerUserId"`)} as "handler", t."status", t."firstResponseDueAt", t."firstResponseAt", t."resolutionDueAt", t."resolvedAt", t."regulatorDueAt",
          t."outcome", t."rootCause", t."redressAmount"
        from complaint t left join tenant b on b."companyId" = t."companyId" and b."id" = t."tenantId"
          left join client c on c."companyId" = t."companyId" and c."id" = t."clientId"
        where ${visibleRows(ctx, complaint)} and ${below} and t."receivedAt" >= ${period.from} and t."receivedAt" < ${period.until}
        order by t."receivedAt", t."number"`,
    }
  },
})
