-- Numbers that were counted and lie ready: who takes one locks that row alone, so that payments which come together do not wait for the counter.
create table "record_number" (
  "companyId" uuid not null,
  "objectType" text not null,
  "number" integer not null,
  constraint "record_number_pkey" primary key ("companyId", "objectType", "number")
);

call ctx.protect('record_number', 'company', 'select, insert, update, delete');
