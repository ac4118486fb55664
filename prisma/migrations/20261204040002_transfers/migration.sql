-- Who gave a loan or a client to another branch or officer, when and why. Read at both ends, through the record it is about; the figures of a
-- past day go by it, also where the loan is out of sight by now. So it stands behind the wall of the company alone.
create table "record_transfer" (
  "companyId" uuid not null,
  "id" uuid not null,
  "objectType" text not null,
  "objectId" uuid not null,
  "label" text,
  "fromTenantId" uuid not null,
  "toTenantId" uuid not null,
  "fromUserId" uuid,
  "toUserId" uuid,
  "reason" text,
  "transferredByUserId" uuid not null,
  "realUserId" uuid not null,
  "transferredOn" date not null,
  "dateCreated" timestamptz(3) not null default clock_timestamp(),
  constraint "record_transfer_pkey" primary key ("companyId", "id"),
  constraint "record_transfer_moves" check ("fromTenantId" <> "toTenantId" or "fromUserId" is distinct from "toUserId")
);
create index "record_transfer_companyId_objectType_objectId_dateCreated_idx" on "record_transfer"("companyId", "objectType", "objectId", "dateCreated");
create index "record_transfer_companyId_objectType_transferredOn_idx" on "record_transfer"("companyId", "objectType", "transferredOn");
call ctx.protect('record_transfer', 'company', 'select, insert');

-- What was done about a late loan is read where the loan is.
grant update ("tenantId") on "loan_contact" to fx_app;

-- The past entries of a loan stay where they were booked. Whoever reaches the loan where it is now sees them, for balances are sums of all of them,
-- and takes them back there.
do $$
declare target text; wall text := '(select ctx.has_whole_company()) or "tenantId" = any((select ctx.scope_list())::uuid[]) or "loanId" in (
  select rt."objectId" from public.record_transfer rt join public.loan l on l."companyId" = rt."companyId" and l."id" = rt."objectId" where rt."objectType" = ''loan'')';
begin
  foreach target in array array['ledger_entry', 'ledger_line'] loop
    execute format('alter policy scope_wall on %I using (%s) with check (%s)', target, wall, wall);
  end loop;
end $$;
