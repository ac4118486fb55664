import { every, escapeLike, sql } from '@outpost/platform/db/sql'
import type { Statement } from '@outpost/platform/types'
import { z } from 'zod'
import { defineResource } from '../../kernel/resource/define.ts'
import { searchText } from '../../kernel/resource/read/query.ts'
import { listShape, sortOrder as order } from '../../kernel/resource/schema.ts'
import { userInReach } from '../../kernel/session/reach.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { nameOf, nameText } from '../../kernel/names.ts'
import { signInOutcomes } from './sign-ins.ts'

const ofUser = (value: string) => `select ${value} from app_user u where u."companyId" = t."companyId" and u."id" = t."userId"`

/** Each attempt to sign in, good or bad, of users in reach. */
export const loginEvent = defineResource({
  model: 'loginEvent',
  one: 'login',
  many: 'logins',
  label: 'Login',
  labelMany: 'Sign-ins',
  title: 'userName',
  fields: {
    userId: { kind: 'reference', label: 'Person', to: 'user', readOnly: true },
    userName: { kind: 'text', label: 'User name', readOnly: true, sql: ofUser('u."userName"') },
    fullName: { kind: 'text', label: 'Name', readOnly: true, sql: ofUser(nameText('u')) },
    kind: {
      kind: 'choice',
      label: 'What',
      readOnly: true,
      options: signInOutcomes,
    },
    detail: { kind: 'text', label: 'How', readOnly: true },
    ip: { kind: 'text', label: 'Address', readOnly: true },
    userAgent: { kind: 'text', label: 'Device', readOnly: true },
    actorUserId: { kind: 'text', label: 'Impersonated by (id)', readOnly: true },
    dateCreated: { kind: 'dateTime', label: 'When', readOnly: true },
  },
  list: {
    columns: ['dateCreated', 'userId', 'userName', 'kind', 'ip', 'userAgent'],
    search: ['userName', 'fullName', 'ip'],
    sort: ['dateCreated', 'DESC'],
    size: 1_000_000,
    filters: ['userId', 'kind', 'ip', 'userName'],
    dates: { at: { label: 'When', field: 'dateCreated', window: { kind: 'around', back: 1, ahead: 7 } } },
    empty: { title: 'Nobody signed in in these days', body: 'Widen the dates to look further back.' },
  },
  visible: (ctx) =>
    sql`exists (select 1 from app_user u where u."companyId" = t."companyId" and u."id" = t."userId" and ${userInReach(ctx, 'u')})`,
})

const moment = listShape.startDate
const { page, size, search } = listShape
const orders = ['dateCreated', 'userName', 'fullName'] as const
export const historyInput = z.strictObject({
  page,
  size,
  search,
  startDate: moment,
  endDate: moment,
  sortField: z.enum(orders).default('dateCreated'),
  sortOrder: order.default('DESC'),
})

/** When passwords changed and who changed them; 365 days back to one ahead unless asked otherwise. Never the hashes. */
export async function passwordHistory(ctx: Ctx, input: z.infer<typeof historyInput>): Promise<Answer> {
  const { page: at, size: asked = 10_000, sortField, sortOrder } = input
  const most = Math.min(asked, 10_000)
  const where = every([
    sql`h."companyId" = ${ctx.company.id}::uuid`,
    ...period(ctx, input, { column: sql`h."dateCreated"`, back: 365, ahead: 1 }),
    ...narrowed(ctx, input),
  ])
  const from = sql`password_history h join app_user u on u."companyId" = h."companyId" and u."id" = h."userId"
    left join app_user c on c."companyId" = h."companyId" and c."id" = h."changedByUserId" where ${where}`
  const order = { dateCreated: sql`h."dateCreated"`, userName: sql`u."userName"`, fullName: sql`u."firstName"` }[sortField]
  const [rows, { total }] = await Promise.all([
    ctx.sql.query(sql`
      select h."id" as "Id", h."userId", u."userName", ${nameOf('u')} as "fullName", h."changedByUserId",
        ${nameOf('c')} as "changedBy", h."dateCreated"
      from ${from} order by ${order} ${sortOrder === 'ASC' ? sql`asc` : sql`desc`}, h."id" limit ${most} offset ${(at - 1) * most}`),
    ctx.sql.one<{ total: number }>(sql`select count(*)::int as total from ${from}`),
  ])
  return { data: { passwordHistory: rows }, meta: { page: at, size: most, total } }
}

function narrowed(ctx: Ctx, input: { search?: string | undefined }): Statement[] {
  const text = searchText(input)
  return [userInReach(ctx, 'u'), ...(text === undefined ? [] : [sql`u."searchText" like ${`%${escapeLike(text)}%`}`])]
}

interface Period {
  startDate?: string | undefined
  endDate?: string | undefined
}

/** Days are whole days in the company's time zone; a moment is that moment. */
function period(
  { company }: Ctx,
  { startDate, endDate }: Period,
  { column, back, ahead }: { column: Statement; back: number; ahead: number },
): Statement[] {
  const isDay = (value: string) => value.length === 10
  const dayStart = (value: string, days: number) => sql`((${value}::date + ${days}::int)::timestamp at time zone ${company.timeZone})`
  const at = (value: string) => sql`${new Date(value)}::timestamptz`
  const from =
    startDate === undefined ? sql`now() - make_interval(days => ${back})` : isDay(startDate) ? dayStart(startDate, 0) : at(startDate)
  const to = endDate === undefined ? sql`now() + make_interval(days => ${ahead})` : isDay(endDate) ? dayStart(endDate, 1) : at(endDate)
  return [sql`${column} >= ${from}`, sql`${column} < ${to}`]
}

export const periodInput = z.strictObject({ startDate: moment, endDate: moment })

/** Sign-ins a day over the last 30 days: good and refused ones, and how many people. */
export async function loginHistory(ctx: Ctx, input: z.infer<typeof periodInput>): Promise<Answer> {
  const rows = await ctx.sql.query(sql`
    select to_char(e."dateCreated" at time zone ${ctx.company.timeZone}, 'YYYY-MM-DD') as date, count(*) filter (where e."kind" = 'login')::int as logins,
      count(*) filter (where e."kind" = 'refused')::int as refused, count(distinct e."userId") filter (where e."kind" = 'login')::int as users
    from login_event e join app_user u on u."companyId" = e."companyId" and u."id" = e."userId"
    where ${every([sql`e."companyId" = ${ctx.company.id}::uuid`, ...period(ctx, input, { column: sql`e."dateCreated"`, back: 30, ahead: 1 }), ...narrowed(ctx, {})])}
    group by 1 order by 1`)
  return { data: { loginHistory: rows } }
}

/** Users made a day over the last 30 days, and the newest ten. */
export async function newUsers(ctx: Ctx, input: z.infer<typeof periodInput>): Promise<Answer> {
  const where = every([
    sql`u."companyId" = ${ctx.company.id}::uuid and u."deletedAt" is null`,
    ...period(ctx, input, { column: sql`u."dateCreated"`, back: 30, ahead: 1 }),
    ...narrowed(ctx, {}),
  ])
  const [days, newest] = await Promise.all([
    ctx.sql.query(
      sql`select to_char(u."dateCreated" at time zone ${ctx.company.timeZone}, 'YYYY-MM-DD') as date, count(*)::int as users from app_user u where ${where} group by 1 order by 1`,
    ),
    ctx.sql.query(sql`
      select u."id" as "Id", ${nameOf('u')} as "fullName", u."userName", u."jobTitle", u."tenantId", u."dateCreated"
      from app_user u where ${where} order by u."dateCreated" desc, u."id" limit 10`),
  ])
  return { data: { newUsers: days, users: newest } }
}
