-- Collections: which step a late loan is due for, by product, and what was done about it.
create table "dunning_step" (
  "companyId" uuid not null,
  "id" uuid not null,
  "productId" uuid,
  "fromDay" integer not null,
  "action" text not null,
  "instruction" text,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "dunning_step_pkey" primary key ("companyId", "id"),
  constraint "dunning_step_day" check ("fromDay" between 1 and 3650),
  constraint "dunning_step_companyId_productId_fkey" foreign key ("companyId", "productId") references "product"("companyId", "id") on delete restrict on update restrict
);
create index "dunning_step_companyId_dateCreated_id_idx" on "dunning_step"("companyId", "dateCreated" desc, "id");
create index "dunning_step_companyId_productId_idx" on "dunning_step"("companyId", "productId");
-- One step a day: which of two would be next nobody could say.
create unique index "dunning_step_once" on "dunning_step"("companyId", coalesce("productId", '00000000-0000-0000-0000-000000000000'), "fromDay") where "deletedAt" is null;

create table "loan_contact" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "loanId" uuid not null,
  "clientId" uuid not null,
  "action" text not null,
  "outcome" text not null,
  "note" text,
  "daysPastDue" integer not null,
  "createdByUserId" uuid not null,
  "createdBy" text not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "loan_contact_pkey" primary key ("companyId", "id"),
  constraint "loan_contact_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict,
  constraint "loan_contact_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict
);
create index "loan_contact_companyId_dateCreated_id_idx" on "loan_contact"("companyId", "dateCreated" desc, "id");
create index "loan_contact_companyId_tenantId_idx" on "loan_contact"("companyId", "tenantId");
create index "loan_contact_companyId_loanId_dateCreated_idx" on "loan_contact"("companyId", "loanId", "dateCreated" desc);

call ctx.protect('dunning_step', 'company', 'select, insert, update');
call ctx.protect('loan_contact', 'tenant', 'select, insert');

-- The step that a late loan is due for: the last one its days have reached, of its product where that has steps of its own. Null while a promise runs, and once it was done.
create function ctx.next_dunning_step(company uuid, loan uuid, "productVersion" uuid, since date, day date) returns uuid language sql stable set search_path = '' as $$
  select s."id" from (
    select d."id", d."action", d."fromDay" from public.dunning_step d
    where d."companyId" = company and d."deletedAt" is null and d."fromDay" <= day - since
      and d."productId" is not distinct from (
        select v."productId" from public.product_version v where v."companyId" = company and v."id" = "productVersion"
          and exists (select from public.dunning_step o where o."companyId" = company and o."productId" = v."productId" and o."deletedAt" is null))
    order by d."fromDay" desc limit 1) s
  where not exists (select from public.payment_promise p where p."companyId" = company and p."loanId" = loan and p."status" = 'Open' and p."deletedAt" is null and p."dueOn" >= day)
    and not exists (select from public.loan_contact c where c."companyId" = company and c."loanId" = loan and c."action" = s."action" and c."daysPastDue" >= s."fromDay" and c."dateCreated" >= since)
$$;
grant execute on function ctx.next_dunning_step(uuid, uuid, uuid, date, date) to fx_app, fx_report;
