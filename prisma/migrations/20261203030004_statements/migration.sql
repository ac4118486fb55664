-- Statements of banks and providers: read into a draft whose lines say what booking would do, booked once, and set against what was booked.
create table "money_statement" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "number" integer not null,
  "source" text not null, "note" text, "status" text not null default 'Draft', "statusReason" text,
  "firstOn" date not null, "lastOn" date not null, "createdByUserId" uuid not null,
  "version" bigint not null default 1, "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "money_statement_pkey" primary key ("companyId", "id"),
  constraint "money_statement_source" check ("source" in ('mpesa', 'bank'))
);
create unique index "money_statement_companyId_number_key" on "money_statement"("companyId", "number");
create index "money_statement_companyId_dateCreated_id_idx" on "money_statement"("companyId", "dateCreated" desc, "id");
create index "money_statement_companyId_tenantId_idx" on "money_statement"("companyId", "tenantId");

create table "money_statement_line" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "statementId" uuid not null, "position" integer not null,
  "bookedOn" date not null, "amount" numeric(18, 2) not null, "reference" text not null, "payer" text, "details" text,
  "verdict" text not null, "why" text, "loanId" uuid, "paymentId" uuid,
  constraint "money_statement_line_pkey" primary key ("companyId", "id"),
  constraint "money_statement_line_companyId_statementId_fkey" foreign key ("companyId", "statementId") references "money_statement"("companyId", "id") on delete cascade on update restrict
);
create index "money_statement_line_companyId_statementId_position_idx" on "money_statement_line"("companyId", "statementId", "position");

create table "statement_rule" (
  "companyId" uuid not null, "id" uuid not null, "position" integer not null, "column" text not null, "holds" text not null, "does" text not null,
  "createdByUserId" uuid, "version" bigint not null default 1, "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "statement_rule_pkey" primary key ("companyId", "id"),
  constraint "statement_rule_does" check ("does" in ('ignore', 'suspense') and "column" in ('reference', 'payer', 'details'))
);
create index "statement_rule_companyId_position_idx" on "statement_rule"("companyId", "position");

call ctx.protect('money_statement', 'tenant', 'select, insert, update');
call ctx.protect('money_statement_line', 'tenant', 'select, insert, update');
call ctx.protect('statement_rule', 'company');
