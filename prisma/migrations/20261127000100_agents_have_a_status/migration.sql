-- An agent's part in an activity has a status of its own from the beginning, which goes by moves. Parts without one were in
-- that of their activity. It is no move: the log is not told.
alter table "activity_assignment" no force row level security;
alter table "activity" no force row level security;
alter table "activity_assignment" disable trigger log_status;
update "activity_assignment" a set "statusId" = v."statusId", "statusText" = coalesce(a."statusText", v."status")
  from "activity" v where v."companyId" = a."companyId" and v."id" = a."activityId" and a."statusId" is null and v."statusId" is not null;
alter table "activity_assignment" enable trigger log_status;
alter table "activity" force row level security;
alter table "activity_assignment" force row level security;
