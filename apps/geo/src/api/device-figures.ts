import { escapeLike, sql } from '@outpost/platform/db/sql'
import { z } from 'zod'
import { dayOf, timeAt } from '@outpost/rules/time-zone'
import { orderOf, pageStatement } from './crud/read.ts'
import { listShape, searchText } from './input.ts'
import { deviceState, deviceStatus } from './positions/fields.ts'
import { handler } from './types.ts'

/** Devices of the caller's reach in figures: by state, by branch, and the messages that rules sent by SMS. */
export const deviceStats = handler(z.strictObject({}), async ({ sql: reader, caller, now }) => {
  const { company, timeZone } = caller
  const today = dayOf(now(), timeZone)
  const [from, month] = [new Date(timeAt(today, 0, timeZone)), new Date(timeAt(`${today.slice(0, 7)}-01`, 0, timeZone))]
  const [states, byTenant, linked, sms] = await Promise.all([
    reader.query<{ state: string; count: number }>(sql`
      select ${deviceState} as "state", count(*)::int as "count" from geo.device t left join geo.latest l on l."companyId" = t."companyId" and l."deviceId" = t."id"
      where t."companyId" = ${company} and t."deletedAt" is null group by 1`),
    reader.query(sql`
      select t."tenantId", b."name" as "tenant", count(*)::int as "total", count(*) filter (where ${deviceStatus} = 'online')::int as "online"
      from geo.device t join public.tenant b on b."companyId" = t."companyId" and b."id" = t."tenantId"
      where t."companyId" = ${company} and t."deletedAt" is null group by 1, 2 order by 2, 1`),
    reader.one<{ count: number }>(sql`
      select count(distinct a."deviceId")::int as "count" from geo.device_asset a join geo.device t on t."companyId" = a."companyId" and t."id" = a."deviceId" and t."deletedAt" is null
      where a."companyId" = ${company} and a."until" is null`),
    reader.one<{ today: number; month: number; failed: number }>(sql`
      select coalesce(sum(jsonb_array_length("reached")) filter (where "dateCreated" >= ${from}), 0)::int as "today", coalesce(sum(jsonb_array_length("reached")), 0)::int as "month",
        count(*) filter (where "state" = 'failed')::int as "failed"
      from geo.reaction where "companyId" = ${company} and "type" = 'sms' and "dateCreated" >= ${month}`),
  ])
  const byState = Object.fromEntries(states.map(({ state, count }) => [state, count]))
  return { data: { total: states.reduce((sum, { count }) => sum + count, 0), linked: linked.count, byState, byTenant, sms } }
})

const fields = {
  make: sql`t."make"`,
  model: sql`t."model"`,
  protocol: sql`t."protocol"`,
  devices: sql`t."devices"`,
  online: sql`t."online"`,
}
const ordering = { fields, sorts: ['make', 'model', 'protocol', 'devices', 'online'], sort: ['make', 'ASC'] as const }

/** The kinds of hardware in use, and how many of each. */
export const deviceHardware = handler(z.strictObject(listShape), async ({ sql: reader, caller }, input) => {
  const text = searchText(input)?.toUpperCase()
  return {
    json: await reader.text(
      pageStatement({
        many: 'hardware',
        input,
        fields,
        from: sql`(select t."make", t."model", t."protocol", count(*)::int as "devices", count(*) filter (where ${deviceStatus} = 'online')::int as "online"
          from geo.device t where t."companyId" = ${caller.company} and t."deletedAt" is null group by 1, 2, 3) t`,
        joins: sql``,
        where:
          text === undefined ? sql`true` : sql`upper(concat_ws(' ', t."make", t."model", t."protocol")) like ${`%${escapeLike(text)}%`}`,
        order: orderOf(ordering, input, sql`t."model" nulls last, t."protocol"`),
      }),
    ),
  }
})
