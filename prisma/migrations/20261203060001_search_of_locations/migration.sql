-- The palette finds locations by name and address.
alter table "location" add column "searchText" text not null default '';
create function ctx.location_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."name", new."address")); return new; end $$;
create trigger search_text before insert or update on "location" for each row execute function ctx.location_search_text();
update "location" set "searchText" = '';
grant select ("companyId", "id", "searchText") on "location" to fx_search;
create policy search_wall on "location" for select to fx_search using (true);
create function search.location(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select id from public.location where "companyId" = ctx.company() and "searchText" like pattern limit most';
-- Rights first: after the change of owner only fx_search could take them back.
revoke all on function search.location(text, integer) from public;
grant execute on function search.location(text, integer) to fx_app;
alter function search.location(text, integer) owner to fx_search;
