-- Walls between companies: context functions, row-level security, grants, search, sync guard.
-- Roles are made by packages/platform/src/db/roles.ts before any migration runs.

create schema ctx;
create schema search;
create schema report;
grant usage on schema public to fx_app, fx_auth, fx_relay, fx_report, fx_public, fx_search;
grant usage on schema ctx to fx_app, fx_auth, fx_relay, fx_report, fx_public, fx_search;
grant usage on schema search to fx_app;
grant usage on schema report to fx_report;
grant usage, create on schema search to fx_search;

-- The company, reach and actor of the running transaction. Unset is null: it sees nothing.
create function ctx.company() returns uuid language sql stable parallel safe
  set search_path = '' return nullif(pg_catalog.current_setting('app.company', true), '')::pg_catalog.uuid;
create function ctx.scope() returns uuid[] language sql stable parallel safe
  set search_path = '' return nullif(pg_catalog.current_setting('app.scope', true), '')::pg_catalog._uuid;
create function ctx.has_whole_company() returns boolean language sql stable parallel safe
  set search_path = '' return coalesce(pg_catalog.current_setting('app.scope', true) = '*', false);
create function ctx.scope_list() returns uuid[] language sql stable parallel safe
  set search_path = '' return case when ctx.has_whole_company() then null else ctx.scope() end;
create function ctx.actor() returns uuid language sql stable parallel safe
  set search_path = '' return nullif(pg_catalog.current_setting('app.user', true), '')::pg_catalog.uuid;

-- Raises both walls round a table. wall: 'company' (isolation only) or 'tenant' (isolation and reach).
-- rights: what fx_app may do, e.g. 'select, insert'.
create procedure ctx.protect(target regclass, wall text, rights text default 'select, insert, update, delete')
language plpgsql as $$
begin
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy company_wall on %s to fx_app, fx_report using ("companyId" = (select ctx.company())) with check ("companyId" = (select ctx.company()))', target);
  if wall = 'tenant' then
    execute format('create policy scope_wall on %s as restrictive to fx_app, fx_report using ((select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[])) with check ((select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[]))', target);
  end if;
  if rights <> '' then execute format('grant %s on %s to fx_app', rights, target); end if;
end $$;

call ctx.protect('tenant', 'company');
call ctx.protect('language_label', 'company');
call ctx.protect('saved_view', 'company');
call ctx.protect('app_user', 'company');
call ctx.protect('user_tenant', 'company');
call ctx.protect('role', 'company');
call ctx.protect('role_permission', 'company');
call ctx.protect('user_role', 'company');
call ctx.protect('user_permission', 'company');
call ctx.protect('credential', 'company', '');
call ctx.protect('password_history', 'company', 'select ("companyId", "id", "userId", "changedByUserId", "dateCreated")');
call ctx.protect('session', 'company', '');
call ctx.protect('refresh_token', 'company', '');
call ctx.protect('one_time_token', 'company', '');
call ctx.protect('oauth_client', 'company');
call ctx.protect('login_event', 'company', 'select');
call ctx.protect('user_device', 'company', 'select, update');
call ctx.protect('outbox', 'company', 'select, insert, update');
call ctx.protect('audit_log', 'company', 'select, insert');
call ctx.protect('stored_file', 'tenant');
call ctx.protect('report_run', 'company');
call ctx.protect('notification', 'company');
call ctx.protect('push_device', 'company');
call ctx.protect('error_log', 'tenant');
call ctx.protect('sync_stream', 'company', 'select, insert, update');
call ctx.protect('sync_receipt', 'company', 'select, insert');
call ctx.protect('sync_feed', 'tenant');
call ctx.protect('sync_conflict', 'tenant');
call ctx.protect('sync_dead_letter', 'tenant');
call ctx.protect('sync_device', 'company');
call ctx.protect('lead', 'tenant');
call ctx.protect('lead_address', 'tenant');
call ctx.protect('lead_status_log', 'tenant', 'select, insert');
call ctx.protect('lead_assignment', 'tenant', 'select, insert, update');
call ctx.protect('lead_consent', 'tenant', 'select, insert, update');
call ctx.protect('onboarding_draft', 'tenant');
call ctx.protect('activity_type', 'company');
call ctx.protect('activity_status', 'company');
call ctx.protect('activity', 'tenant');
call ctx.protect('activity_assignment', 'tenant');
call ctx.protect('activity_lead', 'tenant');
call ctx.protect('agent_action', 'tenant', 'select, insert');

-- Sign-in happens before a company is known: fx_auth sees identities and sessions of all, and nothing else.
do $$
declare target text;
begin
  foreach target in array array['credential', 'password_history', 'session', 'refresh_token', 'one_time_token', 'login_event', 'user_device'] loop
    execute format('create policy auth_wall on %I to fx_auth using (true) with check (true)', target);
    execute format('grant select, insert, update, delete on %I to fx_auth', target);
  end loop;
  foreach target in array array['tenant', 'app_user', 'user_tenant', 'role', 'role_permission', 'user_role', 'user_permission', 'oauth_client'] loop
    execute format('create policy auth_wall on %I for select to fx_auth using (true)', target);
    execute format('grant select on %I to fx_auth', target);
  end loop;
end $$;
create policy auth_seen on app_user for update to fx_auth using (true) with check (true);
grant update ("lastSeenAt", "emailVerifiedAt", "selectedTenantId") on app_user to fx_auth;
create policy auth_audit on audit_log to fx_auth using ("companyId" = (select ctx.company())) with check ("companyId" = (select ctx.company()));
grant select, insert on audit_log to fx_auth;
create policy auth_outbox on outbox for insert to fx_auth with check ("companyId" = (select ctx.company()));
grant insert on outbox to fx_auth;

-- The relay moves outbox rows of every company to the queue.
create policy relay_wall on outbox to fx_relay using (true) with check (true);
grant select, update, delete on outbox to fx_relay;

-- Contains-search: LIKE is not leakproof, so row-level security would forbid the trigram index. These functions
-- run as fx_search, which may read only id, company and search text, take the company from the context, and give
-- ids that the caller's own query checks again.
grant select ("companyId", "id", "searchText") on tenant, app_user, role, lead, activity to fx_search;
do $$
declare target text;
begin
  foreach target in array array['tenant', 'app_user', 'role', 'lead', 'activity'] loop
    execute format('create policy search_wall on %I for select to fx_search using (true)', target);
    execute format($f$
      create function search.%1$I(pattern text, most integer) returns setof uuid
      language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
      as 'select id from public.%1$I where "companyId" = ctx.company() and "searchText" like pattern limit most'$f$, target);
    -- Rights first: after the change of owner only fx_search could take them back.
    execute format('revoke all on function search.%I(text, integer) from public', target);
    execute format('grant execute on function search.%I(text, integer) to fx_app', target);
    execute format('alter function search.%I(text, integer) owner to fx_search', target);
  end loop;
end $$;

-- Duplicates count in the whole company, beyond the caller's reach: ids only, and the tenant to tell what may be shown.
grant select ("tenantId", "deletedAt", "trimmedPhonenumber", "emailAddress", "idNumber") on lead to fx_search;
create function search.lead_duplicate(phones text[], emails text[], id_numbers text[]) returns table (id uuid, "tenantId" uuid, "column" text, value text)
language sql stable security definer set search_path = '' as $$
  select l.id, l."tenantId", 'trimmedPhonenumber', l."trimmedPhonenumber" from public.lead l
    where l."companyId" = ctx.company() and l."trimmedPhonenumber" = any(phones) and l."deletedAt" is null
  union all
  select l.id, l."tenantId", 'emailAddress', l."emailAddress" from public.lead l
    where l."companyId" = ctx.company() and l."emailAddress" = any(emails) and l."deletedAt" is null
  union all
  select l.id, l."tenantId", 'idNumber', l."idNumber" from public.lead l
    where l."companyId" = ctx.company() and l."idNumber" = any(id_numbers) and l."deletedAt" is null
$$;
revoke all on function search.lead_duplicate(text[], text[], text[]) from public;
grant execute on function search.lead_duplicate(text[], text[], text[]) to fx_app;
alter function search.lead_duplicate(text[], text[], text[]) owner to fx_search;

create function ctx.tenant_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."name", new."shortCode", new."location")); return new; end $$;
create trigger search_text before insert or update on tenant for each row execute function ctx.tenant_search_text();
create function ctx.app_user_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."firstName", new."lastName", new."userName", new."emailAddress", new."mobile")); return new; end $$;
create trigger search_text before insert or update on app_user for each row execute function ctx.app_user_search_text();
create function ctx.role_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."name", new."description")); return new; end $$;
create trigger search_text before insert or update on role for each row execute function ctx.role_search_text();
create function ctx.lead_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."firstName", new."lastName", new."phonenumber", new."trimmedPhonenumber", new."emailAddress", new."idNumber", new."empNumber")); return new; end $$;
create trigger search_text before insert or update on lead for each row execute function ctx.lead_search_text();
create function ctx.activity_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."name", new."description", new."location")); return new; end $$;
create trigger search_text before insert or update on activity for each row execute function ctx.activity_search_text();

-- A synced table is written only under its company's counter (kernel/sync/stream.ts): a write that forgot it stops here.
create function ctx.require_stream() returns trigger language plpgsql set search_path = '' as $$
begin
  if coalesce(pg_catalog.current_setting('app.stream', true), '') is distinct from coalesce(pg_catalog.current_setting('app.company', true), '')
     or coalesce(pg_catalog.current_setting('app.stream', true), '') = '' then
    raise exception 'write to % outside withStream', tg_table_name using errcode = 'OP001';
  end if;
  return null;
end $$;
create trigger require_stream before insert or update or delete on lead for each statement execute function ctx.require_stream();
create trigger require_stream before insert or update or delete on activity for each statement execute function ctx.require_stream();

-- Rules the schema language cannot say.
alter table tenant add constraint tenant_type_known check ("type" between 1 and 4);
alter table tenant add constraint tenant_group_is_own_company check ("type" > 2 or ("companyId" = "id" and "parentId" is null));
alter table tenant add constraint tenant_has_parent check ("type" < 3 or "parentId" is not null);
alter table lead add constraint lead_email_lower check ("emailAddress" = lower("emailAddress"));
alter table app_user add constraint app_user_email_lower check ("emailAddress" = lower("emailAddress"));
create unique index role_system_key on role ("companyId", "systemRole") where "systemRole" is not null and "deletedAt" is null;
create index lead_live on lead ("companyId", "dateCreated" desc, "id") where "deletedAt" is null;
create unique index outbox_open on outbox ("companyId", "id") where "status" <> 'done';
