-- The person behind a client: contacts, papers, addresses, next of kin, employment, and what secures USSD.
alter table "client"
  add column "contactNumber" text,
  add column "dateOfBirth" date,
  add column "jobTitle" text,
  add column "employedSince" date,
  add column "statusReason" text,
  add column "notes" text,
  add column "ussdPinHash" text,
  add column "ussdDevice" text,
  add column "ussdSecuredAt" timestamptz(3);
create index "client_companyId_emailAddress_idx" on "client"("companyId", "emailAddress");

create table "client_identifier" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "clientId" uuid not null, "position" integer not null,
  "kind" text not null, "number" text not null, "country" text,
  constraint "client_identifier_pkey" primary key ("companyId", "id"),
  constraint "client_identifier_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete cascade on update restrict
);
create index "client_identifier_companyId_clientId_idx" on "client_identifier"("companyId", "clientId");
create index "client_identifier_number" on "client_identifier"("companyId", upper("number"));

create table "client_contact" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "clientId" uuid not null, "position" integer not null,
  "kind" text not null, "value" text not null, "note" text,
  constraint "client_contact_pkey" primary key ("companyId", "id"),
  constraint "client_contact_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete cascade on update restrict
);
create index "client_contact_companyId_clientId_idx" on "client_contact"("companyId", "clientId");

create table "client_address" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "clientId" uuid not null, "position" integer not null,
  "kind" text not null, "lineone" text, "city" text, "state" text, "postcode" text, "country" text,
  constraint "client_address_pkey" primary key ("companyId", "id"),
  constraint "client_address_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete cascade on update restrict
);
create index "client_address_companyId_clientId_idx" on "client_address"("companyId", "clientId");

create table "client_kin" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "clientId" uuid not null, "position" integer not null,
  "name" text not null, "relationship" text not null, "phonenumber" text, "idNumber" text, "isGuarantor" boolean not null default false,
  constraint "client_kin_pkey" primary key ("companyId", "id"),
  constraint "client_kin_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete cascade on update restrict
);
create index "client_kin_companyId_clientId_idx" on "client_kin"("companyId", "clientId");

create table "client_document" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "clientId" uuid not null, "position" integer not null,
  "kind" text not null, "number" text, "issuedOn" date, "expiresOn" date,
  constraint "client_document_pkey" primary key ("companyId", "id"),
  constraint "client_document_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete cascade on update restrict
);
create index "client_document_companyId_clientId_idx" on "client_document"("companyId", "clientId");
create index "client_document_companyId_expiresOn_idx" on "client_document"("companyId", "expiresOn");

call ctx.protect('client_identifier', 'tenant');
call ctx.protect('client_contact', 'tenant');
call ctx.protect('client_address', 'tenant');
call ctx.protect('client_kin', 'tenant');
call ctx.protect('client_document', 'tenant');

-- One person is one client of the company, beyond the caller's reach too: ids only, and the tenant to tell what may be shown.
grant select ("tenantId", "deletedAt", "trimmedPhonenumber", "emailAddress", "idNumber") on client to fx_search;
create function search.client_duplicate(phones text[], emails text[], id_numbers text[]) returns table (id uuid, "tenantId" uuid, "column" text, value text)
language sql stable security definer set search_path = '' as $$
  select c.id, c."tenantId", 'trimmedPhonenumber', c."trimmedPhonenumber" from public.client c
    where c."companyId" = ctx.company() and c."trimmedPhonenumber" = any(phones) and c."deletedAt" is null
  union all
  select c.id, c."tenantId", 'emailAddress', c."emailAddress" from public.client c
    where c."companyId" = ctx.company() and c."emailAddress" = any(emails) and c."deletedAt" is null
  union all
  select c.id, c."tenantId", 'idNumber', c."idNumber" from public.client c
    where c."companyId" = ctx.company() and c."idNumber" = any(id_numbers) and c."deletedAt" is null
$$;
revoke all on function search.client_duplicate(text[], text[], text[]) from public;
grant execute on function search.client_duplicate(text[], text[], text[]) to fx_app;
alter function search.client_duplicate(text[], text[], text[]) owner to fx_search;
