-- Addresses of other systems that are told what happens to records, what each is told, and every try.
create table "webhook" (
  "companyId" uuid not null,
  "id" uuid not null,
  "name" text not null,
  "url" text not null,
  "events" text[] not null,
  "isActive" boolean not null default true,
  "stoppedReason" text,
  "failingSince" timestamptz(3),
  "newsAt" timestamptz(3),
  "ownerUserId" uuid not null,
  "worksInTenantId" uuid not null,
  "secret" text not null,
  "formerSecret" text,
  "formerUntil" timestamptz(3),
  "secretToldAt" timestamptz(3),
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "webhook_pkey" primary key ("companyId", "id")
);
create index "webhook_companyId_dateCreated_id_idx" on "webhook"("companyId", "dateCreated" desc, "id");

create table "webhook_delivery" (
  "companyId" uuid not null,
  "id" uuid not null,
  -- Order of what happened: the transactions that write a record wait for each other.
  "position" bigint generated always as identity,
  "webhookId" uuid not null,
  "event" text not null,
  "objectId" uuid not null,
  "tenantIds" uuid[] not null default '{}',
  "move" jsonb,
  "status" text not null default 'waiting',
  "attempts" integer not null default 0,
  "nextAt" timestamptz(3) not null default current_timestamp,
  "claimedBy" uuid,
  "claimedUntil" timestamptz(3),
  "statusCode" integer,
  "durationMs" integer,
  "lastError" text,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "doneAt" timestamptz(3),
  constraint "webhook_delivery_pkey" primary key ("companyId", "id"),
  constraint "webhook_delivery_status" check ("status" in ('waiting', 'sent', 'failed', 'skipped'))
);
create index "webhook_delivery_companyId_webhookId_position_idx" on "webhook_delivery"("companyId", "webhookId", "position" desc);
create index "webhook_delivery_companyId_webhookId_objectId_status_idx" on "webhook_delivery"("companyId", "webhookId", "objectId", "status");

create table "webhook_attempt" (
  "companyId" uuid not null,
  "id" uuid not null,
  "webhookId" uuid not null,
  "deliveryId" uuid not null,
  "at" timestamptz(3) not null default current_timestamp,
  "statusCode" integer,
  "durationMs" integer not null,
  "error" text,
  constraint "webhook_attempt_pkey" primary key ("companyId", "id")
);
create index "webhook_attempt_companyId_webhookId_at_idx" on "webhook_attempt"("companyId", "webhookId", "at" desc);
create index "webhook_attempt_companyId_deliveryId_idx" on "webhook_attempt"("companyId", "deliveryId");

call ctx.protect('webhook', 'company');
call ctx.protect('webhook_delivery', 'company');
call ctx.protect('webhook_attempt', 'company');
