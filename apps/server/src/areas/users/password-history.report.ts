import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { defineReport } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf } from '../../kernel/reports/period.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { nameOf } from '../../kernel/names.ts'
import { userInReach } from '../../kernel/session/reach.ts'

/** When whose password changed, and by whom; a year back unless asked otherwise. Never the passwords. */
export const passwordHistoryReport = defineReport({
  name: 'passwordHistoryReport',
  title: 'Password History Report',
  menu: { label: 'Password history', icon: 'history', order: 7 },
  description: 'Each change of a password in a period: whose, when, and whether somebody else made it.',
  anyOf: ['CRM/REPORTS'],
  alsoAnyOf: ['ADMIN/USERS'],
  input: z.strictObject({ ...periodInput, user: idSchema.optional() }),
  fields: [
    ...periodFields.map((field) => (field.key === 'startDate' ? { ...field, help: 'Left empty: 365 days before the end' } : field)),
    { key: 'user', kind: 'reference', label: 'User', to: 'user' },
  ],
  plan(ctx, input) {
    const period = periodOf(ctx, input, { usual: 365, longest: 1_100 })
    const ofUser = input.user === undefined ? sql`true` : sql`h."userId" = ${input.user}::uuid`
    return {
      title: 'Password History Report',
      filters: periodFilters(period),
      definition:
        'A row for each password that was set in the period. By somebody else: whoever signs in with it must choose another. ' +
        'Changed by nobody: a first password that came from outside, as by an import. ' +
        'Users are those of the tenants in reach, deactivated ones included.',
      columns: [
        { key: 'dateCreated', title: 'When', kind: 'dateTime', width: 18 },
        { key: 'name', title: 'Name', kind: 'text', width: 26 },
        { key: 'userName', title: 'User name', kind: 'text', width: 24 },
        { key: 'tenant', title: 'Tenant', kind: 'text', width: 22 },
        { key: 'changedBy', title: 'Changed by', kind: 'text', width: 26 },
        { key: 'isBySomebodyElse', title: 'By somebody else', kind: 'boolean', width: 16 },
      ],
      statement: sql`
        select h."dateCreated", ${nameOf('u')} as "name", u."userName", t."name" as "tenant", ${nameOf('c')} as "changedBy",
          h."changedByUserId" is not null and h."changedByUserId" <> h."userId" as "isBySomebodyElse"
        from password_history h join app_user u on u."companyId" = h."companyId" and u."id" = h."userId"
          left join tenant t on t."companyId" = u."companyId" and t."id" = u."tenantId"
          left join app_user c on c."companyId" = h."companyId" and c."id" = h."changedByUserId"
        where h."companyId" = ${ctx.company.id}::uuid and ${userInReach(ctx, 'u')} and ${ofUser}
          and h."dateCreated" >= ${period.from} and h."dateCreated" < ${period.until}
        order by h."dateCreated" desc, h."id"`,
    }
  },
})
