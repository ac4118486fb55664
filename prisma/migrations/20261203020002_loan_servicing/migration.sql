-- Changes of a running loan: other terms for what is left, a payment holiday; asked for by one person, approved by another.
create table "loan_change" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "loanId" uuid not null,
  "clientId" uuid not null,
  "kind" text not null default 'restructure',
  "status" text not null default 'Requested',
  "statusReason" text,
  "reason" text not null,
  "instalments" integer,
  "annualRate" numeric(9, 4),
  "firstDueAt" date,
  "graceOnPrincipal" integer,
  "skip" integer,
  "instalmentBefore" numeric(18, 2) not null default 0,
  "instalmentAfter" numeric(18, 2) not null default 0,
  "totalBefore" numeric(18, 2) not null default 0,
  "totalAfter" numeric(18, 2) not null default 0,
  "lastBefore" date,
  "lastAfter" date,
  "carriedOutOn" date,
  "createdByUserId" uuid not null,
  "createdBy" text not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "loan_change_pkey" primary key ("companyId", "id"),
  constraint "loan_change_kind" check ("kind" in ('restructure', 'holiday')),
  constraint "loan_change_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict,
  constraint "loan_change_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict
);
create unique index "loan_change_companyId_number_key" on "loan_change"("companyId", "number");
create index "loan_change_companyId_dateCreated_id_idx" on "loan_change"("companyId", "dateCreated" desc, "id");
create index "loan_change_companyId_tenantId_idx" on "loan_change"("companyId", "tenantId");
create index "loan_change_companyId_loanId_idx" on "loan_change"("companyId", "loanId");
-- One waits for its decision at a time: two would be made of the same schedule.
create unique index "loan_change_waiting" on "loan_change"("companyId", "loanId") where "status" = 'Requested' and "deletedAt" is null;

-- Schedules that were replaced, by what replaced them: a day of before gives the figures it gave then.
create table "loan_instalment_past" (
  "companyId" uuid not null,
  "loanId" uuid not null,
  "changeId" uuid not null,
  "number" integer not null,
  "dueOn" date not null,
  "principal" numeric(18, 2) not null,
  "interest" numeric(18, 2) not null,
  "fee" numeric(18, 2) not null,
  "insurance" numeric(18, 2) not null,
  "balance" numeric(18, 2) not null,
  "dueSoFar" numeric(18, 2) not null,
  "replacedOn" date not null,
  "replacedAt" timestamptz(3) not null default clock_timestamp(),
  constraint "loan_instalment_past_pkey" primary key ("companyId", "loanId", "changeId", "number"),
  constraint "loan_instalment_past_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict
);
create index "loan_instalment_past_companyId_replacedOn_idx" on "loan_instalment_past"("companyId", "replacedOn");

-- What settles a loan early, promised until a day.
create table "settlement_quote" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "loanId" uuid not null,
  "clientId" uuid not null,
  "quotedOn" date not null,
  "validUntil" date not null,
  "principal" numeric(18, 2) not null,
  "interest" numeric(18, 2) not null,
  "fees" numeric(18, 2) not null,
  "penalties" numeric(18, 2) not null,
  "total" numeric(18, 2) not null,
  "saved" numeric(18, 2) not null,
  "status" text not null default 'Open',
  "paymentId" uuid,
  "pastId" uuid,
  "createdByUserId" uuid not null,
  "createdBy" text not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "settlement_quote_pkey" primary key ("companyId", "id"),
  constraint "settlement_quote_valid" check ("validUntil" >= "quotedOn"),
  constraint "settlement_quote_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict,
  constraint "settlement_quote_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict,
  constraint "settlement_quote_companyId_paymentId_fkey" foreign key ("companyId", "paymentId") references "payment"("companyId", "id") on delete restrict on update restrict
);
create unique index "settlement_quote_companyId_number_key" on "settlement_quote"("companyId", "number");
create index "settlement_quote_companyId_dateCreated_id_idx" on "settlement_quote"("companyId", "dateCreated" desc, "id");
create index "settlement_quote_companyId_tenantId_idx" on "settlement_quote"("companyId", "tenantId");
create index "settlement_quote_companyId_loanId_idx" on "settlement_quote"("companyId", "loanId");
create index "settlement_quote_companyId_paymentId_idx" on "settlement_quote"("companyId", "paymentId");

-- A payout, or the refund of what was overpaid, by the same door. A loan is paid out once, and refunded as often as it is overpaid.
alter table "disbursement" add column "kind" text not null default 'payout';
alter table "disbursement" add constraint "disbursement_kind" check ("kind" in ('payout', 'refund'));
drop index "disbursement_companyId_loanId_once";
create unique index "disbursement_companyId_loanId_once" on "disbursement"("companyId", "loanId") where "kind" = 'payout' and "status" <> 'Rejected' and "deletedAt" is null;
create index "disbursement_companyId_loanId_idx" on "disbursement"("companyId", "loanId");

-- A top-up: the loan that this one pays off when it is paid out.
alter table "loan" add column "settlesLoanId" uuid;
alter table "loan" add constraint "loan_companyId_settlesLoanId_fkey" foreign key ("companyId", "settlesLoanId") references "loan"("companyId", "id") on delete restrict on update restrict;
create index "loan_companyId_settlesLoanId_idx" on "loan"("companyId", "settlesLoanId");

grant delete on "loan_instalment" to fx_app;
call ctx.protect('loan_change', 'tenant', 'select, insert, update');
call ctx.protect('loan_instalment_past', 'company', 'select, insert, delete');
call ctx.protect('settlement_quote', 'tenant', 'select, insert, update');
