-- CreateTable
CREATE TABLE "activity_plan" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "startDate" DATE NOT NULL,
    "endDate" DATE NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'PENDING',
    "notes" TEXT,
    "startLocation" TEXT,
    "startLat" DECIMAL(9,6),
    "startLng" DECIMAL(9,6),
    "returnsToStart" BOOLEAN NOT NULL DEFAULT false,
    "speed" DECIMAL(5,1) NOT NULL DEFAULT 30,
    "roadFactor" DECIMAL(4,2) NOT NULL DEFAULT 1.3,
    "dayStart" SMALLINT NOT NULL DEFAULT 480,
    "dayEnd" SMALLINT NOT NULL DEFAULT 1020,
    "longestDay" DECIMAL(4,1) NOT NULL DEFAULT 9,
    "createdUserId" UUID NOT NULL,
    "createdBy" TEXT NOT NULL,
    "version" BIGINT NOT NULL DEFAULT 1,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "activity_plan_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "activity_plan_agent" (
    "companyId" UUID NOT NULL,
    "planId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tenantId" UUID NOT NULL,

    CONSTRAINT "activity_plan_agent_pkey" PRIMARY KEY ("companyId","planId","userId")
);

-- CreateTable
CREATE TABLE "activity_plan_activity" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "planId" UUID NOT NULL,
    "activityId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "position" SMALLINT NOT NULL,
    "lock" TEXT,
    "keepsTime" BOOLEAN NOT NULL DEFAULT false,
    "plannedArrival" TIMESTAMPTZ(3),
    "plannedDeparture" TIMESTAMPTZ(3),
    "metres" INTEGER NOT NULL DEFAULT 0,
    "isLive" BOOLEAN NOT NULL DEFAULT true,
    "isActivityDeleted" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "activity_plan_activity_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateIndex
CREATE INDEX "activity_plan_companyId_endDate_startDate_idx" ON "activity_plan"("companyId", "endDate", "startDate");

-- CreateIndex
CREATE INDEX "activity_plan_companyId_tenantId_startDate_idx" ON "activity_plan"("companyId", "tenantId", "startDate");

-- CreateIndex
CREATE INDEX "activity_plan_agent_companyId_userId_idx" ON "activity_plan_agent"("companyId", "userId");

-- CreateIndex
CREATE INDEX "activity_plan_activity_companyId_planId_day_userId_position_idx" ON "activity_plan_activity"("companyId", "planId", "day", "userId", "position");

-- CreateIndex
CREATE INDEX "activity_plan_activity_companyId_userId_day_idx" ON "activity_plan_activity"("companyId", "userId", "day");

-- AddForeignKey
ALTER TABLE "activity_plan_agent" ADD CONSTRAINT "activity_plan_agent_companyId_planId_fkey" FOREIGN KEY ("companyId", "planId") REFERENCES "activity_plan"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_plan_activity" ADD CONSTRAINT "activity_plan_activity_companyId_planId_fkey" FOREIGN KEY ("companyId", "planId") REFERENCES "activity_plan"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_plan_activity" ADD CONSTRAINT "activity_plan_activity_companyId_activityId_fkey" FOREIGN KEY ("companyId", "activityId") REFERENCES "activity"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- A plan is seen within reach and by its own agents, for a manager above files it. Its parts have the company's wall only:
-- an activity planned anywhere is planned; what activities a reader sees is decided by their own walls.
call ctx.protect('activity_plan', 'company');
create policy scope_wall on activity_plan as restrictive to fx_app, fx_report
  using ((select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[])
    or exists (select from activity_plan_agent a where a."companyId" = activity_plan."companyId" and a."planId" = activity_plan."id" and a."userId" = (select ctx.actor())))
  with check ((select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[])
    or exists (select from activity_plan_agent a where a."companyId" = activity_plan."companyId" and a."planId" = activity_plan."id" and a."userId" = (select ctx.actor())));
call ctx.protect('activity_plan_agent', 'company');
call ctx.protect('activity_plan_activity', 'company');
alter table activity_plan add constraint activity_plan_window check ("endDate" >= "startDate" and "dayEnd" > "dayStart");
-- An activity stands in at most one live plan of an agent.
create unique index activity_plan_once on activity_plan_activity ("companyId", "activityId", "userId") where "isLive";
