-- Places of the company's own that people work with: offices, pay points, dealers, storage yards.
create table "location" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "name" text not null,
  "kind" text not null default 'Office',
  "address" text,
  "latitude" decimal(9, 6),
  "longitude" decimal(9, 6),
  "phone" text,
  "isActive" boolean not null default true,
  "note" text,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "location_pkey" primary key ("companyId", "id"),
  constraint "location_has_whole_place" check (("latitude" is null) = ("longitude" is null))
);
create index "location_companyId_dateCreated_id_idx" on "location"("companyId", "dateCreated" desc, "id");
create index "location_companyId_tenantId_idx" on "location"("companyId", "tenantId");
call ctx.protect('location', 'tenant');
