-- Double entry: a chart of accounts a company, entries that balance, and no way to change one.
create table "ledger_account" (
  "companyId" uuid not null,
  "id" uuid not null,
  "code" text not null,
  "name" text not null,
  "kind" text not null,
  -- What the program books on it; empty for accounts of the company's own.
  "purpose" text,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "ledger_account_pkey" primary key ("companyId", "id"),
  constraint "ledger_account_kind" check ("kind" in ('asset', 'liability', 'equity', 'income', 'expense'))
);
create unique index "ledger_account_companyId_code_key" on "ledger_account"("companyId", "code");
create unique index "ledger_account_companyId_purpose_key" on "ledger_account"("companyId", "purpose");

create table "ledger_entry" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  -- The same thing is booked once.
  "key" text not null,
  "kind" text not null,
  -- The day it was booked on, which is never one of the past, and the day it is about.
  "bookedOn" date not null,
  "valueOn" date not null,
  "text" text not null,
  "loanId" uuid,
  "paymentId" uuid,
  "reversesId" uuid,
  "madeIn" bigint not null default (pg_current_xact_id()::text::bigint),
  "createdByUserId" uuid not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "ledger_entry_pkey" primary key ("companyId", "id"),
  constraint "ledger_entry_companyId_reversesId_fkey" foreign key ("companyId", "reversesId") references "ledger_entry"("companyId", "id") on delete restrict on update restrict
);
create unique index "ledger_entry_companyId_key_key" on "ledger_entry"("companyId", "key");
create unique index "ledger_entry_companyId_reversesId_key" on "ledger_entry"("companyId", "reversesId");
create index "ledger_entry_companyId_bookedOn_id_idx" on "ledger_entry"("companyId", "bookedOn" desc, "id");
create index "ledger_entry_companyId_loanId_idx" on "ledger_entry"("companyId", "loanId");
create index "ledger_entry_companyId_paymentId_idx" on "ledger_entry"("companyId", "paymentId");

create table "ledger_line" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "entryId" uuid not null,
  "accountId" uuid not null,
  "bookedOn" date not null,
  "loanId" uuid,
  "debit" numeric(18, 2) not null default 0,
  "credit" numeric(18, 2) not null default 0,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "ledger_line_pkey" primary key ("companyId", "id"),
  constraint "ledger_line_side" check ("debit" >= 0 and "credit" >= 0 and ("debit" = 0) <> ("credit" = 0)),
  constraint "ledger_line_companyId_entryId_fkey" foreign key ("companyId", "entryId") references "ledger_entry"("companyId", "id") on delete restrict on update restrict,
  constraint "ledger_line_companyId_accountId_fkey" foreign key ("companyId", "accountId") references "ledger_account"("companyId", "id") on delete restrict on update restrict
);
create index "ledger_line_companyId_entryId_idx" on "ledger_line"("companyId", "entryId");
create index "ledger_line_companyId_accountId_bookedOn_id_idx" on "ledger_line"("companyId", "accountId", "bookedOn" desc, "id");
create index "ledger_line_of_loan" on "ledger_line"("companyId", "loanId", "accountId") include ("debit", "credit") where "loanId" is not null;
create index "ledger_line_companyId_bookedOn_id_idx" on "ledger_line"("companyId", "bookedOn" desc, "id");

call ctx.protect('ledger_account', 'company', 'select, insert, update');
-- Entries and lines are only ever added: not even the program may change or remove one.
call ctx.protect('ledger_entry', 'tenant', 'select, insert');
call ctx.protect('ledger_line', 'tenant', 'select, insert');

-- An entry has at least two lines and balances when its transaction ends.
create function ctx.ledger_entry_balances() returns trigger language plpgsql set search_path = '' as $$
declare found record;
begin
  select count(*) as lines, coalesce(sum("debit") - sum("credit"), 0) as rest into found
  from public.ledger_line where "companyId" = new."companyId" and "entryId" = new."id";
  if found.lines < 2 or found.rest <> 0 then
    raise exception 'ledger entry % has % lines and is out by %', new."key", found.lines, found.rest using errcode = 'check_violation', constraint = 'ledger_entry_balances';
  end if;
  return null;
end $$;
create constraint trigger ledger_entry_balances after insert on "ledger_entry" deferrable initially deferred
  for each row execute function ctx.ledger_entry_balances();

-- Lines come with their entry, in its transaction, and those of one statement balance: nothing can be added to an entry later.
create function ctx.ledger_lines_balance() returns trigger language plpgsql set search_path = '' as $$
begin
  if exists (select from added group by "companyId", "entryId" having sum("debit") <> sum("credit")) then
    raise exception 'ledger lines do not balance' using errcode = 'check_violation', constraint = 'ledger_lines_balance';
  end if;
  if exists (
    select from (select distinct "companyId", "entryId", "tenantId", "bookedOn" from added) a left join public.ledger_entry e
      on e."companyId" = a."companyId" and e."id" = a."entryId" and e."tenantId" = a."tenantId" and e."bookedOn" = a."bookedOn"
        and e."madeIn" = pg_current_xact_id()::text::bigint where e."id" is null) then
    raise exception 'ledger lines are added with their entry' using errcode = 'check_violation', constraint = 'ledger_lines_balance';
  end if;
  return null;
end $$;
create trigger ledger_lines_balance after insert on "ledger_line" referencing new table as added
  for each statement execute function ctx.ledger_lines_balance();

-- The day it is in the company.
create function ctx.today() returns date language sql stable set search_path = '' as $$
  select (now() at time zone coalesce((select t."timeZone" from public.tenant t where t."companyId" = (select ctx.company()) and t."id" = (select ctx.company())), 'UTC'))::date $$;
