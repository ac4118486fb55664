-- Loan accounts: what was agreed, what is due, what was paid, and how each payment was allocated.
create table "loan" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "clientId" uuid not null,
  "officerUserId" uuid,
  "productVersionId" uuid,
  "productName" text,
  "applicationId" uuid,
  "status" text not null default 'Approved',
  "statusReason" text,
  "terms" jsonb not null,
  "principal" numeric(18, 2) not null,
  "owedAtPayout" numeric(18, 2) not null,
  "paidOut" numeric(18, 2) not null,
  "instalment" numeric(18, 2) not null,
  "instalments" integer not null,
  "disbursedOn" date,
  "maturesOn" date,
  "closedOn" date,
  "writtenOffOn" date,
  "writtenOff" numeric(18, 2) not null default 0,
  "principalOwed" numeric(18, 2) not null default 0,
  "interestOwed" numeric(18, 2) not null default 0,
  "feesOwed" numeric(18, 2) not null default 0,
  "penaltiesOwed" numeric(18, 2) not null default 0,
  "overpaid" numeric(18, 2) not null default 0,
  -- The oldest instalment that is not paid, due or not: days past due are counted from it.
  "unpaidSince" date,
  -- What was booked as earned or due so far; the nightly run books the difference.
  "interestAccrued" numeric(18, 2) not null default 0,
  "feeAccrued" numeric(18, 2) not null default 0,
  "insuranceAccrued" numeric(18, 2) not null default 0,
  "accruedTo" date,
  "createdByUserId" uuid not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "loan_pkey" primary key ("companyId", "id"),
  constraint "loan_principal" check ("principal" > 0),
  constraint "loan_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict
);
create unique index "loan_companyId_number_key" on "loan"("companyId", "number");
create unique index "loan_companyId_applicationId_key" on "loan"("companyId", "applicationId");
create index "loan_companyId_dateCreated_id_idx" on "loan"("companyId", "dateCreated" desc, "id");
create index "loan_companyId_tenantId_dateCreated_idx" on "loan"("companyId", "tenantId", "dateCreated" desc);
create index "loan_companyId_clientId_idx" on "loan"("companyId", "clientId");
create index "loan_companyId_officerUserId_idx" on "loan"("companyId", "officerUserId");
create index "loan_companyId_status_unpaidSince_idx" on "loan"("companyId", "status", "unpaidSince");

create table "loan_instalment" (
  "companyId" uuid not null,
  "loanId" uuid not null,
  "number" integer not null,
  "dueOn" date not null,
  "principal" numeric(18, 2) not null,
  "interest" numeric(18, 2) not null,
  "fee" numeric(18, 2) not null,
  "insurance" numeric(18, 2) not null,
  "balance" numeric(18, 2) not null,
  -- All that is due up to and with this one: what a payment has to reach to settle it.
  "dueSoFar" numeric(18, 2) not null,
  "principalPaid" numeric(18, 2) not null default 0,
  "interestPaid" numeric(18, 2) not null default 0,
  "feePaid" numeric(18, 2) not null default 0,
  "insurancePaid" numeric(18, 2) not null default 0,
  "penalty" numeric(18, 2) not null default 0,
  "penaltyPaid" numeric(18, 2) not null default 0,
  "paidOn" date,
  constraint "loan_instalment_pkey" primary key ("companyId", "loanId", "number"),
  constraint "loan_instalment_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict
);
create index "loan_instalment_companyId_dueOn_idx" on "loan_instalment"("companyId", "dueOn");

-- What was done to a loan: changes of what the client owes. One row an entry of the ledger, only ever added.
create table "loan_transaction" (
  "companyId" uuid not null,
  "id" uuid not null,
  "loanId" uuid not null,
  "entryId" uuid not null,
  "kind" text not null,
  "bookedOn" date not null,
  "valueOn" date not null,
  "paymentId" uuid,
  "principal" numeric(18, 2) not null default 0,
  "interest" numeric(18, 2) not null default 0,
  "fee" numeric(18, 2) not null default 0,
  "insurance" numeric(18, 2) not null default 0,
  "penalty" numeric(18, 2) not null default 0,
  "overpaid" numeric(18, 2) not null default 0,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "loan_transaction_pkey" primary key ("companyId", "id"),
  constraint "loan_transaction_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict,
  constraint "loan_transaction_companyId_entryId_fkey" foreign key ("companyId", "entryId") references "ledger_entry"("companyId", "id") on delete restrict on update restrict
);
create index "loan_transaction_of_loan" on "loan_transaction"("companyId", "loanId", "bookedOn", "id") include ("kind", "principal", "interest", "fee", "insurance") where "loanId" is not null;
create index "loan_transaction_companyId_entryId_idx" on "loan_transaction"("companyId", "entryId");
create index "loan_transaction_companyId_bookedOn_idx" on "loan_transaction"("companyId", "bookedOn");

create table "loan_penalty" (
  "companyId" uuid not null,
  "id" uuid not null,
  "loanId" uuid not null,
  "number" integer not null,
  "period" integer not null,
  "chargedOn" date not null,
  "amount" numeric(18, 2) not null,
  "entryId" uuid not null,
  "cancelledAt" timestamptz(3),
  constraint "loan_penalty_pkey" primary key ("companyId", "id"),
  constraint "loan_penalty_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict
);
create unique index "loan_penalty_once" on "loan_penalty"("companyId", "loanId", "number", "period") where "cancelledAt" is null;

create table "disbursement" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "loanId" uuid not null,
  "clientId" uuid not null,
  "amount" numeric(18, 2) not null,
  "channel" text not null default 'mobileMoney',
  "payTo" text,
  "note" text,
  "status" text not null default 'Requested',
  "statusReason" text,
  "attempts" integer not null default 0,
  "providerReference" text,
  "sentAt" timestamptz(3),
  "confirmedAt" timestamptz(3),
  "paidOn" date,
  "createdByUserId" uuid not null,
  "createdBy" text not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "disbursement_pkey" primary key ("companyId", "id"),
  constraint "disbursement_amount" check ("amount" > 0),
  constraint "disbursement_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict,
  constraint "disbursement_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict
);
create unique index "disbursement_companyId_number_key" on "disbursement"("companyId", "number");
-- A loan is paid out once: what was rejected makes room for another one.
create unique index "disbursement_companyId_loanId_once" on "disbursement"("companyId", "loanId") where "status" <> 'Rejected' and "deletedAt" is null;
create index "disbursement_companyId_dateCreated_id_idx" on "disbursement"("companyId", "dateCreated" desc, "id");
create index "disbursement_companyId_tenantId_dateCreated_idx" on "disbursement"("companyId", "tenantId", "dateCreated" desc);
create index "disbursement_companyId_status_idx" on "disbursement"("companyId", "status");

create table "payment" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "clientId" uuid,
  "loanId" uuid,
  "amount" numeric(18, 2) not null,
  "method" text not null default 'cash',
  "kind" text not null default 'repayment',
  "provider" text not null default 'manual',
  "providerReference" text,
  "paidOn" date not null,
  "status" text not null default 'Posted',
  "statusReason" text,
  "payerName" text,
  "payerPhone" text,
  "billReference" text,
  "note" text,
  "viaSuspense" boolean not null default false,
  "createdByUserId" uuid not null,
  "createdBy" text not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "payment_pkey" primary key ("companyId", "id"),
  constraint "payment_amount" check ("amount" > 0),
  constraint "payment_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict,
  constraint "payment_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict
);
create unique index "payment_companyId_number_key" on "payment"("companyId", "number");
-- A provider's reference is money once; what was reversed may be captured again.
create unique index "payment_companyId_providerReference_once" on "payment"("companyId", "provider", upper("providerReference")) where "providerReference" is not null and "status" <> 'Reversed';
create index "payment_companyId_dateCreated_id_idx" on "payment"("companyId", "dateCreated" desc, "id");
create index "payment_companyId_tenantId_dateCreated_idx" on "payment"("companyId", "tenantId", "dateCreated" desc);
create index "payment_companyId_loanId_idx" on "payment"("companyId", "loanId");
create index "payment_companyId_clientId_idx" on "payment"("companyId", "clientId");
create index "payment_companyId_status_idx" on "payment"("companyId", "status");

create table "payment_allocation" (
  "companyId" uuid not null,
  "id" uuid not null,
  "paymentId" uuid not null,
  "loanId" uuid not null,
  -- Number of the instalment; 0 for what is no part of one.
  "number" integer not null,
  "part" text not null,
  "amount" numeric(18, 2) not null,
  "entryId" uuid not null,
  "supersededAt" timestamptz(3),
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "payment_allocation_pkey" primary key ("companyId", "id"),
  constraint "payment_allocation_companyId_paymentId_fkey" foreign key ("companyId", "paymentId") references "payment"("companyId", "id") on delete restrict on update restrict
);
create index "payment_allocation_companyId_paymentId_idx" on "payment_allocation"("companyId", "paymentId");
create index "payment_allocation_companyId_loanId_idx" on "payment_allocation"("companyId", "loanId");

create table "payment_promise" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "loanId" uuid not null,
  "clientId" uuid not null,
  "amount" numeric(18, 2) not null,
  "dueOn" date not null,
  "channel" text not null default 'Call',
  "note" text,
  "status" text not null default 'Open',
  "statusReason" text,
  "paid" numeric(18, 2) not null default 0,
  "decidedOn" date,
  "activityId" uuid,
  "createdByUserId" uuid not null,
  "createdBy" text not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "payment_promise_pkey" primary key ("companyId", "id"),
  constraint "payment_promise_amount" check ("amount" > 0),
  constraint "payment_promise_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict,
  constraint "payment_promise_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict
);
create unique index "payment_promise_companyId_number_key" on "payment_promise"("companyId", "number");
create index "payment_promise_companyId_dateCreated_id_idx" on "payment_promise"("companyId", "dateCreated" desc, "id");
create index "payment_promise_companyId_tenantId_idx" on "payment_promise"("companyId", "tenantId");
create index "payment_promise_companyId_loanId_idx" on "payment_promise"("companyId", "loanId");
create index "payment_promise_companyId_status_dueOn_idx" on "payment_promise"("companyId", "status", "dueOn");

call ctx.protect('loan', 'tenant', 'select, insert, update');
call ctx.protect('loan_instalment', 'company', 'select, insert, update');
call ctx.protect('loan_transaction', 'company', 'select, insert');
call ctx.protect('loan_penalty', 'company', 'select, insert, update ("cancelledAt")');
call ctx.protect('disbursement', 'tenant', 'select, insert, update');
call ctx.protect('payment', 'tenant', 'select, insert, update');
call ctx.protect('payment_allocation', 'company', 'select, insert, update ("supersededAt")');
call ctx.protect('payment_promise', 'tenant', 'select, insert, update');

-- HALF_EVEN, as amounts are rounded at posting: 2.345 is 2.34.
create function ctx.half_even(value numeric, decimals integer) returns numeric language sql immutable set search_path = '' as $$
  select case when abs(value * s.u - trunc(value * s.u)) = 0.5 and mod(trunc(value * s.u), 2) = 0 then round(trunc(value * s.u) / s.u, decimals) else round(value, decimals) end
  from (select power(10::numeric, decimals) as u) s $$;
