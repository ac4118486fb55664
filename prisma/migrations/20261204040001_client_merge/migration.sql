-- Two clients of one person become one, and two again; as leads do.
create table "client_merge" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "winnerId" uuid not null,
  "loserId" uuid not null,
  "before" jsonb not null,
  "after" jsonb not null,
  "moved" jsonb not null,
  "mergedByUserId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "undoneAt" timestamptz(3),
  "undoneByUserId" uuid,
  constraint "client_merge_pkey" primary key ("companyId", "id"),
  constraint "client_merge_of_two" check ("winnerId" <> "loserId")
);
create index "client_merge_companyId_winnerId_idx" on "client_merge"("companyId", "winnerId");
create index "client_merge_companyId_loserId_idx" on "client_merge"("companyId", "loserId");
call ctx.protect('client_merge', 'tenant', 'select, insert, update');

-- What was done about a late loan stays as it was written, but for whose it is.
grant update ("clientId") on "loan_contact" to fx_app;

-- A merge that is undone leaves no counter of wrong PINs behind.
grant delete on "ussd_pin_try" to fx_app;

-- How many rows belong to a record in the whole company: what a merge would leave behind unseen is counted, and nothing else is told.
-- It runs as its caller, with the reach of the program while it counts.
create function ctx.rows_everywhere(target text, owner text, id uuid, kind_column text, kind text, key text, keys uuid[]) returns bigint
language plpgsql set search_path = '' as $$
declare
  found bigint;
  former_scope text := pg_catalog.current_setting('app.scope', true);
  former_user text := pg_catalog.current_setting('app.user', true);
begin
  perform pg_catalog.set_config('app.scope', '*', true), pg_catalog.set_config('app.user', '00000000-0000-0000-0000-000000000000', true);
  execute pg_catalog.format('select count(*) from public.%I x where x."companyId" = ctx.company() and x.%I = $1 %s %s', target, owner,
    case when kind_column is null then '' else pg_catalog.format('and x.%I = $2', kind_column) end,
    case when keys is null then '' else pg_catalog.format('and x.%I = any($3)', key) end) into found using id, kind, keys;
  perform pg_catalog.set_config('app.scope', coalesce(former_scope, ''), true), pg_catalog.set_config('app.user', coalesce(former_user, ''), true);
  return found;
end $$;
revoke all on function ctx.rows_everywhere(text, text, uuid, text, text, text, uuid[]) from public;
grant execute on function ctx.rows_everywhere(text, text, uuid, text, text, text, uuid[]) to fx_app;

-- Clients whose name is nearly this one: ids only, which the caller's own query checks again.
create function search.client_similar(name text, most integer) returns setof uuid
language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as 'select id from public.client where "companyId" = ctx.company() and name operator(public.<%) "searchText" and "deletedAt" is null
  order by public.word_similarity(name, "searchText") desc limit most';
revoke all on function search.client_similar(text, integer) from public;
grant execute on function search.client_similar(text, integer) to fx_app;
alter function search.client_similar(text, integer) owner to fx_search;
