-- What giving an activity away changed, so that it can be taken back: its agents as they were, each with status and visit.
create table public.activity_gift (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "activityId" uuid not null,
  "userId" uuid not null,
  "givenByUserId" uuid not null,
  "former" jsonb not null,
  "formerStatusId" uuid,
  "formerTenantId" uuid not null,
  "endedAt" timestamptz(3),
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "activity_gift_pkey" primary key ("companyId", "id"),
  constraint "activity_gift_companyId_activityId_fkey" foreign key ("companyId", "activityId") references public.activity ("companyId", "id") on delete cascade on update restrict
);
create index "activity_gift_companyId_activityId_idx" on public.activity_gift ("companyId", "activityId");
call ctx.protect('activity_gift', 'tenant', 'select, insert, update');
