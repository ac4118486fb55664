-- AlterTable
ALTER TABLE "lead" ADD COLUMN     "statusSince" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "lead_assignment" ADD COLUMN     "explanation" TEXT,
ADD COLUMN     "ruleId" UUID;

-- AlterTable
ALTER TABLE "lead_consent" ADD COLUMN     "reason" TEXT,
ADD COLUMN     "withdrawnAt" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "affordability_run" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "leadId" UUID NOT NULL,
    "calculator" TEXT NOT NULL,
    "country" TEXT NOT NULL,
    "ruleSetId" TEXT NOT NULL,
    "ruleSetVersion" TEXT NOT NULL,
    "inputs" JSONB NOT NULL,
    "steps" JSONB NOT NULL,
    "result" JSONB NOT NULL,
    "outcome" TEXT NOT NULL,
    "instalment" DECIMAL(18,2),
    "affordable" DECIMAL(18,2),
    "createdByUserId" UUID NOT NULL,
    "realUserId" UUID NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "affordability_run_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "lead_merge" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "winnerId" UUID NOT NULL,
    "loserId" UUID NOT NULL,
    "before" JSONB NOT NULL,
    "after" JSONB NOT NULL,
    "moved" JSONB NOT NULL,
    "mergedByUserId" UUID NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "undoneAt" TIMESTAMPTZ(3),
    "undoneByUserId" UUID,

    CONSTRAINT "lead_merge_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "assignment_rule" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL DEFAULT 10,
    "isActive" BOOLEAN NOT NULL DEFAULT true,
    "source" TEXT,
    "type" TEXT,
    "city" TEXT,
    "branchId" UUID,
    "method" TEXT NOT NULL DEFAULT 'ROUND ROBIN',
    "candidateTenantId" UUID,
    "candidateUserIds" UUID[] DEFAULT ARRAY[]::UUID[],
    "lastUserId" UUID,
    "version" BIGINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "assignment_rule_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateIndex
CREATE INDEX "affordability_run_companyId_leadId_dateCreated_idx" ON "affordability_run"("companyId", "leadId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "lead_merge_companyId_winnerId_idx" ON "lead_merge"("companyId", "winnerId");

-- CreateIndex
CREATE INDEX "lead_merge_companyId_loserId_idx" ON "lead_merge"("companyId", "loserId");

-- CreateIndex
CREATE INDEX "assignment_rule_companyId_isActive_position_idx" ON "assignment_rule"("companyId", "isActive", "position");

-- AddForeignKey
ALTER TABLE "affordability_run" ADD CONSTRAINT "affordability_run_companyId_leadId_fkey" FOREIGN KEY ("companyId", "leadId") REFERENCES "lead"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

call ctx.protect('affordability_run', 'tenant', 'select, insert');
call ctx.protect('lead_merge', 'tenant', 'select, insert, update');
-- Rules are read by whoever captures a lead, below the branch they were made for too.
call ctx.protect('assignment_rule', 'company');
alter table lead_merge add constraint lead_merge_of_two check ("winnerId" <> "loserId");
alter table assignment_rule add constraint assignment_rule_method_known check ("method" in ('ROUND ROBIN', 'NEAREST', 'LOAD'));

-- An assessment is what it was: nobody changes or deletes one, whatever rights they hold.
create function ctx.refuse_change() returns trigger language plpgsql set search_path = '' as $$
begin raise exception 'rows of % are never changed', tg_table_name using errcode = 'OP002'; end $$;
create trigger never_changed before update or delete on affordability_run for each row execute function ctx.refuse_change();

-- Since when a lead stands where it stands; leads from before get it from their log.
create function ctx.lead_status_since() returns trigger language plpgsql set search_path = '' as $$
begin new."statusSince" := now(); return new; end $$;
create trigger status_since before update of "status" on lead for each row
  when (old."status" is distinct from new."status") execute function ctx.lead_status_since();
alter table lead no force row level security;
alter table lead_status_log no force row level security;
alter table lead disable trigger require_stream;
update lead l set "statusSince" = coalesce(
  (select max(s."dateCreated") from lead_status_log s where s."companyId" = l."companyId" and s."leadId" = l."id"), l."dateCreated");
alter table lead enable trigger require_stream;
alter table lead_status_log force row level security;
alter table lead force row level security;

-- Clients are found by what they are called, as leads are.
grant select ("companyId", "id", "searchText") on client to fx_search;
create policy search_wall on client for select to fx_search using (true);
create function search.client(pattern text, most integer) returns setof uuid
language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as 'select id from public.client where "companyId" = ctx.company() and "searchText" like pattern limit most';
revoke all on function search.client(text, integer) from public;
grant execute on function search.client(text, integer) to fx_app;
alter function search.client(text, integer) owner to fx_search;

-- Leads whose name is nearly this one: ids only, which the caller's own query checks again.
create function search.lead_similar(name text, most integer) returns setof uuid
language sql stable security definer set search_path = '' set plan_cache_mode = 'force_custom_plan'
as 'select id from public.lead where "companyId" = ctx.company() and name operator(public.<%) "searchText" and "deletedAt" is null
  order by public.word_similarity(name, "searchText") desc limit most';
revoke all on function search.lead_similar(text, integer) from public;
grant execute on function search.lead_similar(text, integer) to fx_app;
alter function search.lead_similar(text, integer) owner to fx_search;

-- How many open leads agents hold and where they were seen last, beyond the caller's reach: a fair share counts all of an agent's work.
grant select ("assignedUserId", "status") on lead to fx_search;
grant select ("companyId", "performedByUserId", "latitude", "longitude", "dateCreated") on agent_action to fx_search;
create policy search_wall on agent_action for select to fx_search using (true);
create function search.agent_standing(users uuid[], open_statuses text[]) returns table ("userId" uuid, leads integer, latitude numeric, longitude numeric)
language sql stable security definer set search_path = '' as $$
  select u.id, (select count(*)::int from public.lead l
      where l."companyId" = ctx.company() and l."assignedUserId" = u.id and l."deletedAt" is null and l."status" = any(open_statuses)),
    seen."latitude", seen."longitude"
  from pg_catalog.unnest(users) u(id) left join lateral (
    select a."latitude", a."longitude" from public.agent_action a
    where a."companyId" = ctx.company() and a."performedByUserId" = u.id and a."latitude" is not null and a."dateCreated" > now() - interval '1 day'
    order by a."dateCreated" desc limit 1) seen on true
$$;
revoke all on function search.agent_standing(uuid[], text[]) from public;
grant execute on function search.agent_standing(uuid[], text[]) to fx_app;
alter function search.agent_standing(uuid[], text[]) owner to fx_search;
