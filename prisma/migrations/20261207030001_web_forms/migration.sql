-- Forms that a company makes itself: the draft that is edited, its published versions, and what was filled in under each.
create table "web_form" (
  "companyId" uuid not null, "id" uuid not null,
  "name" text not null, "description" text, "about" text not null default 'nothing',
  "status" text not null default 'Draft', "pages" jsonb not null default '[]',
  "versionNumber" integer, "publishedAt" timestamptz(3), "publishedByUserId" uuid, "createdByUserId" uuid not null,
  "searchText" text not null default '', "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "web_form_pkey" primary key ("companyId", "id"),
  constraint "web_form_is_published" check ("status" = 'Draft' or "versionNumber" is not null)
);
create index "web_form_companyId_dateCreated_id_idx" on "web_form"("companyId", "dateCreated" desc, "id");

create table "web_form_version" (
  "companyId" uuid not null, "id" uuid not null, "formId" uuid not null, "number" integer not null,
  "name" text not null, "description" text, "about" text not null, "pages" jsonb not null,
  "publishedAt" timestamptz(3) not null, "publishedByUserId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "web_form_version_pkey" primary key ("companyId", "id"),
  constraint "web_form_version_companyId_formId_fkey" foreign key ("companyId", "formId") references "web_form"("companyId", "id") on delete restrict on update restrict
);
create unique index "web_form_version_companyId_formId_number_key" on "web_form_version"("companyId", "formId", "number");

create table "web_form_answer" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "formId" uuid not null, "formVersionId" uuid not null,
  "name" text not null, "leadId" uuid, "clientId" uuid, "activityId" uuid,
  "answers" jsonb not null, "summary" text not null, "filledAt" timestamptz(3) not null, "createdByUserId" uuid not null,
  "version" bigint not null default 1, "syncSeq" bigint not null default 0,
  "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "web_form_answer_pkey" primary key ("companyId", "id"),
  constraint "web_form_answer_companyId_formId_fkey" foreign key ("companyId", "formId") references "web_form"("companyId", "id") on delete restrict on update restrict,
  constraint "web_form_answer_companyId_formVersionId_fkey" foreign key ("companyId", "formVersionId") references "web_form_version"("companyId", "id") on delete restrict on update restrict,
  constraint "web_form_answer_companyId_leadId_fkey" foreign key ("companyId", "leadId") references "lead"("companyId", "id") on delete restrict on update restrict,
  constraint "web_form_answer_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict,
  constraint "web_form_answer_companyId_activityId_fkey" foreign key ("companyId", "activityId") references "activity"("companyId", "id") on delete restrict on update restrict
);
create index "web_form_answer_companyId_filledAt_id_idx" on "web_form_answer"("companyId", "filledAt" desc, "id");
create index "web_form_answer_companyId_tenantId_idx" on "web_form_answer"("companyId", "tenantId");
create index "web_form_answer_companyId_formId_idx" on "web_form_answer"("companyId", "formId");
create index "web_form_answer_companyId_formVersionId_idx" on "web_form_answer"("companyId", "formVersionId");
create index "web_form_answer_companyId_leadId_idx" on "web_form_answer"("companyId", "leadId");
create index "web_form_answer_companyId_clientId_idx" on "web_form_answer"("companyId", "clientId");
create index "web_form_answer_companyId_activityId_idx" on "web_form_answer"("companyId", "activityId");

call ctx.protect('web_form', 'company');
-- Answers name a version: it is never changed, nor taken away.
call ctx.protect('web_form_version', 'company', 'select, insert');
call ctx.protect('web_form_answer', 'tenant');
create trigger require_stream before insert or update or delete on web_form_answer for each statement execute function ctx.require_stream();
-- Filled forms show the name of their form.
create trigger relabel after update of "name" on web_form for each row when (old."name" is distinct from new."name") execute function ctx.relabel();

-- The palette finds forms by name and description.
create function ctx.web_form_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."name", new."description")); return new; end $$;
create trigger search_text before insert or update on "web_form" for each row execute function ctx.web_form_search_text();
grant select ("companyId", "id", "searchText") on "web_form" to fx_search;
create policy search_wall on "web_form" for select to fx_search using (true);
create function search.web_form(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select id from public.web_form where "companyId" = ctx.company() and "searchText" like pattern limit most';
-- Rights first: after the change of owner only fx_search could take them back.
revoke all on function search.web_form(text, integer) from public;
grant execute on function search.web_form(text, integer) to fx_app;
alter function search.web_form(text, integer) owner to fx_search;
