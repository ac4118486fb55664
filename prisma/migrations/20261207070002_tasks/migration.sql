-- What a person has to do by a time. Work at a place and an hour is an activity; a task may be about one.
create table "task" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "title" text not null,
  "note" text,
  "status" text not null default 'Open',
  "statusReason" text,
  "priority" text not null default 'Normal',
  "dueAt" timestamptz(3),
  "remindAt" timestamptz(3),
  "remindedAt" timestamptz(3),
  "completedAt" timestamptz(3),
  "leadId" uuid,
  "clientId" uuid,
  "caseId" uuid,
  "loanId" uuid,
  "activityId" uuid,
  "createdByUserId" uuid not null,
  "createdBy" text not null,
  "searchText" text not null default '',
  "version" bigint not null default 1,
  "syncSeq" bigint not null default 0,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "task_pkey" primary key ("companyId", "id"),
  constraint "task_status" check ("status" in ('Open', 'In progress', 'Done', 'Cancelled')),
  constraint "task_companyId_leadId_fkey" foreign key ("companyId", "leadId") references "lead"("companyId", "id") on delete restrict on update restrict,
  constraint "task_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict,
  constraint "task_companyId_caseId_fkey" foreign key ("companyId", "caseId") references "sales_case"("companyId", "id") on delete restrict on update restrict,
  constraint "task_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict,
  constraint "task_companyId_activityId_fkey" foreign key ("companyId", "activityId") references "activity"("companyId", "id") on delete restrict on update restrict
);
create unique index "task_companyId_number_key" on "task"("companyId", "number");
create index "task_companyId_dateCreated_id_idx" on "task"("companyId", "dateCreated" desc, "id");
create index "task_companyId_tenantId_dueAt_idx" on "task"("companyId", "tenantId", "dueAt");
create index "task_companyId_leadId_idx" on "task"("companyId", "leadId");
create index "task_companyId_clientId_idx" on "task"("companyId", "clientId");
create index "task_companyId_caseId_idx" on "task"("companyId", "caseId");
create index "task_companyId_loanId_idx" on "task"("companyId", "loanId");
create index "task_companyId_activityId_idx" on "task"("companyId", "activityId");

create table "task_assignee" (
  "companyId" uuid not null,
  "taskId" uuid not null,
  "userId" uuid not null,
  "tenantId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "task_assignee_pkey" primary key ("companyId", "taskId", "userId"),
  constraint "task_assignee_companyId_taskId_fkey" foreign key ("companyId", "taskId") references "task"("companyId", "id") on delete cascade on update restrict
);
create index "task_assignee_companyId_userId_idx" on "task_assignee"("companyId", "userId");

call ctx.protect('task', 'tenant');
call ctx.protect('task_assignee', 'tenant');
create trigger require_stream before insert or update or delete on task for each statement execute function ctx.require_stream();

create function ctx.task_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', 'T-' || lpad(new."number"::text, greatest(5, length(new."number"::text)), '0'), new."title", new."note")); return new; end $$;
create trigger search_text before insert or update on task for each row execute function ctx.task_search_text();
