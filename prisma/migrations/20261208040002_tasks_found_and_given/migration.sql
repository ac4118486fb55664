-- The palette finds tasks by number, title and note.
grant select ("companyId", "id", "searchText") on task to fx_search;
create policy search_wall on task for select to fx_search using (true);
create function search.task(pattern text, most integer) returns setof uuid
  language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
  as 'select id from public.task where "companyId" = ctx.company() and "searchText" like pattern limit most';
-- Rights first: after the change of owner only fx_search could take them back.
revoke all on function search.task(text, integer) from public;
grant execute on function search.task(text, integer) to fx_app;
alter function search.task(text, integer) owner to fx_search;

-- What giving a task away changed, so that it can be taken back: whose it was before.
create table "task_gift" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "taskId" uuid not null,
  "userId" uuid not null, "givenByUserId" uuid not null, "formerUserIds" uuid[] not null default '{}', "formerTenantId" uuid not null, "taskVersion" bigint not null,
  "endedAt" timestamptz(3), "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "task_gift_pkey" primary key ("companyId", "id"),
  constraint "task_gift_companyId_taskId_fkey" foreign key ("companyId", "taskId") references "task"("companyId", "id") on delete cascade on update restrict
);
create index "task_gift_companyId_taskId_idx" on "task_gift"("companyId", "taskId");
call ctx.protect('task_gift', 'tenant', 'select, insert, update');
