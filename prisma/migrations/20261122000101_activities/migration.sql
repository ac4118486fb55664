-- DropIndex
DROP INDEX "activity_assignment_companyId_userId_idx";

-- AlterTable
ALTER TABLE "activity" ADD COLUMN     "occurrenceDate" TIMESTAMPTZ(3),
ADD COLUMN     "seriesId" UUID,
ADD COLUMN     "statusReason" TEXT;

-- AlterTable
ALTER TABLE "activity_assignment" ADD COLUMN     "distance" INTEGER,
ADD COLUMN     "isOutOfRange" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "statusReason" TEXT;

-- AlterTable
ALTER TABLE "activity_status" ADD COLUMN     "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "activity_type" ADD COLUMN     "dateModified" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "default" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "duration" INTEGER NOT NULL DEFAULT 60,
ADD COLUMN     "geofenceRadius" INTEGER,
ADD COLUMN     "position" INTEGER NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "activity_client" (
    "companyId" UUID NOT NULL,
    "activityId" UUID NOT NULL,
    "clientId" UUID NOT NULL,
    "tenantId" UUID NOT NULL,

    CONSTRAINT "activity_client_pkey" PRIMARY KEY ("companyId","activityId","clientId")
);

-- CreateTable
CREATE TABLE "activity_entity" (
    "companyId" UUID NOT NULL,
    "activityId" UUID NOT NULL,
    "entityType" TEXT NOT NULL,
    "entityId" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_entity_pkey" PRIMARY KEY ("companyId","activityId","entityType","entityId")
);

-- CreateTable
CREATE TABLE "activity_file" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "activityId" UUID NOT NULL,
    "fileId" UUID NOT NULL,
    "addedByUserId" UUID NOT NULL,
    "removedByUserId" UUID,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "removedAt" TIMESTAMPTZ(3),

    CONSTRAINT "activity_file_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "activity_status_log" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "activityId" UUID NOT NULL,
    "userId" UUID,
    "fromStatusId" UUID,
    "toStatusId" UUID,
    "fromStatus" TEXT,
    "toStatus" TEXT NOT NULL,
    "meaning" TEXT NOT NULL,
    "reason" TEXT,
    "actorId" UUID NOT NULL,
    "realUserId" UUID NOT NULL,
    "durationSeconds" BIGINT NOT NULL,
    "latitude" DECIMAL(9,6),
    "longitude" DECIMAL(9,6),
    "distance" INTEGER,
    "isOutOfRange" BOOLEAN NOT NULL DEFAULT false,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_status_log_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "activity_series" (
    "companyId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "recurrence" TEXT NOT NULL,
    "startDate" TIMESTAMPTZ(3) NOT NULL,
    "minutes" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "activityTypeId" UUID,
    "location" TEXT,
    "lat" DECIMAL(9,6),
    "lng" DECIMAL(9,6),
    "agents" UUID[],
    "leads" UUID[],
    "clients" UUID[],
    "createdUserId" UUID NOT NULL,
    "createdBy" TEXT NOT NULL,
    "madeUntil" TIMESTAMPTZ(3),
    "endedAt" TIMESTAMPTZ(3),
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activity_series_pkey" PRIMARY KEY ("companyId","id")
);

-- CreateTable
CREATE TABLE "calendar_feed" (
    "companyId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "tokenHash" BYTEA NOT NULL,
    "nonce" BYTEA NOT NULL,
    "dateCreated" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastReadAt" TIMESTAMPTZ(3),

    CONSTRAINT "calendar_feed_pkey" PRIMARY KEY ("companyId","userId")
);

-- CreateIndex
CREATE INDEX "activity_client_companyId_clientId_idx" ON "activity_client"("companyId", "clientId");

-- CreateIndex
CREATE INDEX "activity_entity_companyId_entityType_entityId_idx" ON "activity_entity"("companyId", "entityType", "entityId");

-- CreateIndex
CREATE UNIQUE INDEX "activity_file_companyId_activityId_fileId_key" ON "activity_file"("companyId", "activityId", "fileId");

-- CreateIndex
CREATE INDEX "activity_status_log_companyId_activityId_dateCreated_idx" ON "activity_status_log"("companyId", "activityId", "dateCreated");

-- CreateIndex
CREATE INDEX "activity_status_log_companyId_userId_dateCreated_idx" ON "activity_status_log"("companyId", "userId", "dateCreated");

-- CreateIndex
CREATE INDEX "activity_series_companyId_madeUntil_idx" ON "activity_series"("companyId", "madeUntil");

-- CreateIndex
CREATE UNIQUE INDEX "calendar_feed_companyId_tokenHash_key" ON "calendar_feed"("companyId", "tokenHash");

-- CreateIndex
CREATE UNIQUE INDEX "activity_companyId_seriesId_occurrenceDate_key" ON "activity"("companyId", "seriesId", "occurrenceDate");

-- CreateIndex
CREATE INDEX "activity_assignment_companyId_userId_activityId_idx" ON "activity_assignment"("companyId", "userId", "activityId");

-- AddForeignKey
ALTER TABLE "activity" ADD CONSTRAINT "activity_companyId_statusId_fkey" FOREIGN KEY ("companyId", "statusId") REFERENCES "activity_status"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity" ADD CONSTRAINT "activity_companyId_seriesId_fkey" FOREIGN KEY ("companyId", "seriesId") REFERENCES "activity_series"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_assignment" ADD CONSTRAINT "activity_assignment_companyId_statusId_fkey" FOREIGN KEY ("companyId", "statusId") REFERENCES "activity_status"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_lead" ADD CONSTRAINT "activity_lead_companyId_leadId_fkey" FOREIGN KEY ("companyId", "leadId") REFERENCES "lead"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_client" ADD CONSTRAINT "activity_client_companyId_activityId_fkey" FOREIGN KEY ("companyId", "activityId") REFERENCES "activity"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_client" ADD CONSTRAINT "activity_client_companyId_clientId_fkey" FOREIGN KEY ("companyId", "clientId") REFERENCES "client"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_entity" ADD CONSTRAINT "activity_entity_companyId_activityId_fkey" FOREIGN KEY ("companyId", "activityId") REFERENCES "activity"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_file" ADD CONSTRAINT "activity_file_companyId_activityId_fkey" FOREIGN KEY ("companyId", "activityId") REFERENCES "activity"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_file" ADD CONSTRAINT "activity_file_companyId_fileId_fkey" FOREIGN KEY ("companyId", "fileId") REFERENCES "stored_file"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_status_log" ADD CONSTRAINT "activity_status_log_companyId_activityId_fkey" FOREIGN KEY ("companyId", "activityId") REFERENCES "activity"("companyId", "id") ON DELETE CASCADE ON UPDATE RESTRICT;

-- AddForeignKey
ALTER TABLE "activity_series" ADD CONSTRAINT "activity_series_companyId_activityTypeId_fkey" FOREIGN KEY ("companyId", "activityTypeId") REFERENCES "activity_type"("companyId", "id") ON DELETE RESTRICT ON UPDATE RESTRICT;

call ctx.protect('activity_client', 'tenant');
call ctx.protect('activity_entity', 'tenant');
call ctx.protect('activity_file', 'tenant', 'select, insert, update');
call ctx.protect('activity_status_log', 'tenant', 'select, insert');
call ctx.protect('activity_series', 'tenant');
call ctx.protect('calendar_feed', 'company');

alter table activity_status add constraint activity_status_meaning_known check ("meaning" in ('open', 'started', 'done', 'missed', 'cancelled'));
alter table activity_type add constraint activity_type_sizes check ("geofenceRadius" > 0 and "duration" > 0);
alter table activity add constraint activity_ends_after_start check ("endDate" >= "startDate");
-- A series looks for what it has made; the calendar of one agent asks for a window.
create index activity_live on activity ("companyId", "startDate" desc, "id") where "deletedAt" is null;

-- Each change of status leaves a row, as with leads: who, really who, how long the last status held, where it was done
-- and how far from the place. Triggers, because a status changes by a call, a bulk change and a device's log alike.
create function ctx.log_activity_status() returns trigger language plpgsql set search_path = '' as $$
declare
  is_agent boolean := tg_table_name = 'activity_assignment';
  activity uuid := case when is_agent then (to_jsonb(new) ->> 'activityId')::uuid else new."id" end;
  agent uuid := case when is_agent then (to_jsonb(new) ->> 'userId')::uuid end;
  since timestamptz := coalesce((select max(l."dateCreated") from public.activity_status_log l
    where l."companyId" = new."companyId" and l."activityId" = activity and l."userId" is not distinct from agent), new."dateCreated");
  place text[] := case when is_agent then pg_catalog.string_to_array(nullif(pg_catalog.current_setting('app.position', true), ''), ',') end;
  nobody uuid := '00000000-0000-0000-0000-000000000000';
begin
  insert into public.activity_status_log ("companyId", "id", "tenantId", "activityId", "userId", "fromStatusId", "toStatusId", "fromStatus", "toStatus", "meaning",
    "reason", "actorId", "realUserId", "durationSeconds", "latitude", "longitude", "distance", "isOutOfRange")
  select new."companyId", gen_random_uuid(), new."tenantId", activity, agent, old."statusId", new."statusId",
    (select s."name" from public.activity_status s where s."companyId" = new."companyId" and s."id" = old."statusId"),
    coalesce(s."name", to_jsonb(new) ->> 'status', '-'), coalesce(s."meaning", 'open'), new."statusReason",
    coalesce(ctx.actor(), nobody), coalesce(nullif(pg_catalog.current_setting('app.real_user', true), '')::uuid, ctx.actor(), nobody),
    greatest(0, extract(epoch from now() - since))::bigint, place[1]::numeric, place[2]::numeric,
    (to_jsonb(new) ->> 'distance')::int, coalesce((to_jsonb(new) ->> 'isOutOfRange')::boolean, false)
  from (select 1) one left join public.activity_status s on s."companyId" = new."companyId" and s."id" = new."statusId";
  return null;
end $$;
create trigger log_status after update of "statusId" on activity for each row
  when (old."statusId" is distinct from new."statusId") execute function ctx.log_activity_status();
create trigger log_status after update of "statusId" on activity_assignment for each row
  when (old."statusId" is distinct from new."statusId") execute function ctx.log_activity_status();
