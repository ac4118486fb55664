-- What a group brings to a meeting: who came, what was expected and received of each loan. Posted once, all or nothing; a line's payment has the line's id.
create table "collection_sheet" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "number" integer not null,
  "groupId" uuid not null, "meetingOn" date not null, "note" text,
  "status" text not null default 'Draft', "statusReason" text,
  "postedAt" timestamptz(3), "postedByUserId" uuid, "createdByUserId" uuid not null,
  "version" bigint not null default 1, "syncSeq" bigint not null default 0,
  "dateCreated" timestamptz(3) not null default current_timestamp, "dateModified" timestamptz(3) not null default current_timestamp, "deletedAt" timestamptz(3),
  constraint "collection_sheet_pkey" primary key ("companyId", "id"),
  constraint "collection_sheet_companyId_groupId_fkey" foreign key ("companyId", "groupId") references "client_group"("companyId", "id") on delete restrict on update restrict
);
create unique index "collection_sheet_companyId_number_key" on "collection_sheet"("companyId", "number");
-- A meeting has one sheet; a cancelled one makes room.
create unique index "collection_sheet_meeting_once" on "collection_sheet"("companyId", "groupId", "meetingOn") where "status" <> 'Cancelled' and "deletedAt" is null;
create index "collection_sheet_companyId_dateCreated_id_idx" on "collection_sheet"("companyId", "dateCreated" desc, "id");
create index "collection_sheet_companyId_tenantId_idx" on "collection_sheet"("companyId", "tenantId");
create index "collection_sheet_companyId_groupId_idx" on "collection_sheet"("companyId", "groupId");

create table "collection_line" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "sheetId" uuid not null, "position" integer not null,
  "clientId" uuid not null, "loanId" uuid, "expected" numeric(18, 2) not null default 0, "received" numeric(18, 2) not null default 0, "attendance" text not null default 'Present',
  constraint "collection_line_pkey" primary key ("companyId", "id"),
  constraint "collection_line_amounts" check ("expected" >= 0 and "received" >= 0),
  constraint "collection_line_companyId_sheetId_fkey" foreign key ("companyId", "sheetId") references "collection_sheet"("companyId", "id") on delete cascade on update restrict,
  constraint "collection_line_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict,
  constraint "collection_line_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict
);
create index "collection_line_companyId_sheetId_idx" on "collection_line"("companyId", "sheetId");
create index "collection_line_companyId_clientId_idx" on "collection_line"("companyId", "clientId");
create index "collection_line_companyId_loanId_idx" on "collection_line"("companyId", "loanId");

call ctx.protect('collection_sheet', 'tenant');
call ctx.protect('collection_line', 'tenant');
create trigger require_stream before insert or update or delete on collection_sheet for each statement execute function ctx.require_stream();
