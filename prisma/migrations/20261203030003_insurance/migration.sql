-- Offers of insurers, and what was decided on them for loan applications.
create table "insurance_offer" (
  "companyId" uuid not null, "id" uuid not null, "number" integer not null,
  "insurer" text not null, "name" text not null, "coverType" text not null, "state" text not null default 'Draft', "stateReason" text,
  "premiumRule" text not null, "rate" numeric(18, 4), "minimum" numeric(18, 2), "levies" numeric(9, 4) not null default 0, "commission" numeric(9, 4) not null default 0,
  "hasDisability" boolean not null default false, "papers" text[] not null default '{}', "validFrom" date not null, "validUntil" date, "note" text,
  "createdByUserId" uuid, "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "insurance_offer_pkey" primary key ("companyId", "id"),
  constraint "insurance_offer_validity" check ("validUntil" is null or "validUntil" >= "validFrom"),
  constraint "insurance_offer_state" check ("state" in ('Draft', 'Active', 'Withdrawn'))
);
create unique index "insurance_offer_companyId_number_key" on "insurance_offer"("companyId", "number");
create index "insurance_offer_companyId_dateCreated_id_idx" on "insurance_offer"("companyId", "dateCreated" desc, "id");

create table "insurance_band" (
  "companyId" uuid not null, "id" uuid not null, "offerId" uuid not null, "position" integer not null,
  "ageTo" integer, "monthsTo" integer, "vehicleAgeTo" integer, "rate" numeric(9, 4) not null,
  constraint "insurance_band_pkey" primary key ("companyId", "id"),
  constraint "insurance_band_companyId_offerId_fkey" foreign key ("companyId", "offerId") references "insurance_offer"("companyId", "id") on delete cascade on update restrict
);
create index "insurance_band_companyId_offerId_position_idx" on "insurance_band"("companyId", "offerId", "position");

create table "insurance_choice" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "applicationId" uuid not null, "offerId" uuid,
  "kind" text not null, "status" text not null, "insurer" text not null, "name" text not null, "policyNumber" text, "expiresOn" date, "sumInsured" numeric(18, 2),
  "premium" numeric(18, 2), "reason" text, "createdByUserId" uuid not null, "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "insurance_choice_pkey" primary key ("companyId", "id"),
  constraint "insurance_choice_companyId_applicationId_fkey" foreign key ("companyId", "applicationId") references "loan_application"("companyId", "id") on delete restrict on update restrict,
  constraint "insurance_choice_companyId_offerId_fkey" foreign key ("companyId", "offerId") references "insurance_offer"("companyId", "id") on delete restrict on update restrict
);
-- An application has one insurance.
create unique index "insurance_choice_accepted_once" on "insurance_choice"("companyId", "applicationId") where "status" = 'Accepted';
create index "insurance_choice_companyId_applicationId_idx" on "insurance_choice"("companyId", "applicationId");
create index "insurance_choice_companyId_offerId_idx" on "insurance_choice"("companyId", "offerId");
create index "insurance_choice_companyId_dateCreated_id_idx" on "insurance_choice"("companyId", "dateCreated" desc, "id");

call ctx.protect('insurance_offer', 'company');
call ctx.protect('insurance_band', 'company');
call ctx.protect('insurance_choice', 'tenant', 'select, insert, update');

-- The insurance that was chosen, with the rule of its premium as it was accepted.
alter table "loan_application" add column "insurance" jsonb;
