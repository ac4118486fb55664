-- What was sent to clients by mail or SMS, and what became of it. The outbox sends it.
create table "client_message" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "clientId" uuid,
  "paymentId" uuid,
  "complaintId" uuid,
  "kind" text not null,
  "channel" text not null,
  "subject" text not null,
  "text" text not null,
  "sentTo" text not null,
  "status" text not null default 'Waiting',
  "statusReason" text,
  "attempts" integer not null default 0,
  "sentAt" timestamptz(3),
  "createdByUserId" uuid not null,
  "createdBy" text not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "client_message_pkey" primary key ("companyId", "id"),
  constraint "client_message_channel" check ("channel" in ('mail', 'sms')),
  constraint "client_message_status" check ("status" in ('Waiting', 'Sent', 'Failed')),
  constraint "client_message_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict,
  constraint "client_message_companyId_paymentId_fkey" foreign key ("companyId", "paymentId") references "payment"("companyId", "id") on delete restrict on update restrict,
  constraint "client_message_companyId_complaintId_fkey" foreign key ("companyId", "complaintId") references "complaint"("companyId", "id") on delete restrict on update restrict
);
create index "client_message_companyId_dateCreated_id_idx" on "client_message"("companyId", "dateCreated" desc, "id");
create index "client_message_companyId_tenantId_dateCreated_idx" on "client_message"("companyId", "tenantId", "dateCreated" desc);
create index "client_message_companyId_clientId_idx" on "client_message"("companyId", "clientId");
create index "client_message_companyId_paymentId_idx" on "client_message"("companyId", "paymentId");
create index "client_message_companyId_complaintId_idx" on "client_message"("companyId", "complaintId");
call ctx.protect('client_message', 'tenant', 'select, insert, update');

-- How a client wants receipts; null: as the company does.
alter table "client" add column "receiptsBy" text;
-- The message by which a reply or letter went out.
alter table "complaint_message" add column "messageId" uuid;
