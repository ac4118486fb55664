import { sql } from '@outpost/platform/db/sql'
import { changedWords } from '../../kernel/resource/changed.ts'
import { getRecord } from '../../kernel/resource/records.ts'
import type { Answer, Ctx } from '../../kernel/types.ts'
import { activity } from './activity.resource.ts'

/** Everything that happened to an activity, newest first: planned, changed, given to agents, moved on (with how far from the place), files. */
export async function activityTimeline(ctx: Ctx, { id }: { id: string }): Promise<Answer> {
  await getRecord(ctx, activity, id)
  const company = ctx.company.id
  const name = (userId: ReturnType<typeof sql>) => sql`(select concat_ws(' ', a."firstName", a."lastName") from app_user a where a."companyId" = ${company} and a."id" = ${userId})`
  const rows = await ctx.sql.query(sql`
    select e.at, coalesce(nullif(concat_ws(' ', u."firstName", u."lastName"), ''), 'System') as who, e.what, e.detail from (
      select l."dateCreated" as at, l."actorId" as "userId",
        concat('Status ', coalesce(l."fromStatus", '-'), ' → ', l."toStatus", case when l."userId" is not null and l."userId" <> l."actorId" then ' for ' || ${name(sql`l."userId"`)} end) as what,
        nullif(concat_ws(' · ', l."reason", case when l."distance" is not null then l."distance" || ' m from the place' || case when l."isOutOfRange" then ', outside the circle' else '' end end), '') as detail
        from activity_status_log l where l."companyId" = ${company} and l."activityId" = ${id}
          and (l."userId" is not null or not exists (select 1 from activity_status_log a where a."companyId" = l."companyId" and a."activityId" = l."activityId" and a."userId" is not null and a."dateCreated" = l."dateCreated"))
      union all select f."dateCreated", f."addedByUserId", 'File added', (select s."name" from stored_file s where s."companyId" = f."companyId" and s."id" = f."fileId")
        from activity_file f where f."companyId" = ${company} and f."activityId" = ${id}
      union all select f."removedAt", f."removedByUserId", 'File removed', (select s."name" from stored_file s where s."companyId" = f."companyId" and s."id" = f."fileId")
        from activity_file f where f."companyId" = ${company} and f."activityId" = ${id} and f."removedAt" is not null
      union all select g."at", g."userId", 'Agents', coalesce((select string_agg(${name(sql`x::uuid`)}, ', ') from jsonb_array_elements_text(g."after" -> 'assignedUsers') x), 'nobody')
        from audit_log g where g."companyId" = ${company} and g."objectType" = 'activity' and g."objectId" = ${id} and g."action" = 'activity.link' and g."after" ? 'assignedUsers'
      union all select g."at", g."userId", 'Linked', (select string_agg(k, ', ') from jsonb_object_keys(g."after") k where k <> 'assignedUsers')
        from audit_log g where g."companyId" = ${company} and g."objectType" = 'activity' and g."objectId" = ${id} and g."action" = 'activity.link' and (g."after" - 'assignedUsers') <> '{}'
      union all select g."at", g."userId", case g."action" when 'activity.create' then 'Planned' when 'activity.remove' then 'Deleted' when 'activity.restore' then 'Restored' else 'Changed' end, case when g."action" = 'activity.update' then c.fields end
        from audit_log g left join lateral (select ${changedWords(activity, { before: sql`g."before"`, after: sql`g."after"`, company: ctx.company, except: ['status', 'statusId', 'statusReason'] })} as fields) c on true
        where g."companyId" = ${company} and g."objectType" = 'activity' and g."objectId" = ${id}
          and (g."action" in ('activity.create', 'activity.remove', 'activity.restore') or g."action" = 'activity.update' and c.fields is not null)
      union all select v."dateCreated", v."createdUserId", 'Planned', null from activity v where v."companyId" = ${company} and v."id" = ${id}
          and not exists (select 1 from audit_log g where g."companyId" = ${company} and g."objectType" = 'activity' and g."objectId" = ${id} and g."action" = 'activity.create')
    ) e left join app_user u on u."companyId" = ${company} and u."id" = e."userId"
    order by e.at desc limit 500`)
  return { data: { timeline: rows } }
}
