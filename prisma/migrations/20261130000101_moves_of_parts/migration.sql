-- Moves of activities, and of their agents' parts, are in the one log of moves. They had a table and triggers of their own.
-- partId: the person whose part of the record moved; meaning: what the state meant then; facts: what the area keeps beside a move.
alter table "record_move" add column "partId" uuid, add column "meaning" text, add column "facts" jsonb;

alter table "record_move" no force row level security;
alter table "activity_status_log" no force row level security;
alter table "activity" no force row level security;

-- A move that followed from an agent's own, or that the agents followed, is told once: with the agent.
insert into "record_move" ("companyId", "id", "tenantId", "movedInTenantId", "objectType", "objectId", "partId", "field", "move", "from", "to", "meaning", "reason", "facts",
    "userId", "realUserId", "durationSeconds", "latitude", "longitude", "isFirst", "dateCreated")
  select s."companyId", s."id", coalesce(v."tenantId", s."tenantId"), s."tenantId", 'activity', s."activityId", s."userId", 'statusId',
    case when s."userId" is null and exists (select from "activity_status_log" a where a."companyId" = s."companyId" and a."activityId" = s."activityId"
      and a."userId" is not null and a."dateCreated" = s."dateCreated") then 'follow' else s."meaning" end,
    s."fromStatus", s."toStatus", s."meaning", s."reason",
    case when s."userId" is not null then jsonb_build_object('distance', s."distance", 'isOutOfRange', s."isOutOfRange") end,
    s."actorId", s."realUserId", s."durationSeconds", s."latitude", s."longitude",
    row_number() over (partition by s."companyId", s."activityId", s."userId", s."toStatus" order by s."dateCreated", s."id") = 1, s."dateCreated"
  from "activity_status_log" s left join "activity" v on v."companyId" = s."companyId" and v."id" = s."activityId";

alter table "activity" force row level security;
alter table "record_move" force row level security;

drop trigger log_status on "activity";
drop trigger log_status on "activity_assignment";
drop function ctx.log_activity_status();
drop table "activity_status_log";

-- What a person reported on a day.
create index "record_move_part" on "record_move" ("companyId", "objectType", "partId", "dateCreated") where "partId" is not null;
