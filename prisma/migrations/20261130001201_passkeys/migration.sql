-- Passkeys (WebAuthn): the public key of a credential that a device of the user keeps behind a fingerprint, a face or a PIN.
-- They are looked up before a company is known, and nobody but fx_auth sees them.
create table "passkey" (
  "companyId" uuid not null,
  "id" uuid not null,
  "userId" uuid not null,
  "credentialId" text not null,
  "publicKey" bytea not null,
  "counter" bigint not null default 0,
  "rpId" text not null,
  "transports" text[] not null,
  "isBackedUp" boolean not null default false,
  "name" text not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "lastUsedAt" timestamptz(3),
  constraint "passkey_pkey" primary key ("companyId", "id")
);
create unique index "passkey_id_key" on "passkey"("id");
create unique index "passkey_credentialId_key" on "passkey"("credentialId");
create index "passkey_companyId_userId_idx" on "passkey"("companyId", "userId");

call ctx.protect('passkey', 'company', '');
create policy auth_wall on passkey to fx_auth using (true) with check (true);
grant select, insert, update, delete on passkey to fx_auth;
