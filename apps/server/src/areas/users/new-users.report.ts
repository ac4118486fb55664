import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { defineReport } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf } from '../../kernel/reports/period.ts'
import { idSchema } from '../../kernel/resource/schema.ts'
import { nameOf } from '../../kernel/names.ts'
import { userInReach } from '../../kernel/session/reach.ts'

/** Who was made a user in a period, where, with which roles, and whether they have signed in since. */
export const newUsersReport = defineReport({
  name: 'newUsersReport',
  title: 'New Users Report',
  menu: { label: 'New users', icon: 'team', order: 8 },
  description: 'The users made in a period, with their tenants and roles, and when they first signed in.',
  anyOf: ['CRM/REPORTS'],
  alsoAnyOf: ['ADMIN/USERS'],
  input: z.strictObject({ ...periodInput, branch: idSchema.optional() }),
  fields: [...periodFields, { key: 'branch', kind: 'reference', label: 'Branch', to: 'tenant' }],
  plan(ctx, input) {
    const period = periodOf(ctx, input)
    const below = input.branch === undefined ? sql`true` : sql`t."path" @> array[${input.branch}::uuid]`
    return {
      title: 'New Users Report',
      filters: periodFilters(period),
      definition:
        'Users made in the period who are not deleted, of the tenants in reach. A branch counts with the teams below it. ' +
        'First login looks at all time; empty: has never signed in.',
      columns: [
        { key: 'dateCreated', title: 'Created', kind: 'dateTime', width: 18 },
        { key: 'name', title: 'Name', kind: 'text', width: 26 },
        { key: 'userName', title: 'User name', kind: 'text', width: 24 },
        { key: 'emailAddress', title: 'E-mail', kind: 'text', width: 32 },
        { key: 'jobTitle', title: 'Job title', kind: 'text', width: 22 },
        { key: 'tenant', title: 'Tenant', kind: 'text', width: 22 },
        { key: 'roles', title: 'Roles', kind: 'text', width: 26 },
        { key: 'firstLogin', title: 'First login', kind: 'dateTime', width: 18 },
      ],
      statement: sql`
        select u."dateCreated", ${nameOf('u')} as "name", u."userName", u."emailAddress", u."jobTitle", t."name" as "tenant",
          (select string_agg(r."name", ', ' order by r."name") from user_role ur
            join role r on r."companyId" = ur."companyId" and r."id" = ur."roleId"
            where ur."companyId" = u."companyId" and ur."userId" = u."id") as "roles",
          (select min(e."dateCreated") from login_event e
            where e."companyId" = u."companyId" and e."userId" = u."id" and e."kind" = 'login') as "firstLogin"
        from app_user u left join tenant t on t."companyId" = u."companyId" and t."id" = u."tenantId"
        where u."companyId" = ${ctx.company.id}::uuid and u."deletedAt" is null and ${userInReach(ctx, 'u')} and ${below}
          and u."dateCreated" >= ${period.from} and u."dateCreated" < ${period.until}
        order by u."dateCreated" desc, u."id"`,
    }
  },
})
