-- Payouts that left once more than they were asked for: each waits until it is back or given up.
create table "stray_payout" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "number" integer not null,
  "disbursementId" uuid not null, "loanId" uuid not null, "channel" text not null, "provider" text, "reference" text not null, "amount" numeric(18, 2) not null, "leftOn" date not null,
  "status" text not null default 'Open', "statusReason" text, "returnedOn" date, "returnReference" text,
  "version" bigint not null default 1, "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "stray_payout_pkey" primary key ("companyId", "id"),
  constraint "stray_payout_companyId_disbursementId_fkey" foreign key ("companyId", "disbursementId") references "disbursement"("companyId", "id") on delete restrict on update restrict,
  constraint "stray_payout_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict
);
create unique index "stray_payout_companyId_number_key" on "stray_payout"("companyId", "number");
create index "stray_payout_companyId_dateCreated_id_idx" on "stray_payout"("companyId", "dateCreated" desc, "id");
create index "stray_payout_companyId_tenantId_idx" on "stray_payout"("companyId", "tenantId");
create index "stray_payout_companyId_status_idx" on "stray_payout"("companyId", "status");
create index "stray_payout_companyId_loanId_idx" on "stray_payout"("companyId", "loanId");
create index "stray_payout_companyId_disbursementId_idx" on "stray_payout"("companyId", "disbursementId");

-- Those that were booked before there was a list of them.
insert into "stray_payout" ("companyId", "id", "tenantId", "number", "disbursementId", "loanId", "channel", "reference", "amount", "leftOn")
select e."companyId", uuidv7(), e."tenantId", row_number() over (partition by e."companyId" order by e."bookedOn", e."id"), d."id", d."loanId", d."channel", substring(e."key" from '^stray-payout:[^:]+:(.*)$'),
  (select sum(l."debit") from "ledger_line" l where l."companyId" = e."companyId" and l."entryId" = e."id"), e."valueOn"
from "ledger_entry" e join "disbursement" d on d."companyId" = e."companyId" and d."id"::text = split_part(e."key", ':', 2)
where e."kind" = 'strayPayout';
insert into "record_counter" ("companyId", "objectType", "last") select "companyId", 'strayPayout', max("number") from "stray_payout" group by 1;

call ctx.protect('stray_payout', 'tenant', 'select, insert, update');
