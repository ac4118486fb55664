-- Providers that call us: how each proves itself to a company, and what each has said, as it came.
create table "provider_connection" (
  "companyId" uuid not null,
  "id" uuid not null,
  "provider" text not null,
  "keyHash" bytea not null,
  "sealedSecret" bytea not null,
  "addresses" text[] not null,
  "userId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "revokedAt" timestamptz(3),
  constraint "provider_connection_pkey" primary key ("companyId", "id")
);
create unique index "provider_connection_companyId_keyHash_key" on "provider_connection"("companyId", "keyHash");

create table "provider_message" (
  "companyId" uuid not null,
  "id" uuid not null,
  "provider" text not null,
  "connectionId" uuid not null,
  "providerId" text not null,
  "body" bytea not null,
  "dateReceived" timestamptz(3) not null default current_timestamp,
  "doneAt" timestamptz(3),
  "answer" text,
  "lastError" text,
  constraint "provider_message_pkey" primary key ("companyId", "id"),
  constraint "provider_message_companyId_connectionId_fkey" foreign key ("companyId", "connectionId") references "provider_connection" ("companyId", "id") on delete restrict on update restrict
);
create unique index "provider_message_companyId_provider_providerId_key" on "provider_message"("companyId", "provider", "providerId");
create index "provider_message_companyId_connectionId_dateReceived_idx" on "provider_message"("companyId", "connectionId", "dateReceived");

call ctx.protect('provider_connection', 'company', 'select, insert, update ("revokedAt")');
call ctx.protect('provider_message', 'company', 'select, insert, update ("doneAt", "answer", "lastError")');
