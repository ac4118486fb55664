-- What devices report, could not place and have sent is listed like any other records: each row has an id of its own.
alter table sync_device add column "id" uuid not null default gen_random_uuid();
create unique index "sync_device_companyId_id_key" on sync_device ("companyId", "id");
alter table sync_dead_letter add column "id" uuid not null default gen_random_uuid(), add column "note" text, add column "handledAt" timestamptz(3), add column "replayedAs" uuid;
create unique index "sync_dead_letter_companyId_id_key" on sync_dead_letter ("companyId", "id");
alter table sync_conflict add column "resolvedAt" timestamptz(3);
create index "sync_receipt_sent" on sync_receipt ("companyId", "userId", "receivedAt" desc) where "deviceId" is not null;
alter table sync_receipt add column "id" uuid not null generated always as ("changeId") stored;
