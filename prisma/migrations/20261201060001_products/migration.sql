-- What a company lends: categories, products, versions of their terms with fees, and which tenants offer them.
create table "product_category" (
  "companyId" uuid not null,
  "id" uuid not null,
  "parentId" uuid,
  "name" text not null,
  "description" text,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "product_category_pkey" primary key ("companyId", "id"),
  constraint "product_category_companyId_parentId_fkey" foreign key ("companyId", "parentId") references "product_category"("companyId", "id") on delete restrict on update restrict
);
create index "product_category_companyId_parentId_idx" on "product_category"("companyId", "parentId");
create unique index "product_category_name" on "product_category"("companyId", coalesce("parentId", '00000000-0000-0000-0000-000000000000'), upper("name")) where "deletedAt" is null;

create table "product" (
  "companyId" uuid not null,
  "id" uuid not null,
  "categoryId" uuid not null,
  "code" text not null,
  "name" text not null,
  "description" text,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "product_pkey" primary key ("companyId", "id"),
  constraint "product_companyId_categoryId_fkey" foreign key ("companyId", "categoryId") references "product_category"("companyId", "id") on delete restrict on update restrict
);
create index "product_companyId_dateCreated_id_idx" on "product"("companyId", "dateCreated" desc, "id");
create index "product_companyId_categoryId_idx" on "product"("companyId", "categoryId");
create unique index "product_code" on "product"("companyId", upper("code")) where "deletedAt" is null;

create table "product_version" (
  "companyId" uuid not null,
  "id" uuid not null,
  "productId" uuid not null,
  "number" integer not null,
  "state" text not null default 'Draft',
  "note" text,
  "creditType" text not null default 'unsecured',
  "method" text not null default 'declining',
  "annualRate" decimal(9, 4) not null,
  "dayCount" text not null default 'equalPeriods',
  "everyUnit" text not null default 'month',
  "everyCount" integer not null default 1,
  "minAmount" decimal(18, 2) not null,
  "maxAmount" decimal(18, 2) not null,
  "minInstalments" integer not null,
  "maxInstalments" integer not null,
  "brokenPeriod" text not null default 'ignore',
  "graceOnPrincipal" integer not null default 0,
  "graceOnInterest" integer not null default 0,
  "balloonPercent" decimal(9, 4),
  "dueOnHoliday" text not null default 'next',
  "allocation" text not null default 'penalty,fee,interest,principal',
  "penaltyKind" text not null default 'none',
  "penaltyAmount" decimal(18, 4),
  "penaltyPer" text not null default 'month',
  "penaltyGraceDays" integer not null default 0,
  "insuranceKind" text not null default 'none',
  "insuranceRate" decimal(9, 4),
  "calculator" text,
  "papers" text[] not null default '{}',
  "effectiveFrom" date not null,
  "effectiveUntil" date,
  "publishedAt" timestamptz(3),
  "publishedByUserId" uuid,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "product_version_pkey" primary key ("companyId", "id"),
  constraint "product_version_companyId_productId_fkey" foreign key ("companyId", "productId") references "product"("companyId", "id") on delete restrict on update restrict,
  constraint "product_version_ranges" check ("minAmount" > 0 and "maxAmount" >= "minAmount" and "minInstalments" between 1 and "maxInstalments" and "annualRate" >= 0
    and ("effectiveUntil" is null or "effectiveUntil" >= "effectiveFrom")),
  constraint "product_version_state" check ("state" in ('Draft', 'Published', 'Retired'))
);
create unique index "product_version_companyId_productId_number_key" on "product_version"("companyId", "productId", "number");

create table "product_fee" (
  "companyId" uuid not null,
  "id" uuid not null,
  "versionId" uuid not null,
  "position" integer not null,
  "name" text not null,
  "role" text not null default 'other',
  "kind" text not null default 'flat',
  "amount" decimal(18, 4) not null,
  "due" text not null default 'deducted',
  constraint "product_fee_pkey" primary key ("companyId", "id"),
  constraint "product_fee_companyId_versionId_fkey" foreign key ("companyId", "versionId") references "product_version"("companyId", "id") on delete cascade on update restrict
);
create index "product_fee_companyId_versionId_position_idx" on "product_fee"("companyId", "versionId", "position");

create table "product_offer" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "productId" uuid not null,
  "isOffered" boolean not null,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "product_offer_pkey" primary key ("companyId", "id"),
  constraint "product_offer_companyId_productId_fkey" foreign key ("companyId", "productId") references "product"("companyId", "id") on delete restrict on update restrict
);
create unique index "product_offer_companyId_tenantId_productId_key" on "product_offer"("companyId", "tenantId", "productId");
create index "product_offer_companyId_productId_idx" on "product_offer"("companyId", "productId");

call ctx.protect('product_category', 'company');
call ctx.protect('product', 'company');
call ctx.protect('product_version', 'company');
call ctx.protect('product_fee', 'company');
-- A branch reads what those above it decided.
call ctx.protect('product_offer', 'company');

-- The second wall of "a published version never changes": only its state, its end and what the program keeps beside may.
create function ctx.keep_published() returns trigger language plpgsql set search_path = '' as $$
declare open text[] := array['state', 'effectiveUntil', 'publishedAt', 'publishedByUserId', 'version', 'dateModified'];
begin
  if tg_op = 'DELETE' then
    raise exception 'a published version of a product is kept' using errcode = '23514';
  end if;
  if to_jsonb(old) - open <> to_jsonb(new) - open then
    raise exception 'a published version of a product never changes' using errcode = '23514';
  end if;
  return new;
end $$;
create trigger keep_published before update or delete on product_version for each row when (old."state" <> 'Draft') execute function ctx.keep_published();

-- Whether a tenant offers a product: the nearest row from the tenant upwards, else it does.
create function ctx.offers_product(company uuid, tenant_path uuid[], product uuid) returns boolean language sql stable set search_path = '' as $$
  select coalesce((select o."isOffered" from public.product_offer o where o."companyId" = company and o."productId" = product and o."tenantId" = any(tenant_path)
    order by array_position(tenant_path, o."tenantId") desc limit 1), true)
$$;
grant execute on function ctx.offers_product(uuid, uuid[], uuid) to fx_app, fx_report;
