-- Logos of companies: the setting "logo" holds the id of the one that is shown. fx_auth reads all: the sign-in page has no session, and a
-- company inherits the logo of its group, which lies behind the company's wall. Ids are drawn: nobody guesses one.
create table "company_logo" (
  "companyId" uuid not null,
  "id" uuid not null default gen_random_uuid(),
  "hash" text not null,
  "mimeType" text not null,
  "bytes" bytea not null,
  "createdByUserId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "company_logo_pkey" primary key ("companyId", "id"),
  constraint "company_logo_type" check ("mimeType" in ('image/png', 'image/jpeg')),
  constraint "company_logo_size" check (octet_length("bytes") between 1 and 204800)
);
create unique index "company_logo_id_key" on "company_logo"("id");
create unique index "company_logo_companyId_hash_key" on "company_logo"("companyId", "hash");
call ctx.protect('company_logo', 'company', 'select, insert, delete');
create policy auth_wall on company_logo for select to fx_auth using (true);
grant select on company_logo to fx_auth;
