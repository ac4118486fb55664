-- By how much the device's clock was off when it noted the time beside it (server minus device): the time is the right one, moved by this.
-- Null where the clock was right.
alter table "agent_action" add column "clockSkewMs" bigint;
alter table "activity_assignment" add column "clockSkewMs" bigint;
alter table "user_position" add column "clockSkewMs" bigint;
