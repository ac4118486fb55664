-- Loan applications with what belongs to them, and up to which amount a role decides.
create table "loan_application" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "leadId" uuid,
  "clientId" uuid,
  "productId" uuid not null,
  "productVersionId" uuid not null,
  "amount" decimal(18, 2) not null,
  "instalments" integer not null,
  "firstDueAt" date,
  "purpose" text,
  "affordabilityRunId" uuid,
  "status" text not null default 'Draft',
  "statusReason" text,
  "decisionNote" text,
  "ownerUserId" uuid,
  "instalment" decimal(18, 2) not null,
  "paidOut" decimal(18, 2) not null,
  "totalPaid" decimal(18, 2) not null,
  "totalCost" decimal(18, 2) not null,
  "aprEffective" decimal(18, 4),
  "aprNominal" decimal(18, 4),
  "quote" jsonb not null,
  "quotedAt" timestamptz(3) not null,
  "submittedAt" timestamptz(3),
  "decidedAt" timestamptz(3),
  "decidedByUserId" uuid,
  "expiresAt" timestamptz(3),
  "createdByUserId" uuid not null,
  "searchText" text not null default '',
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "loan_application_pkey" primary key ("companyId", "id"),
  constraint "loan_application_whose" check ("leadId" is not null or "clientId" is not null),
  constraint "loan_application_amount" check ("amount" > 0 and "instalments" > 0),
  constraint "loan_application_companyId_leadId_fkey" foreign key ("companyId", "leadId") references "lead"("companyId", "id") on delete restrict on update restrict,
  constraint "loan_application_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict,
  constraint "loan_application_companyId_productId_fkey" foreign key ("companyId", "productId") references "product"("companyId", "id") on delete restrict on update restrict,
  constraint "loan_application_companyId_productVersionId_fkey" foreign key ("companyId", "productVersionId") references "product_version"("companyId", "id") on delete restrict on update restrict,
  constraint "loan_application_companyId_affordabilityRunId_fkey" foreign key ("companyId", "affordabilityRunId") references "affordability_run"("companyId", "id") on delete restrict on update restrict
);
create unique index "loan_application_companyId_number_key" on "loan_application"("companyId", "number");
create index "loan_application_companyId_dateCreated_id_idx" on "loan_application"("companyId", "dateCreated" desc, "id");
create index "loan_application_companyId_tenantId_dateCreated_idx" on "loan_application"("companyId", "tenantId", "dateCreated" desc);
create index "loan_application_companyId_leadId_idx" on "loan_application"("companyId", "leadId");
create index "loan_application_companyId_clientId_idx" on "loan_application"("companyId", "clientId");
create index "loan_application_companyId_productVersionId_idx" on "loan_application"("companyId", "productVersionId");
create index "loan_application_companyId_submittedAt_idx" on "loan_application"("companyId", "submittedAt");
create index "loan_application_companyId_decidedAt_idx" on "loan_application"("companyId", "decidedAt");

create table "application_guarantor" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "applicationId" uuid not null,
  "position" integer not null,
  "name" text not null,
  "phonenumber" text,
  "idNumber" text,
  "relation" text,
  "amount" decimal(18, 2),
  constraint "application_guarantor_pkey" primary key ("companyId", "id"),
  constraint "application_guarantor_companyId_applicationId_fkey" foreign key ("companyId", "applicationId") references "loan_application"("companyId", "id") on delete cascade on update restrict
);
create index "application_guarantor_companyId_applicationId_position_idx" on "application_guarantor"("companyId", "applicationId", "position");

create table "application_collateral" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "applicationId" uuid not null,
  "position" integer not null,
  "kind" text not null,
  "description" text not null,
  "reference" text,
  "value" decimal(18, 2) not null,
  constraint "application_collateral_pkey" primary key ("companyId", "id"),
  constraint "application_collateral_companyId_applicationId_fkey" foreign key ("companyId", "applicationId") references "loan_application"("companyId", "id") on delete cascade on update restrict
);
create index "application_collateral_companyId_applicationId_position_idx" on "application_collateral"("companyId", "applicationId", "position");

create table "application_paper" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "applicationId" uuid not null,
  "position" integer not null,
  "name" text not null,
  "isReceived" boolean not null default false,
  "note" text,
  constraint "application_paper_pkey" primary key ("companyId", "id"),
  constraint "application_paper_companyId_applicationId_fkey" foreign key ("companyId", "applicationId") references "loan_application"("companyId", "id") on delete cascade on update restrict
);
create index "application_paper_companyId_applicationId_position_idx" on "application_paper"("companyId", "applicationId", "position");

create table "approval_limit" (
  "companyId" uuid not null,
  "id" uuid not null,
  "roleId" uuid not null,
  "amount" decimal(18, 2) not null,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "approval_limit_pkey" primary key ("companyId", "id"),
  constraint "approval_limit_companyId_roleId_fkey" foreign key ("companyId", "roleId") references "role"("companyId", "id") on delete restrict on update restrict
);
create index "approval_limit_companyId_roleId_idx" on "approval_limit"("companyId", "roleId");
create unique index "approval_limit_role" on "approval_limit"("companyId", "roleId") where "deletedAt" is null;

call ctx.protect('loan_application', 'tenant');
call ctx.protect('application_guarantor', 'tenant');
call ctx.protect('application_collateral', 'tenant');
call ctx.protect('application_paper', 'tenant');
call ctx.protect('approval_limit', 'company');

create function ctx.loan_application_search_text() returns trigger language plpgsql set search_path = '' as $$
begin
  new."searchText" := upper(concat_ws(' ', 'A-' || lpad(new."number"::text, greatest(5, length(new."number"::text)), '0'), new."purpose",
    (select concat_ws(' ', l."firstName", l."lastName", l."phonenumber") from public.lead l where l."companyId" = new."companyId" and l."id" = new."leadId"),
    (select concat_ws(' ', c."firstName", c."lastName", c."phonenumber") from public.client c where c."companyId" = new."companyId" and c."id" = new."clientId")));
  return new;
end $$;
create trigger search_text before insert or update on loan_application for each row execute function ctx.loan_application_search_text();
