-- Files of records that are taken in beside the calls: a run, first as a trial and then in earnest, and its rows in portions. A portion is written
-- in the transaction that keeps its verdicts: a worker that is killed leaves whole portions, and no row is written twice.
create table "import_run" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "userId" uuid not null,
  "homeCompanyId" uuid not null,
  "kind" text not null,
  "fileName" text not null,
  "headings" text[] not null,
  "options" jsonb not null,
  "isTrial" boolean not null default true,
  "status" text not null default 'queued',
  "total" integer not null,
  "done" integer not null default 0,
  "error" text,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "finishedAt" timestamptz(3),
  constraint "import_run_pkey" primary key ("companyId", "id"),
  constraint "import_run_companyId_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant" ("companyId", "id") on update restrict on delete restrict,
  constraint "import_run_status" check ("status" in ('queued', 'running', 'done', 'cancelled', 'failed'))
);
create index "import_run_companyId_userId_dateCreated_idx" on "import_run"("companyId", "userId", "dateCreated" desc);
create index "import_run_companyId_tenantId_idx" on "import_run"("companyId", "tenantId");
call ctx.protect('import_run', 'tenant');

create table "import_portion" (
  "companyId" uuid not null,
  "runId" uuid not null,
  "position" integer not null,
  "rows" jsonb not null,
  "verdicts" jsonb,
  constraint "import_portion_pkey" primary key ("companyId", "runId", "position"),
  constraint "import_portion_companyId_runId_fkey" foreign key ("companyId", "runId") references "import_run" ("companyId", "id") on update restrict on delete cascade
);
call ctx.protect('import_portion', 'company');
