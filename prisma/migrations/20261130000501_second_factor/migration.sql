-- The second factor of sign-in: a sealed secret for one-time codes, and recovery codes of which only a keyed hash is kept.
-- Both are asked for before a company is known, and nobody but fx_auth sees them.
create table "second_factor" (
  "companyId" uuid not null,
  "userId" uuid not null,
  "sealedSecret" bytea not null,
  "confirmedAt" timestamptz(3),
  "lastStep" bigint not null default 0,
  "failedCount" integer not null default 0,
  "nextTryAt" timestamptz(3),
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "second_factor_pkey" primary key ("companyId", "userId")
);
create unique index "second_factor_userId_key" on "second_factor"("userId");

create table "recovery_code" (
  "companyId" uuid not null,
  "id" uuid not null,
  "userId" uuid not null,
  "codeHash" bytea not null,
  "usedAt" timestamptz(3),
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "recovery_code_pkey" primary key ("companyId", "id")
);
create unique index "recovery_code_id_key" on "recovery_code"("id");
create index "recovery_code_companyId_userId_idx" on "recovery_code"("companyId", "userId");

call ctx.protect('second_factor', 'company', '');
call ctx.protect('recovery_code', 'company', '');
create policy auth_wall on second_factor to fx_auth using (true) with check (true);
grant select, insert, update, delete on second_factor to fx_auth;
create policy auth_wall on recovery_code to fx_auth using (true) with check (true);
grant select, insert, update, delete on recovery_code to fx_auth;

-- A role may ask its people for a second factor; who has none enrols at the next sign-in.
alter table "role" add column "asksSecondFactor" boolean not null default false;
