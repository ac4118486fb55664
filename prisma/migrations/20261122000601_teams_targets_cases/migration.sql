-- CreateTable
CREATE TABLE "pipeline" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "entity" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "isDefault" BOOLEAN NOT NULL DEFAULT false,
    "version" BIGINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "pipeline_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "pipeline_stage" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "pipelineId" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "colour" TEXT NOT NULL DEFAULT 'default',
    "probability" SMALLINT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'open',
    "statuses" TEXT[],

    CONSTRAINT "pipeline_stage_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "sales_case" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "pipelineId" UUID NOT NULL,
    "stageId" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'New',
    "priority" TEXT NOT NULL DEFAULT 'Normal',
    "ownerUserId" UUID,
    "leadId" UUID,
    "clientId" UUID,
    "dueDate" TIMESTAMPTZ(3),
    "firstResponseAt" TIMESTAMPTZ(3),
    "resolvedAt" TIMESTAMPTZ(3),
    "createdByUserId" UUID NOT NULL,
    "createdBy" TEXT NOT NULL,
    "searchText" TEXT NOT NULL DEFAULT '',
    "version" BIGINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "sales_case_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "case_comment" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "caseId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "case_comment_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "case_move" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "caseId" UUID NOT NULL,
    "fromStage" TEXT,
    "toStage" TEXT NOT NULL,
    "userId" UUID NOT NULL,
    "realUserId" UUID NOT NULL,
    "durationSeconds" BIGINT,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "case_move_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "target" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "metric" TEXT NOT NULL,
    "ownerType" TEXT NOT NULL,
    "ownerUserId" UUID,
    "ownerTeamId" UUID,
    "ownerTenantId" UUID,
    "periodKind" TEXT NOT NULL,
    "startDate" DATE NOT NULL,
    "endDate" DATE NOT NULL,
    "product" TEXT,
    "value" DECIMAL(18,2) NOT NULL,
    "parentId" UUID,
    "note" TEXT,
    "createdByUserId" UUID NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "target_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "target_milestone" (
    "companyId" UUID NOT NULL,
    "targetId" UUID NOT NULL,
    "percent" SMALLINT NOT NULL,
    "tenantId" UUID NOT NULL,
    "reachedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "target_milestone_pkey" PRIMARY KEY ("companyId","targetId","percent")
);

-- CreateTable
CREATE TABLE "holiday" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "country" CHAR(2) NOT NULL,
    "date" DATE NOT NULL,
    "name" TEXT NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "holiday_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "working_week" (
    "companyId" UUID NOT NULL,
    "days" INTEGER[],
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "working_week_pkey" PRIMARY KEY ("companyId")
);

-- CreateTable
CREATE TABLE "team" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "teamTenantId" UUID,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "leaderUserId" UUID,
    "searchText" TEXT NOT NULL DEFAULT '',
    "version" BIGINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "team_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "team_member" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "fromDate" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "toDate" TIMESTAMPTZ(3),
    "addedByUserId" UUID NOT NULL,

    CONSTRAINT "team_member_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateIndex
CREATE INDEX "pipeline_companyId_entity_tenantId_idx" ON "pipeline"("companyId", "entity", "tenantId");

-- CreateIndex
CREATE INDEX "pipeline_stage_companyId_pipelineId_position_idx" ON "pipeline_stage"("companyId", "pipelineId", "position");

-- CreateIndex
CREATE INDEX "sales_case_companyId_dateCreated_id_idx" ON "sales_case"("companyId", "dateCreated" DESC, "id");

-- CreateIndex
CREATE INDEX "sales_case_companyId_tenantId_dateCreated_idx" ON "sales_case"("companyId", "tenantId", "dateCreated" DESC);

-- CreateIndex
CREATE INDEX "sales_case_companyId_stageId_idx" ON "sales_case"("companyId", "stageId");

-- CreateIndex
CREATE INDEX "sales_case_companyId_ownerUserId_idx" ON "sales_case"("companyId", "ownerUserId");

-- CreateIndex
CREATE INDEX "sales_case_companyId_leadId_idx" ON "sales_case"("companyId", "leadId");

-- CreateIndex
CREATE INDEX "sales_case_companyId_clientId_idx" ON "sales_case"("companyId", "clientId");

-- CreateIndex
CREATE INDEX "sales_case_companyId_resolvedAt_idx" ON "sales_case"("companyId", "resolvedAt");

-- CreateIndex
CREATE UNIQUE INDEX "sales_case_companyId_number_key" ON "sales_case"("companyId", "number");

-- CreateIndex
CREATE INDEX "case_comment_companyId_caseId_dateCreated_idx" ON "case_comment"("companyId", "caseId", "dateCreated");

-- CreateIndex
CREATE INDEX "case_move_companyId_caseId_dateCreated_idx" ON "case_move"("companyId", "caseId", "dateCreated");

-- CreateIndex
CREATE INDEX "target_companyId_startDate_id_idx" ON "target"("companyId", "startDate" DESC, "id");

-- CreateIndex
CREATE INDEX "target_companyId_tenantId_startDate_idx" ON "target"("companyId", "tenantId", "startDate");

-- CreateIndex
CREATE INDEX "target_companyId_ownerUserId_endDate_idx" ON "target"("companyId", "ownerUserId", "endDate");

-- CreateIndex
CREATE INDEX "target_companyId_ownerTeamId_endDate_idx" ON "target"("companyId", "ownerTeamId", "endDate");

-- CreateIndex
CREATE INDEX "target_companyId_parentId_idx" ON "target"("companyId", "parentId");

-- CreateIndex
CREATE UNIQUE INDEX "holiday_companyId_country_date_key" ON "holiday"("companyId", "country", "date");

-- CreateIndex
CREATE INDEX "team_companyId_tenantId_idx" ON "team"("companyId", "tenantId");

-- CreateIndex
CREATE INDEX "team_companyId_dateCreated_id_idx" ON "team"("companyId", "dateCreated" DESC, "id");

-- CreateIndex
CREATE INDEX "team_member_companyId_teamId_userId_idx" ON "team_member"("companyId", "teamId", "userId");

-- CreateIndex
CREATE INDEX "team_member_companyId_userId_fromDate_idx" ON "team_member"("companyId", "userId", "fromDate");

-- CreateIndex
CREATE INDEX "activity_assignment_companyId_statusDateCreated_idx" ON "activity_assignment"("companyId", "statusDateCreated");

-- CreateIndex
CREATE INDEX "lead_status_log_companyId_toStatus_dateCreated_idx" ON "lead_status_log"("companyId", "toStatus", "dateCreated");

-- CreateTable
CREATE TABLE "case_counter" (
    "companyId" UUID NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "case_counter_pkey" PRIMARY KEY ("companyId")
);

-- AddForeignKey
ALTER TABLE "pipeline_stage" ADD CONSTRAINT "pipeline_stage_companyId_pipelineId_fkey" FOREIGN KEY ("companyId", "pipelineId") REFERENCES "pipeline"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sales_case" ADD CONSTRAINT "sales_case_companyId_stageId_fkey" FOREIGN KEY ("companyId", "stageId") REFERENCES "pipeline_stage"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sales_case" ADD CONSTRAINT "sales_case_companyId_leadId_fkey" FOREIGN KEY ("companyId", "leadId") REFERENCES "lead"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "sales_case" ADD CONSTRAINT "sales_case_companyId_clientId_fkey" FOREIGN KEY ("companyId", "clientId") REFERENCES "client"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "case_comment" ADD CONSTRAINT "case_comment_companyId_caseId_fkey" FOREIGN KEY ("companyId", "caseId") REFERENCES "sales_case"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "case_move" ADD CONSTRAINT "case_move_companyId_caseId_fkey" FOREIGN KEY ("companyId", "caseId") REFERENCES "sales_case"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "target" ADD CONSTRAINT "target_companyId_parentId_fkey" FOREIGN KEY ("companyId", "parentId") REFERENCES "target"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "target_milestone" ADD CONSTRAINT "target_milestone_companyId_targetId_fkey" FOREIGN KEY ("companyId", "targetId") REFERENCES "target"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "team_member" ADD CONSTRAINT "team_member_companyId_teamId_fkey" FOREIGN KEY ("companyId", "teamId") REFERENCES "team"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

call ctx.protect('team', 'tenant');
call ctx.protect('team_member', 'tenant', 'select, insert, update');
call ctx.protect('target', 'tenant');
call ctx.protect('target_milestone', 'tenant', 'select, insert');
call ctx.protect('holiday', 'company');
call ctx.protect('working_week', 'company', 'select, insert, update');
call ctx.protect('pipeline', 'company');
call ctx.protect('pipeline_stage', 'company');
call ctx.protect('sales_case', 'tenant');
call ctx.protect('case_counter', 'company', 'select, insert, update');
call ctx.protect('case_comment', 'tenant', 'select, insert');
call ctx.protect('case_move', 'tenant', 'select, insert');

-- Nobody is twice in one team at the same time: an event would count twice.
alter table team_member add constraint team_member_once exclude using gist ("companyId" with =, "teamId" with =, "userId" with =, tstzrange("fromDate", "toDate") with &&);
alter table team_member add constraint team_member_order check ("toDate" is null or "toDate" >= "fromDate");
create unique index team_of_tenant on team ("companyId", "teamTenantId") where "teamTenantId" is not null and "deletedAt" is null;

alter table target add constraint target_one_owner check (
  ("ownerType" = 'user') = ("ownerUserId" is not null) and ("ownerType" = 'team') = ("ownerTeamId" is not null) and ("ownerType" = 'tenant') = ("ownerTenantId" is not null)
  and "ownerType" in ('user', 'team', 'tenant'));
alter table target add constraint target_period check ("endDate" >= "startDate");
alter table working_week add constraint working_week_days check ("days" <@ array[1, 2, 3, 4, 5, 6, 7] and cardinality("days") > 0);

-- One default for each kind of record and tenant.
create unique index pipeline_default on pipeline ("companyId", "entity", "tenantId") where "isDefault" and "deletedAt" is null;
alter table pipeline_stage add constraint pipeline_stage_type check ("type" in ('open', 'won', 'lost') and "probability" between 0 and 100);

create function ctx.team_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', new."name", new."description")); return new; end $$;
create trigger search_text before insert or update on team for each row execute function ctx.team_search_text();
create function ctx.sales_case_search_text() returns trigger language plpgsql set search_path = '' as $$
begin new."searchText" := upper(concat_ws(' ', 'C-' || new."number", new."title", new."description")); return new; end $$;
create trigger search_text before insert or update on sales_case for each row execute function ctx.sales_case_search_text();
