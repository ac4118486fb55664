-- The palette finds locations by name and address. A company has some hundreds at most: they are read, no index is kept for them.
grant select ("companyId", "id", "name", "address") on "location" to fx_search;
create policy search_wall on "location" for select to fx_search using (true);
create function search.location(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select id from public.location where "companyId" = ctx.company() and upper(concat_ws('' '', "name", "address")) like pattern limit most';
-- Rights first: after the change of owner only fx_search could take them back.
revoke all on function search.location(text, integer) from public;
grant execute on function search.location(text, integer) to fx_app;
alter function search.location(text, integer) owner to fx_search;
