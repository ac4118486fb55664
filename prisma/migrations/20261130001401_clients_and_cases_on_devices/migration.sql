-- Devices hold clients (to read) and cases (to read and write): what there is enters the feed of its company.
alter table "sales_case" add column "syncSeq" bigint not null default 0;

alter table client no force row level security;
alter table sales_case no force row level security;
alter table sync_stream no force row level security;
alter table sync_feed no force row level security;

create temporary table "numbered" on commit drop as
select r."companyId", r."type", r."id", r."tenantId", coalesce(s."seq", 0) + row_number() over (partition by r."companyId" order by r."type", r."id") as "seq"
from (
  select "companyId", 'client' as "type", "id", "tenantId" from client where "deletedAt" is null
  union all select "companyId", 'case', "id", "tenantId" from sales_case where "deletedAt" is null
) r left join sync_stream s on s."companyId" = r."companyId";

insert into sync_stream ("companyId", "seq") select "companyId", max("seq") from "numbered" group by 1
on conflict ("companyId") do update set "seq" = excluded."seq";
update client c set "syncSeq" = n."seq" from "numbered" n where n."type" = 'client' and n."companyId" = c."companyId" and n."id" = c."id";
update sales_case c set "syncSeq" = n."seq" from "numbered" n where n."type" = 'case' and n."companyId" = c."companyId" and n."id" = c."id";
insert into sync_feed ("companyId", "entityType", "entityId", "tenantId", "seq", "op") select "companyId", "type", "id", "tenantId", "seq", 'put' from "numbered";

alter table sync_feed force row level security;
alter table sync_stream force row level security;
alter table sales_case force row level security;
alter table client force row level security;

create trigger require_stream before insert or update or delete on client for each statement execute function ctx.require_stream();
create trigger require_stream before insert or update or delete on sales_case for each statement execute function ctx.require_stream();
-- Cases show the name of their stage.
create trigger relabel after update of "name" on pipeline_stage for each row when (old."name" is distinct from new."name") execute function ctx.relabel();
