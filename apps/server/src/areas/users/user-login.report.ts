import { sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { defineReport } from '../../kernel/reports/definition.ts'
import { periodFields, periodFilters, periodInput, periodOf } from '../../kernel/reports/period.ts'
import { peopleInReach } from '../../kernel/reports/people.ts'

/** Who signed in, how often, from where, and who never did (domain.md 4.10). */
export const userLoginReport = defineReport({
  name: 'userLoginReport',
  title: 'User Login Report',
  menu: { label: 'User logins', icon: 'login', order: 1 },
  description: 'Logins, refused logins, impersonated sessions and addresses of each user in a period, and who has never signed in.',
  anyOf: ['CRM/REPORTS'],
  input: z.strictObject(periodInput),
  fields: periodFields,
  plan(ctx, input) {
    const period = periodOf(ctx, input)
    return {
      title: 'User Login Report',
      filters: periodFilters(period),
      definition:
        'Logins and refused logins are attempts in the period. Impersonated sessions are those that an administrator opened as the user. ' +
        'Last login and never logged in look at all time. Users are those of the tenants in reach, deactivated ones included.',
      columns: [
        { key: 'userName', title: 'User name', kind: 'text', width: 24 },
        { key: 'name', title: 'Name', kind: 'text', width: 26 },
        { key: 'emailAddress', title: 'E-mail', kind: 'text', width: 32 },
        { key: 'roles', title: 'Roles', kind: 'text', width: 26 },
        { key: 'tenant', title: 'Tenant', kind: 'text', width: 22 },
        { key: 'isActive', title: 'Active', kind: 'boolean', width: 9 },
        { key: 'logins', title: 'Logins', kind: 'number', total: true },
        { key: 'refused', title: 'Refused', kind: 'number', total: true },
        { key: 'impersonated', title: 'Impersonated sessions', kind: 'number', total: true },
        { key: 'addresses', title: 'Addresses', kind: 'text', width: 30 },
        { key: 'lastLogin', title: 'Last login', kind: 'dateTime', width: 18 },
        { key: 'lastSeenAt', title: 'Last seen', kind: 'dateTime', width: 18 },
        { key: 'hasNeverLoggedIn', title: 'Never logged in', kind: 'boolean', width: 15 },
      ],
      count: sql`select count(*) as count from (${peopleInReach(ctx)}) people`,
      statement: sql`
        with people as (${peopleInReach(ctx)}),
        attempts as (
          select e."userId",
            count(*) filter (where e."kind" = 'login') as logins,
            count(*) filter (where e."kind" = 'refused') as refused,
            count(*) filter (where e."kind" = 'impersonation') as impersonated,
            string_agg(distinct e."ip", ', ') filter (where e."kind" = 'login') as addresses
          from login_event e
          where e."companyId" = ${ctx.company.id}::uuid and e."dateCreated" >= ${period.from} and e."dateCreated" < ${period.until}
          group by e."userId"
        ),
        latest as (
          select e."userId", max(e."dateCreated") as "lastLogin" from login_event e
          where e."companyId" = ${ctx.company.id}::uuid and e."kind" = 'login' group by e."userId"
        )
        select p."userName", p."name", p."emailAddress", p."roles", p."tenant", p."isActive",
          coalesce(a.logins, 0) as logins, coalesce(a.refused, 0) as refused, coalesce(a.impersonated, 0) as impersonated,
          a.addresses, l."lastLogin", p."lastSeenAt", l."lastLogin" is null as "hasNeverLoggedIn"
        from people p left join attempts a on a."userId" = p."id" left join latest l on l."userId" = p."id"
        order by p."name", p."id"`,
    }
  },
})
