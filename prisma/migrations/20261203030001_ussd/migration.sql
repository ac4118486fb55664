-- USSD: versioned menus, what each session asked and was answered, the numbers that dialled, what clients asked for.
create table "ussd_menu" (
  "companyId" uuid not null,
  "id" uuid not null,
  "number" integer not null,
  "state" text not null default 'Draft',
  "note" text,
  "payTo" text,
  "publishedAt" timestamptz(3),
  "publishedByUserId" uuid,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "ussd_menu_pkey" primary key ("companyId", "id"),
  constraint "ussd_menu_state" check ("state" in ('Draft', 'Published', 'Retired'))
);
create unique index "ussd_menu_companyId_number_key" on "ussd_menu"("companyId", "number");
-- One version is in force; a second one at the same moment waits and is refused.
create unique index "ussd_menu_published_once" on "ussd_menu"("companyId") where "state" = 'Published' and "deletedAt" is null;

create table "ussd_menu_item" (
  "companyId" uuid not null,
  "id" uuid not null,
  "menuId" uuid not null,
  "position" integer not null,
  "name" text not null,
  "under" text,
  "label" text not null,
  "does" text not null,
  constraint "ussd_menu_item_pkey" primary key ("companyId", "id"),
  constraint "ussd_menu_item_companyId_menuId_fkey" foreign key ("companyId", "menuId") references "ussd_menu"("companyId", "id") on delete cascade on update restrict
);
create index "ussd_menu_item_companyId_menuId_position_idx" on "ussd_menu_item"("companyId", "menuId", "position");

create table "ussd_number" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "msisdn" text not null,
  "clientId" uuid,
  "network" text,
  "sessions" integer not null default 0,
  "firstAt" timestamptz(3) not null,
  "lastAt" timestamptz(3) not null,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "ussd_number_pkey" primary key ("companyId", "id"),
  constraint "ussd_number_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict
);
create unique index "ussd_number_companyId_msisdn_key" on "ussd_number"("companyId", "msisdn");
create index "ussd_number_companyId_lastAt_id_idx" on "ussd_number"("companyId", "lastAt" desc, "id");
create index "ussd_number_companyId_clientId_idx" on "ussd_number"("companyId", "clientId");

create table "ussd_session" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "providerSessionId" text not null,
  "serviceCode" text not null,
  "msisdn" text not null,
  "network" text,
  "clientId" uuid,
  "menuId" uuid,
  "menuNumber" integer not null,
  -- Where the session is: what the next token answers. Holds no PIN.
  "place" jsonb,
  "tokens" integer not null default 0,
  "state" text not null default 'ACTIVE',
  "startedAt" timestamptz(3) not null,
  "endedAt" timestamptz(3),
  "durationMs" integer,
  "hops" integer not null default 0,
  "cost" decimal(12, 4),
  "lastMenu" text not null,
  "lastError" text,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "ussd_session_pkey" primary key ("companyId", "id"),
  constraint "ussd_session_state" check ("state" in ('ACTIVE', 'COMPLETED', 'TIMED_OUT', 'FAILED', 'ABANDONED')),
  constraint "ussd_session_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict,
  constraint "ussd_session_companyId_menuId_fkey" foreign key ("companyId", "menuId") references "ussd_menu"("companyId", "id") on delete restrict on update restrict
);
create unique index "ussd_session_companyId_providerSessionId_key" on "ussd_session"("companyId", "providerSessionId");
create index "ussd_session_companyId_startedAt_id_idx" on "ussd_session"("companyId", "startedAt" desc, "id");
create index "ussd_session_companyId_msisdn_startedAt_idx" on "ussd_session"("companyId", "msisdn", "startedAt");
create index "ussd_session_companyId_clientId_idx" on "ussd_session"("companyId", "clientId");

create table "ussd_hop" (
  "companyId" uuid not null,
  "sessionId" uuid not null,
  "seq" integer not null,
  -- What was typed; a PIN and an ID number are stars.
  "input" text not null,
  "screen" text not null,
  "response" text not null,
  "ms" integer not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "ussd_hop_pkey" primary key ("companyId", "sessionId", "seq"),
  constraint "ussd_hop_companyId_sessionId_fkey" foreign key ("companyId", "sessionId") references "ussd_session"("companyId", "id") on delete cascade on update restrict
);

create table "ussd_request" (
  "companyId" uuid not null,
  "id" uuid not null,
  "tenantId" uuid not null,
  "number" integer not null,
  "kind" text not null,
  "msisdn" text not null,
  "clientId" uuid,
  "sessionId" uuid,
  "amount" decimal(18, 2),
  "status" text not null default 'Open',
  "statusReason" text,
  "assignedUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "ussd_request_pkey" primary key ("companyId", "id"),
  constraint "ussd_request_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict,
  constraint "ussd_request_companyId_sessionId_fkey" foreign key ("companyId", "sessionId") references "ussd_session"("companyId", "id") on delete restrict on update restrict
);
create unique index "ussd_request_companyId_number_key" on "ussd_request"("companyId", "number");
create index "ussd_request_companyId_dateCreated_id_idx" on "ussd_request"("companyId", "dateCreated" desc, "id");
create index "ussd_request_companyId_clientId_idx" on "ussd_request"("companyId", "clientId");

-- Wrong PINs of a client since the PIN was set (null: while there is none, wrong ID numbers).
create table "ussd_pin_try" (
  "companyId" uuid not null,
  "clientId" uuid not null,
  "securedAt" timestamptz(3),
  "failures" integer not null default 0,
  "lockedUntil" timestamptz(3),
  constraint "ussd_pin_try_pkey" primary key ("companyId", "clientId"),
  constraint "ussd_pin_try_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete cascade on update restrict
);

call ctx.protect('ussd_menu', 'company');
call ctx.protect('ussd_menu_item', 'company');
call ctx.protect('ussd_number', 'tenant', 'select, insert, update');
call ctx.protect('ussd_session', 'tenant', 'select, insert, update');
call ctx.protect('ussd_hop', 'company', 'select, insert');
call ctx.protect('ussd_request', 'tenant', 'select, insert, update');
call ctx.protect('ussd_pin_try', 'company', 'select, insert, update');
