-- Groups of clients that meet, save and borrow together.
create table "client_group" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "number" integer not null,
  "name" text not null, "registrationNumber" text, "formedOn" date, "assignedUserId" uuid, "createdByUserId" uuid not null,
  "minMembers" integer not null default 5, "maxMembers" integer not null default 30,
  "status" text not null default 'Forming', "statusReason" text,
  "meetingRule" text, "meetingStart" timestamptz(3), "nextMeetingAt" timestamptz(3), "meetingPlace" text, "notes" text,
  "searchText" text not null default '', "version" bigint not null default 1, "syncSeq" bigint not null default 0,
  "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "client_group_pkey" primary key ("companyId", "id"),
  constraint "client_group_members_range" check ("minMembers" between 2 and "maxMembers" and "maxMembers" <= 200)
);
create unique index "client_group_companyId_number_key" on "client_group"("companyId", "number");
create index "client_group_companyId_dateCreated_id_idx" on "client_group"("companyId", "dateCreated" desc, "id");
create index "client_group_companyId_tenantId_idx" on "client_group"("companyId", "tenantId");
create index "client_group_search" on "client_group" using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);
create index "client_group_companyId_nextMeetingAt_idx" on "client_group"("companyId", "nextMeetingAt");

create table "client_group_member" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "groupId" uuid not null, "position" integer not null,
  "clientId" uuid not null, "role" text not null default 'Member', "joinedOn" date,
  constraint "client_group_member_pkey" primary key ("companyId", "id"),
  constraint "client_group_member_companyId_groupId_fkey" foreign key ("companyId", "groupId") references "client_group"("companyId", "id") on delete cascade on update restrict,
  constraint "client_group_member_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict
);
-- Lines are written one after the other: within one write a client may change its line.
alter table "client_group_member" add constraint "client_group_member_once" unique ("companyId", "groupId", "clientId") deferrable initially deferred;
create index "client_group_member_companyId_clientId_idx" on "client_group_member"("companyId", "clientId");

call ctx.protect('client_group', 'tenant');
call ctx.protect('client_group_member', 'tenant');
create trigger require_stream before insert or update or delete on client_group for each statement execute function ctx.require_stream();
create function ctx.client_group_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."name", new."registrationNumber", new."meetingPlace")); return new; end $$;
create trigger search_text before insert or update on client_group for each row execute function ctx.client_group_search_text();

-- How many living groups clients are in counts in the whole company, beyond the caller's reach: ids only.
grant select ("companyId", "id", "deletedAt", "status", "searchText") on client_group to fx_search;
grant select ("companyId", "groupId", "clientId") on client_group_member to fx_search;
create policy search_wall on client_group for select to fx_search using (true);
create policy search_wall on client_group_member for select to fx_search using (true);
create function search.groups_of_clients(clients uuid[]) returns table ("clientId" uuid, "groupId" uuid)
language sql stable security definer set search_path = '' as $$
  select m."clientId", m."groupId" from public.client_group_member m
    join public.client_group g on g."companyId" = m."companyId" and g.id = m."groupId" and g."deletedAt" is null and g."status" <> 'Closed'
    where m."companyId" = ctx.company() and m."clientId" = any(clients)
$$;
revoke all on function search.groups_of_clients(uuid[]) from public;
grant execute on function search.groups_of_clients(uuid[]) to fx_app;
alter function search.groups_of_clients(uuid[]) owner to fx_search;
create function search.client_group(pattern text, most integer) returns setof uuid
language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as 'select id from public.client_group where "companyId" = ctx.company() and "searchText" like pattern limit most';
revoke all on function search.client_group(text, integer) from public;
grant execute on function search.client_group(text, integer) to fx_app;
alter function search.client_group(text, integer) owner to fx_search;
