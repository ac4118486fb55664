-- Where schedule, ledger, balances and statements of providers do not agree: one row a difference, kept when it is gone.
create table "money_difference" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "number" integer not null,
  "key" text not null, "kind" text not null, "what" text not null, "reference" text,
  "loanId" uuid, "paymentId" uuid, "disbursementId" uuid, "statementId" uuid, "lineId" uuid,
  "day" date, "stated" numeric(18, 2), "booked" numeric(18, 2), "dayBooked" date,
  "status" text not null default 'Open', "statusReason" text, "foundAt" timestamptz(3) not null default current_timestamp, "goneAt" timestamptz(3),
  "version" bigint not null default 1, "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "money_difference_pkey" primary key ("companyId", "id")
);
create unique index "money_difference_companyId_number_key" on "money_difference"("companyId", "number");
create unique index "money_difference_companyId_key_key" on "money_difference"("companyId", "key");
create index "money_difference_companyId_dateCreated_id_idx" on "money_difference"("companyId", "dateCreated" desc, "id");
create index "money_difference_companyId_tenantId_idx" on "money_difference"("companyId", "tenantId");
create index "money_difference_companyId_status_idx" on "money_difference"("companyId", "status");
create index "money_difference_companyId_loanId_idx" on "money_difference"("companyId", "loanId");
create index "money_difference_companyId_statementId_idx" on "money_difference"("companyId", "statementId");

call ctx.protect('money_difference', 'tenant', 'select, insert, update');
