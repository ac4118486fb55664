-- Devices hold route plans: what there is enters the feed of its company.
alter table "activity_plan" add column "syncSeq" bigint not null default 0;

alter table activity_plan no force row level security;
alter table sync_stream no force row level security;
alter table sync_feed no force row level security;

create temporary table "numbered_plans" on commit drop as
select p."companyId", p."id", p."tenantId", coalesce(s."seq", 0) + row_number() over (partition by p."companyId" order by p."id") as "seq"
from activity_plan p left join sync_stream s on s."companyId" = p."companyId" where p."deletedAt" is null;

insert into sync_stream ("companyId", "seq") select "companyId", max("seq") from "numbered_plans" group by 1
on conflict ("companyId") do update set "seq" = excluded."seq";
update activity_plan p set "syncSeq" = n."seq" from "numbered_plans" n where n."companyId" = p."companyId" and n."id" = p."id";
-- Its agents see a plan in their own teams, too.
insert into sync_feed ("companyId", "entityType", "entityId", "tenantId", "seq", "op") select "companyId", 'activityPlan', "id", "tenantId", "seq", 'put' from "numbered_plans"
union select n."companyId", 'activityPlan', n."id", m."tenantId", n."seq", 'put' from "numbered_plans" n
join activity_plan_agent a on a."companyId" = n."companyId" and a."planId" = n."id" join user_tenant m on m."companyId" = a."companyId" and m."userId" = a."userId";

alter table sync_feed force row level security;
alter table sync_stream force row level security;
alter table activity_plan force row level security;

create trigger require_stream before insert or update or delete on activity_plan for each statement execute function ctx.require_stream();
