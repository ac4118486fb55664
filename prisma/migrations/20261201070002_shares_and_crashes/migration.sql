-- Links that show people outside where an asset is, until they end. Only the hash of a link's secret is stored.
create table "asset_share" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "assetId" uuid not null,
  "label" text,
  "expireDate" timestamptz(3) not null,
  -- Active | Revoked
  "status" text not null default 'Active',
  -- Metres by which the place is coarsened; 0: the place itself.
  "blurMetres" integer not null default 0,
  "showsSpeed" boolean not null default true,
  "showsTrail" boolean not null default false,
  "tokenHash" bytea,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "asset_share_pkey" primary key ("companyId", "id"),
  constraint "asset_share_assetId_fkey" foreign key ("companyId", "assetId") references "asset"("companyId", "id") on update restrict on delete cascade,
  constraint "asset_share_status" check ("status" in ('Active', 'Revoked')),
  constraint "asset_share_blur" check ("blurMetres" between 0 and 20000)
);
create index "asset_share_companyId_dateCreated_id_idx" on "asset_share"("companyId", "dateCreated" desc, "id");
create index "asset_share_companyId_assetId_idx" on "asset_share"("companyId", "assetId");
create index "asset_share_companyId_tokenHash_idx" on "asset_share"("companyId", "tokenHash");
call ctx.protect('asset_share', 'tenant');
create policy asset_wall on "asset_share" as restrictive to fx_app, fx_report using ("assetId" not in (select ctx.hidden_assets())) with check ("assetId" not in (select ctx.hidden_assets()));

-- What people made of a crash that a device reported or its speed suggested.
create table geo.crash_review (
  "companyId" uuid not null,
  "deviceId" uuid not null,
  "time" timestamptz(3) not null,
  -- NEW | APPROVED | REJECTED
  "status" text not null,
  "note" text,
  "reviewedBy" uuid not null,
  "reviewedAt" timestamptz(3) not null default now(),
  primary key ("companyId", "deviceId", "time"),
  foreign key ("companyId", "deviceId") references geo.device ("companyId", "id") on update restrict on delete cascade,
  constraint crash_review_status check ("status" in ('NEW', 'APPROVED', 'REJECTED'))
);
call ctx.protect_geo('geo.crash_review', 'device', 'select, insert, update');
create policy asset_wall on geo.crash_review as restrictive to fx_geo using ("deviceId" not in (select ctx.hidden_devices())) with check (true);
