-- The phone book: entries that people keep for everybody, for their branch or for themselves, beside clients and leads.
create table "phone_book_entry" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "ownerUserId" uuid not null,
  "visibility" text not null default 'BRANCH', "name" text not null, "organisation" text, "jobTitle" text,
  "phonenumber" text, "otherNumber" text, "emailAddress" text, "notes" text,
  "searchText" text not null default '', "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "phone_book_entry_pkey" primary key ("companyId", "id"),
  constraint "phone_book_entry_email_lower" check ("emailAddress" = lower("emailAddress"))
);
create index "phone_book_entry_companyId_name_id_idx" on "phone_book_entry"("companyId", "name", "id");
create index "phone_book_entry_companyId_ownerUserId_idx" on "phone_book_entry"("companyId", "ownerUserId");
call ctx.protect('phone_book_entry', 'company');
-- What somebody keeps for themselves is theirs alone, whatever a query asks for.
create policy private_wall on phone_book_entry as restrictive to fx_app, fx_report
  using ("visibility" <> 'PRIVATE' or "ownerUserId" = (select ctx.actor())) with check ("visibility" <> 'PRIVATE' or "ownerUserId" = (select ctx.actor()));
create function ctx.phone_book_entry_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."name", new."organisation", new."jobTitle", new."phonenumber", new."otherNumber", new."emailAddress")); return new; end $$;
create trigger search_text before insert or update on phone_book_entry for each row execute function ctx.phone_book_entry_search_text();

-- All numbers together, behind the walls of the tables they come from. A lead that became a client is listed once.
create view "phone_book" with (security_invoker = true) as
  select e."companyId", e."id", e."tenantId", 'ENTRY'::text as "kind", e."visibility", e."ownerUserId", e."name", e."organisation", e."jobTitle", e."phonenumber", e."otherNumber",
    e."emailAddress", e."searchText", e."dateCreated", e."dateModified" from public.phone_book_entry e where e."deletedAt" is null
  union all
  select c."companyId", c."id", c."tenantId", 'CLIENT', 'BRANCH', c."assignedUserId", concat_ws(' ', c."firstName", c."lastName"), c."employer", c."jobTitle", c."phonenumber", c."contactNumber",
    c."emailAddress", upper(concat_ws(' ', c."searchText", c."employer", c."contactNumber")), c."dateCreated", c."dateModified" from public.client c where c."deletedAt" is null
  union all
  select l."companyId", l."id", l."tenantId", 'LEAD', 'BRANCH', l."assignedUserId", concat_ws(' ', l."firstName", l."lastName"), l."employer", null, l."phonenumber", l."contactNumber",
    l."emailAddress", upper(concat_ws(' ', l."searchText", l."employer", l."contactNumber")), l."dateCreated", l."dateModified" from public.lead l where l."deletedAt" is null
    and not exists (select from public.client c where c."companyId" = l."companyId" and c."leadId" = l."id" and c."deletedAt" is null);
grant select on "phone_book" to fx_app;
