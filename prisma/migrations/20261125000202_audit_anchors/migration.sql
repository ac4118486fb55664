-- What a look at the audit chain found: written by the program, read by administrators.
create table public.audit_check (
  "companyId" uuid not null,
  "id" uuid not null default gen_random_uuid(),
  "at" timestamptz(3) not null default now(),
  "entries" integer not null,
  "anchors" integer not null,
  "breaks" jsonb not null default '[]',
  "isWhole" boolean not null,
  constraint audit_check_pkey primary key ("companyId", "id")
);
create index audit_check_at on public.audit_check ("companyId", "at" desc);
call ctx.protect('audit_check', 'company', 'select, insert');
