-- What is done to vehicles again and again, by distance, engine hours or days, and each time that it was done.
create table "maintenance_plan" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "name" text not null,
  -- One of these: an asset, or all of a category.
  "assetId" uuid,
  "categoryId" uuid,
  "everyKm" integer,
  "everyHours" integer,
  "everyDays" integer,
  "responsibleUserId" uuid not null,
  "isActive" boolean not null default true,
  "note" text,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "maintenance_plan_pkey" primary key ("companyId", "id"),
  constraint "maintenance_plan_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant"("companyId", "id") on update restrict on delete restrict,
  constraint "maintenance_plan_assetId_fkey" foreign key ("companyId", "assetId") references "asset"("companyId", "id") on update restrict on delete cascade,
  constraint "maintenance_plan_categoryId_fkey" foreign key ("companyId", "categoryId") references "asset_category"("companyId", "id") on update restrict on delete restrict,
  constraint "maintenance_plan_whose" check (("assetId" is null) <> ("categoryId" is null)),
  constraint "maintenance_plan_interval" check (coalesce("everyKm", "everyHours", "everyDays") is not null)
);
create index "maintenance_plan_companyId_dateCreated_id_idx" on "maintenance_plan"("companyId", "dateCreated" desc, "id");
create index "maintenance_plan_companyId_tenantId_idx" on "maintenance_plan"("companyId", "tenantId");
create index "maintenance_plan_companyId_assetId_idx" on "maintenance_plan"("companyId", "assetId");
create index "maintenance_plan_companyId_categoryId_idx" on "maintenance_plan"("companyId", "categoryId");

create table "maintenance_entry" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "planId" uuid not null,
  "assetId" uuid not null,
  "doneOn" date not null,
  "odometer" numeric(10, 1),
  "engineHours" numeric(9, 1),
  "cost" numeric(19, 4),
  "workshop" text,
  "note" text,
  "createdByUserId" uuid not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "maintenance_entry_pkey" primary key ("companyId", "id"),
  constraint "maintenance_entry_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant"("companyId", "id") on update restrict on delete restrict,
  constraint "maintenance_entry_planId_fkey" foreign key ("companyId", "planId") references "maintenance_plan"("companyId", "id") on update restrict on delete cascade,
  constraint "maintenance_entry_assetId_fkey" foreign key ("companyId", "assetId") references "asset"("companyId", "id") on update restrict on delete cascade
);
create index "maintenance_entry_companyId_dateCreated_id_idx" on "maintenance_entry"("companyId", "dateCreated" desc, "id");
create index "maintenance_entry_companyId_tenantId_idx" on "maintenance_entry"("companyId", "tenantId");
create index "maintenance_entry_companyId_planId_assetId_doneOn_idx" on "maintenance_entry"("companyId", "planId", "assetId", "doneOn" desc);
create index "maintenance_entry_companyId_assetId_idx" on "maintenance_entry"("companyId", "assetId");

-- Each time that something falls due is told once: the cycle is how often it was done before.
create table "maintenance_reminder" (
  "companyId" uuid not null,
  "planId" uuid not null,
  "assetId" uuid not null,
  "cycle" integer not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "maintenance_reminder_pkey" primary key ("companyId", "planId", "assetId", "cycle"),
  constraint "maintenance_reminder_planId_fkey" foreign key ("companyId", "planId") references "maintenance_plan"("companyId", "id") on update restrict on delete cascade,
  constraint "maintenance_reminder_assetId_fkey" foreign key ("companyId", "assetId") references "asset"("companyId", "id") on update restrict on delete cascade
);
create index "maintenance_reminder_companyId_assetId_idx" on "maintenance_reminder"("companyId", "assetId");

call ctx.protect('maintenance_plan', 'tenant');
call ctx.protect('maintenance_entry', 'tenant');
call ctx.protect('maintenance_reminder', 'company', 'select, insert');
-- What is out of sight by the asset wall is so with its maintenance.
create policy asset_wall on "maintenance_plan" as restrictive to fx_app, fx_report using ("assetId" is null or "assetId" not in (select ctx.hidden_assets())) with check (true);
create policy asset_wall on "maintenance_entry" as restrictive to fx_app, fx_report using ("assetId" not in (select ctx.hidden_assets())) with check (true);
create policy asset_wall on "maintenance_reminder" as restrictive to fx_app, fx_report using ("assetId" not in (select ctx.hidden_assets())) with check (true);
-- The geo service measures from the moments at which people read the dashboard.
grant select ("odometerAt", "engineHoursAt") on "asset" to fx_geo;
