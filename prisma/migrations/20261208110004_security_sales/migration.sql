-- The sale of what secured a loan, such as a repossessed vehicle: entered by one person, booked by another, reversed by contra entries.
create table "security_sale" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "loanId" uuid not null,
  "clientId" uuid not null,
  "assetId" uuid,
  "description" text not null,
  "soldOn" date not null,
  "valuation" decimal(18, 2),
  "price" decimal(18, 2) not null,
  "costs" decimal(18, 2) not null default 0,
  "channel" text not null default 'bank',
  "buyer" text,
  "reference" text,
  "note" text,
  "status" text not null default 'Requested',
  "statusReason" text,
  "owedBefore" decimal(18, 2),
  "shortfall" decimal(18, 2),
  "paymentId" uuid,
  "createdByUserId" uuid not null,
  "createdBy" text not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "security_sale_pkey" primary key ("companyId", "id"),
  constraint "security_sale_status" check ("status" in ('Requested', 'Booked', 'Rejected', 'Reversed')),
  constraint "security_sale_amounts" check ("price" > 0 and "costs" >= 0 and "costs" <= "price"),
  constraint "security_sale_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict,
  constraint "security_sale_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict,
  constraint "security_sale_companyId_assetId_fkey" foreign key ("companyId", "assetId") references "asset"("companyId", "id") on delete restrict on update restrict,
  constraint "security_sale_companyId_paymentId_fkey" foreign key ("companyId", "paymentId") references "payment"("companyId", "id") on delete restrict on update restrict
);
create unique index "security_sale_companyId_number_key" on "security_sale"("companyId", "number");
create index "security_sale_companyId_dateCreated_id_idx" on "security_sale"("companyId", "dateCreated" desc, "id");
create index "security_sale_companyId_tenantId_idx" on "security_sale"("companyId", "tenantId");
create index "security_sale_companyId_loanId_idx" on "security_sale"("companyId", "loanId");
create index "security_sale_companyId_assetId_idx" on "security_sale"("companyId", "assetId");
create index "security_sale_companyId_paymentId_idx" on "security_sale"("companyId", "paymentId");

call ctx.protect('security_sale', 'tenant');
