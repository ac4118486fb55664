-- Why a device holds unsent work, as far as it or the server can say: the last failure, and how many changes wait for a decision of its person.
alter table sync_device add column "lastError" text, add column "attentionCount" integer not null default 0;
