-- What clients complain about, the stretches in which its clock stood still, what the client was told, and who was told of a clock.
create table "complaint" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "subject" text not null,
  "description" text,
  "channel" text not null,
  "category" text not null,
  "product" text,
  "severity" text not null default 'Medium',
  "status" text not null default 'Open',
  "clientId" uuid,
  "complainantName" text,
  "complainantPhone" text,
  "complainantEmail" text,
  "accusedUserId" uuid,
  "ownerUserId" uuid,
  "receivedAt" timestamptz(3) not null,
  "firstResponseDueAt" timestamptz(3) not null,
  "firstResponseAt" timestamptz(3),
  "resolutionDueAt" timestamptz(3) not null,
  "resolvedAt" timestamptz(3),
  "closedAt" timestamptz(3),
  "regulatorDueAt" timestamptz(3) not null,
  "statusReason" text,
  "outcome" text,
  "rootCause" text,
  "redressAmount" numeric(18, 2),
  "resolution" text,
  "createdByUserId" uuid not null,
  "searchText" text not null default '',
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "complaint_pkey" primary key ("companyId", "id"),
  constraint "complaint_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client" ("companyId", "id") on delete restrict on update restrict,
  constraint "complaint_status" check ("status" in ('Open', 'In progress', 'Waiting client', 'Waiting third party', 'Resolved', 'Closed', 'Reopened')),
  constraint "complaint_severity" check ("severity" in ('Low', 'Medium', 'High', 'Critical')),
  constraint "complaint_redress" check ("redressAmount" >= 0),
  constraint "complaint_owner" check ("ownerUserId" <> "accusedUserId")
);
create unique index "complaint_companyId_number_key" on "complaint"("companyId", "number");
create index "complaint_companyId_receivedAt_id_idx" on "complaint"("companyId", "receivedAt" desc, "id");
create index "complaint_companyId_tenantId_receivedAt_idx" on "complaint"("companyId", "tenantId", "receivedAt" desc);
create index "complaint_companyId_clientId_idx" on "complaint"("companyId", "clientId");
create index "complaint_companyId_accusedUserId_idx" on "complaint"("companyId", "accusedUserId");
create index "complaint_companyId_open_idx" on "complaint"("companyId") where "resolvedAt" is null;
create index "complaint_search" on "complaint" using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);

create table "complaint_pause" (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "complaintId" uuid not null,
  "reason" text not null,
  "startedAt" timestamptz(3) not null,
  "endedAt" timestamptz(3),
  constraint "complaint_pause_pkey" primary key ("companyId", "id"),
  constraint "complaint_pause_companyId_complaintId_fkey" foreign key ("companyId", "complaintId") references "complaint" ("companyId", "id") on delete cascade on update restrict,
  constraint "complaint_pause_span" check ("endedAt" >= "startedAt")
);
-- One pause lasts at most.
create unique index "complaint_pause_lasting" on "complaint_pause"("companyId", "complaintId") where "endedAt" is null;
create index "complaint_pause_companyId_complaintId_startedAt_idx" on "complaint_pause"("companyId", "complaintId", "startedAt");

create table "complaint_message" (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "complaintId" uuid not null,
  "kind" text not null,
  "way" text not null,
  "text" text not null,
  "sentTo" text,
  "userId" uuid not null,
  "realUserId" uuid not null,
  "at" timestamptz(3) not null default current_timestamp,
  constraint "complaint_message_pkey" primary key ("companyId", "id"),
  constraint "complaint_message_companyId_complaintId_fkey" foreign key ("companyId", "complaintId") references "complaint" ("companyId", "id") on delete cascade on update restrict,
  constraint "complaint_message_kind" check ("kind" in ('reply', 'acknowledgement', 'status'))
);
create index "complaint_message_companyId_complaintId_at_idx" on "complaint_message"("companyId", "complaintId", "at" desc);

-- Each share of each clock is told once.
create table "complaint_alert" (
  "companyId" uuid not null,
  "complaintId" uuid not null,
  "clock" text not null,
  "percent" integer not null,
  "at" timestamptz(3) not null default current_timestamp,
  constraint "complaint_alert_pkey" primary key ("companyId", "complaintId", "clock", "percent"),
  constraint "complaint_alert_companyId_complaintId_fkey" foreign key ("companyId", "complaintId") references "complaint" ("companyId", "id") on delete cascade on update restrict
);

create function ctx.complaint_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', 'K-' || lpad(new."number"::text, greatest(5, length(new."number"::text)), '0'), new."subject", new."complainantName", new."description")); return new; end $$;
create trigger search_text before insert or update on complaint for each row execute function ctx.complaint_search_text();

grant select ("companyId", "id", "searchText") on complaint to fx_search;
create policy search_wall on complaint for select to fx_search using (true);
create function search.complaint(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select id from public.complaint where "companyId" = ctx.company() and "searchText" like pattern limit most';
revoke all on function search.complaint(text, integer) from public;
grant execute on function search.complaint(text, integer) to fx_app;
alter function search.complaint(text, integer) owner to fx_search;

call ctx.protect('complaint', 'tenant');
call ctx.protect('complaint_pause', 'company');
call ctx.protect('complaint_message', 'company');
call ctx.protect('complaint_alert', 'company');
