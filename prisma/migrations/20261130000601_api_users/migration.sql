-- API users: accounts of other systems, which call with keys. Only fx_auth sees a key's hash, for it is looked up before a company is known.
alter table app_user add column "isProgram" boolean not null default false;

create table "api_key" (
  "companyId" uuid not null,
  "id" uuid not null,
  "userId" uuid not null,
  "name" text not null,
  "prefix" text not null,
  "keyHash" bytea not null,
  "createdByUserId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "expiresAt" timestamptz(3) not null,
  "lastUsedAt" timestamptz(3),
  "lastUsedIp" text,
  "revokedAt" timestamptz(3),
  constraint "api_key_pkey" primary key ("companyId", "id")
);
create unique index "api_key_keyHash_key" on "api_key"("keyHash");
create index "api_key_companyId_userId_idx" on "api_key"("companyId", "userId");

call ctx.protect('api_key', 'company', 'select ("companyId", "id", "userId", "name", "prefix", "createdByUserId", "dateCreated", "expiresAt", "lastUsedAt", "lastUsedIp", "revokedAt"), insert, update ("expiresAt", "revokedAt")');
create policy auth_wall on api_key to fx_auth using (true) with check (true);
grant select ("companyId", "id", "userId", "keyHash", "expiresAt", "revokedAt"), update ("lastUsedAt", "lastUsedIp") on api_key to fx_auth;
