-- One log of moves for records of every kind. The moves of leads had a table and a trigger of their own.
-- Where a move was made; the tenant the record was filed in at that time (tenantId follows the record, figures do not);
-- whether it was the first time that the record reached the state, so that figures need no look at the whole log.
alter table "record_move" add column "latitude" numeric(9,6), add column "longitude" numeric(9,6),
  add column "movedInTenantId" uuid, add column "isFirst" boolean not null default false;

alter table "record_move" no force row level security;
alter table "lead_status_log" no force row level security;
alter table "lead" no force row level security;

insert into "record_move" ("companyId", "id", "tenantId", "movedInTenantId", "objectType", "objectId", "field", "move", "from", "to", "reason",
    "userId", "realUserId", "durationSeconds", "latitude", "longitude", "dateCreated")
  select s."companyId", s."id", coalesce(l."tenantId", s."tenantId"), s."tenantId", 'lead', s."leadId", 'status', s."toStatus", s."fromStatus", s."toStatus", s."reason",
    s."userId", s."realUserId", s."durationSeconds", s."latitude", s."longitude", s."dateCreated"
  from "lead_status_log" s left join "lead" l on l."companyId" = s."companyId" and l."id" = s."leadId";

update "record_move" m set "movedInTenantId" = coalesce(m."movedInTenantId", m."tenantId"), "isFirst" = f.turn = 1
  from (select "companyId", "id", row_number() over (partition by "companyId", "objectType", "objectId", "field", "to" order by "dateCreated", "id") as turn from "record_move") f
  where f."companyId" = m."companyId" and f."id" = m."id";

alter table "lead" force row level security;
alter table "record_move" force row level security;
alter table "record_move" alter column "movedInTenantId" set not null;

drop trigger log_status on "lead";
drop function ctx.log_lead_status();
drop table "lead_status_log";

-- Figures of a period: all that they ask is in the index (tenantId for the walls).
create index "record_move_first" on "record_move" ("companyId", "objectType", "field", "to", "dateCreated", "objectId", "userId", "movedInTenantId", "tenantId") where "isFirst";

-- A status that is gone back to has been the lead's since a time that the write names.
create or replace function ctx.lead_status_since() returns trigger language plpgsql set search_path = '' as $$
begin
  if new."statusSince" is not distinct from old."statusSince" then new."statusSince" := now(); end if;
  return new;
end $$;
