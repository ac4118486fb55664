-- What each loan owed at the end of a month, taken from the ledger, so that a report of any day begins at the last month before it. A day is announced
-- first and taken once all that was under way by then has ended: what is booked since sees the announcement, and marks the loan when it changes a day that is over.
create table "loan_snapshot_day" (
  "companyId" uuid not null,
  "day" date not null,
  "takenAt" timestamptz(3),
  constraint "loan_snapshot_day_pkey" primary key ("companyId", "day")
);
-- Loans that owed principal then: what was paid of their schedule, and its next two rows that this does not reach.
create table "loan_snapshot" (
  "companyId" uuid not null,
  "day" date not null,
  "loanId" uuid not null,
  "principal" numeric(18, 2) not null,
  "paid" numeric(18, 2) not null,
  "gone" boolean not null,
  "oldestOn" date,
  "oldestSum" numeric(18, 2),
  "nextOn" date,
  "nextSum" numeric(18, 2),
  constraint "loan_snapshot_pkey" primary key ("companyId", "day", "loanId")
);
-- Loans whose snapshots from a day on are not to be believed, until a job has taken them anew.
create table "loan_snapshot_stale" (
  "companyId" uuid not null,
  "loanId" uuid not null,
  "from" date not null,
  constraint "loan_snapshot_stale_pkey" primary key ("companyId", "loanId")
);
call ctx.protect('loan_snapshot_day', 'company', 'select, insert, update ("takenAt")');
call ctx.protect('loan_snapshot', 'company', 'select, insert, delete');
call ctx.protect('loan_snapshot_stale', 'company', 'select, insert, update ("from"), delete');

create function ctx.mark_booked_snapshots() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into public.loan_snapshot_stale as s ("companyId", "loanId", "from")
  select m."companyId", m."loanId", min(m."bookedOn") from made m
  where m."bookedOn" <= (select max(d."day") from public.loan_snapshot_day d where d."companyId" = m."companyId")
  group by 1, 2 order by 1, 2
  on conflict ("companyId", "loanId") do update set "from" = least(s."from", excluded."from");
  return null;
end $$;
create trigger mark_snapshots after insert on loan_transaction referencing new table as made for each statement execute function ctx.mark_booked_snapshots();

-- The days before a change read what it kept.
create function ctx.mark_replaced_snapshots() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into public.loan_snapshot_stale as s ("companyId", "loanId", "from")
  select distinct m."companyId", m."loanId", '-infinity'::date from made m
  where m."replacedOn" <= (select max(d."day") from public.loan_snapshot_day d where d."companyId" = m."companyId")
  order by 1, 2
  on conflict ("companyId", "loanId") do update set "from" = excluded."from";
  return null;
end $$;
create trigger mark_snapshots after insert on loan_instalment_past referencing new table as made for each statement execute function ctx.mark_replaced_snapshots();

-- The program never changes what was booked or agreed in place; whoever corrects data by hand does.
create function ctx.mark_corrected_snapshots() returns trigger language plpgsql set search_path = '' as $$
begin
  insert into public.loan_snapshot_stale ("companyId", "loanId", "from")
  select old."companyId", old."loanId", '-infinity'::date where exists (select from public.loan_snapshot_day d where d."companyId" = old."companyId")
  on conflict ("companyId", "loanId") do update set "from" = excluded."from";
  return null;
end $$;
create trigger mark_corrected after update or delete on loan_transaction for each row execute function ctx.mark_corrected_snapshots();
create trigger mark_corrected after update of "dueOn", "dueSoFar" on loan_instalment for each row execute function ctx.mark_corrected_snapshots();
