-- Photos and files that wait on a device, beside its changes, and those that were announced and can no longer be there.
alter table sync_device add column "pendingFiles" integer not null default 0, add column "lostFiles" integer not null default 0;
