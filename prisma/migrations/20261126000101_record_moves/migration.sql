-- Moves of records of any kind from state to state, beginning with those of cases.
create table "record_move" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "objectType" text not null,
  "objectId" uuid not null,
  "field" text not null,
  "move" text not null,
  "from" text,
  "to" text not null,
  "reason" text,
  "userId" uuid not null,
  "realUserId" uuid not null,
  "durationSeconds" bigint,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "record_move_pkey" primary key ("companyId", "id")
);
create index "record_move_companyId_objectType_objectId_dateCreated_idx" on "record_move"("companyId", "objectType", "objectId", "dateCreated");

insert into "record_move" ("companyId", "id", "tenantId", "objectType", "objectId", "field", "move", "from", "to", "userId", "realUserId", "durationSeconds", "dateCreated")
  select "companyId", "id", "tenantId", 'case', "caseId", 'stageId', 'move', "fromStage", "toStage", "userId", "realUserId", "durationSeconds", "dateCreated" from "case_move";

call ctx.protect('record_move', 'tenant', 'select, insert, update ("tenantId")');

drop table "case_move";
