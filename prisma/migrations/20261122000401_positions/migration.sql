-- AlterTable
ALTER TABLE "agent_action" ADD COLUMN     "entityId" UUID,
ADD COLUMN     "entityType" TEXT,
ADD COLUMN     "isAutomatic" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "source" TEXT NOT NULL DEFAULT 'none';

-- CreateIndex
CREATE INDEX "agent_action_companyId_dateCreated_idx" ON "agent_action"("companyId", "dateCreated" DESC);

-- What is known of the actions there are: a place was taken then and there, or there was none.
update agent_action set "source" = 'live' where "latitude" is not null;

-- CreateTable
CREATE TABLE "user_position" (
    "companyId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "deviceTime" TIMESTAMPTZ(3) NOT NULL,
    "id" UUID NOT NULL,
    "tenantId" UUID NOT NULL,
    "serverTime" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "latitude" DECIMAL(9,6) NOT NULL,
    "longitude" DECIMAL(9,6) NOT NULL,
    "accuracy" REAL,
    "speed" REAL,
    "battery" SMALLINT,
    "source" TEXT NOT NULL DEFAULT 'live',
    "entityType" TEXT,
    "entityId" UUID,
    "flags" TEXT[],

    CONSTRAINT "user_position_pkey" PRIMARY KEY ("companyId","userId","deviceTime","id")
) PARTITION BY RANGE ("deviceTime");

-- A quarter a partition, five years ahead, and one for whatever a device's clock makes up. They live in a schema of
-- their own that no role but the owner may enter: rows are reached through the table, where the walls stand.
create schema parts;
do $$
declare quarter timestamptz := '2026-01-01 00:00:00+00';
begin
  while quarter < '2032-01-01 00:00:00+00' loop
    execute format('create table parts.%I partition of public.user_position for values from (%L) to (%L)',
      'user_position_' || to_char(quarter at time zone 'UTC', 'YYYY"q"Q'), quarter, quarter + interval '3 months');
    quarter := quarter + interval '3 months';
  end loop;
end $$;
create table parts.user_position_other partition of user_position default;
call ctx.protect('user_position', 'tenant', 'select, insert');
alter table user_position add constraint user_position_place check ("latitude" between -90 and 90 and "longitude" between -180 and 180);
alter table user_position add constraint user_position_source check ("source" in ('live', 'cached', 'cached_old'));
alter table agent_action add constraint agent_action_source check ("source" in ('live', 'cached', 'cached_old', 'none'));
