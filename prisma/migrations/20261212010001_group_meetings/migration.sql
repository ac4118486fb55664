-- Single meetings of a group that were moved, or left out where they were moved to no time.
create table "client_group_meeting" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "groupId" uuid not null,
  "meetingOn" date not null, "movedTo" timestamptz(3), "reason" text,
  constraint "client_group_meeting_pkey" primary key ("companyId", "id"),
  constraint "client_group_meeting_companyId_groupId_fkey" foreign key ("companyId", "groupId") references "client_group"("companyId", "id") on delete cascade on update restrict
);
-- Lines are written one after the other: within one write a day may change its line.
alter table "client_group_meeting" add constraint "client_group_meeting_once" unique ("companyId", "groupId", "meetingOn") deferrable initially deferred;

call ctx.protect('client_group_meeting', 'tenant');
