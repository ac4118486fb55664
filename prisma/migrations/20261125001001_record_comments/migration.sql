-- Comments and numbers of records of any kind, beginning with those of cases.
create table "record_comment" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "objectType" text not null,
  "objectId" uuid not null,
  "userId" uuid not null,
  "realUserId" uuid not null,
  "text" text not null,
  "mentions" uuid[],
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "record_comment_pkey" primary key ("companyId", "id")
);
create index "record_comment_companyId_objectType_objectId_dateCreated_idx" on "record_comment"("companyId", "objectType", "objectId", "dateCreated");

create table "record_counter" (
  "companyId" uuid not null,
  "objectType" text not null,
  "last" integer not null,
  constraint "record_counter_pkey" primary key ("companyId", "objectType")
);

call ctx.protect('record_comment', 'tenant', 'select, insert, update ("tenantId")');
call ctx.protect('record_counter', 'company', 'select, insert, update');

insert into "record_comment" ("companyId", "id", "tenantId", "objectType", "objectId", "userId", "realUserId", "text", "mentions", "dateCreated")
  select "companyId", "id", "tenantId", 'case', "caseId", "userId", "userId", "text", '{}', "dateCreated" from "case_comment";
insert into "record_counter" ("companyId", "objectType", "last") select "companyId", 'case', "last" from "case_counter";

drop table "case_comment";
drop table "case_counter";
