-- Headings that the reports of a company are grouped under. Roles and tenants say who sees one; without them everybody does.
create table "report_category" (
  "companyId" uuid not null,
  "id" uuid not null,
  "name" text not null,
  "parentCategoryId" uuid,
  "reports" text[] not null default array[]::text[],
  "version" bigint not null default 1,
  "syncSeq" bigint not null default 0,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "report_category_pkey" primary key ("companyId", "id"),
  constraint "report_category_companyId_parentCategoryId_fkey" foreign key ("companyId", "parentCategoryId") references "report_category"("companyId", "id") on delete restrict on update restrict
);
create index "report_category_companyId_dateCreated_id_idx" on "report_category"("companyId", "dateCreated" desc, "id");
create index "report_category_companyId_parentCategoryId_idx" on "report_category"("companyId", "parentCategoryId");

create table "report_category_role" (
  "companyId" uuid not null,
  "id" uuid not null,
  "reportCategoryId" uuid not null,
  "roleId" uuid not null,
  constraint "report_category_role_pkey" primary key ("companyId", "id"),
  constraint "report_category_role_companyId_reportCategoryId_fkey" foreign key ("companyId", "reportCategoryId") references "report_category"("companyId", "id") on delete cascade on update restrict,
  -- A role that goes would open the category to everybody.
  constraint "report_category_role_companyId_roleId_fkey" foreign key ("companyId", "roleId") references "role"("companyId", "id") on delete restrict on update restrict
);
create unique index "report_category_role_companyId_reportCategoryId_roleId_key" on "report_category_role"("companyId", "reportCategoryId", "roleId");
create index "report_category_role_companyId_roleId_idx" on "report_category_role"("companyId", "roleId");

create table "report_category_tenant" (
  "companyId" uuid not null,
  "id" uuid not null,
  "reportCategoryId" uuid not null,
  "tenantId" uuid not null,
  constraint "report_category_tenant_pkey" primary key ("companyId", "id"),
  constraint "report_category_tenant_companyId_reportCategoryId_fkey" foreign key ("companyId", "reportCategoryId") references "report_category"("companyId", "id") on delete cascade on update restrict,
  constraint "report_category_tenant_companyId_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant"("companyId", "id") on delete restrict on update restrict
);
create unique index "report_category_tenant_companyId_reportCategoryId_tenantId_key" on "report_category_tenant"("companyId", "reportCategoryId", "tenantId");
create index "report_category_tenant_companyId_tenantId_idx" on "report_category_tenant"("companyId", "tenantId");

call ctx.protect('report_category', 'company');
call ctx.protect('report_category_role', 'company', 'select, insert, delete');
call ctx.protect('report_category_tenant', 'company', 'select, insert, delete');
create trigger require_stream before insert or update or delete on report_category for each statement execute function ctx.require_stream();

-- A removed category comes back by nothing: it keeps neither role nor tenant from being removed.
create function ctx.report_category_gone() returns trigger language plpgsql set search_path = '' as $$
begin
  delete from public.report_category_role where "companyId" = new."companyId" and "reportCategoryId" = new."id";
  delete from public.report_category_tenant where "companyId" = new."companyId" and "reportCategoryId" = new."id";
  return null;
end $$;
create trigger report_category_gone after update of "deletedAt" on report_category for each row when (old."deletedAt" is null and new."deletedAt" is not null)
  execute function ctx.report_category_gone();
