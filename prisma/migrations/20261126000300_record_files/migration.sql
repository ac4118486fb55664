-- Files that a record of any kind keeps. A removed one stays as a row for the history, its bytes go.
create table "record_file" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "objectType" text not null,
  "objectId" uuid not null,
  "storageKey" text not null,
  "name" text not null,
  "mimeType" text not null,
  "size" integer not null,
  "sha256" bytea not null,
  "userId" uuid not null,
  "realUserId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "removedAt" timestamptz(3),
  "removedByUserId" uuid,
  "removedByRealUserId" uuid,
  constraint "record_file_pkey" primary key ("companyId", "id")
);
create index "record_file_companyId_objectType_objectId_dateCreated_idx" on "record_file"("companyId", "objectType", "objectId", "dateCreated");

call ctx.protect('record_file', 'tenant', 'select, insert, update ("tenantId", "objectId", "removedAt", "removedByUserId", "removedByRealUserId")');
