-- Devices hold applications for a loan, to read and to write: what there is enters the feed of its company.
alter table "loan_application" add column "syncSeq" bigint not null default 0;

alter table loan_application no force row level security;
alter table sync_stream no force row level security;
alter table sync_feed no force row level security;

create temporary table "numbered_applications" on commit drop as
select r."companyId", r."id", r."tenantId", coalesce(s."seq", 0) + row_number() over (partition by r."companyId" order by r."id") as "seq"
from loan_application r left join sync_stream s on s."companyId" = r."companyId" where r."deletedAt" is null;

insert into sync_stream ("companyId", "seq") select "companyId", max("seq") from "numbered_applications" group by 1
on conflict ("companyId") do update set "seq" = excluded."seq";
update loan_application c set "syncSeq" = n."seq" from "numbered_applications" n where n."companyId" = c."companyId" and n."id" = c."id";
insert into sync_feed ("companyId", "entityType", "entityId", "tenantId", "seq", "op") select "companyId", 'loanApplication', "id", "tenantId", "seq", 'put' from "numbered_applications";

alter table sync_feed force row level security;
alter table sync_stream force row level security;
alter table loan_application force row level security;

create trigger require_stream before insert or update or delete on loan_application for each statement execute function ctx.require_stream();
-- Applications show the name of their product.
create trigger relabel after update of "name" on product for each row when (old."name" is distinct from new."name") execute function ctx.relabel();
