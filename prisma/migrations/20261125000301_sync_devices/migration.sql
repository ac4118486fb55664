-- A device whose store is another one than before has lost what it had announced.
alter table sync_device
  add column "lostCount" integer not null default 0,
  add column "storeId" uuid,
  add column "reportedAt" timestamptz(3);
