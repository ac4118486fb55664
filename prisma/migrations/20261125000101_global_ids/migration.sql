-- What is looked up before a company is known, or named across the companies of a group, exists once in the whole
-- database: a twin of somebody else's id, token or client would be taken for the other. Tests hold this for every
-- table that a role sees without a company (tests/security/support/schema-rules.ts).
create unique index "tenant_id_key" on tenant ("id");
create unique index "app_user_id_key" on app_user ("id");
create unique index "role_id_key" on role ("id");
create unique index "session_id_key" on session ("id");
create unique index "user_device_id_key" on user_device ("id");
create unique index "outbox_id_key" on outbox ("id");
create unique index "credential_userId_key" on credential ("userId");

drop index "refresh_token_tokenHash_idx";
create unique index "refresh_token_tokenHash_key" on refresh_token ("tokenHash");
drop index "one_time_token_tokenHash_idx";
create unique index "one_time_token_tokenHash_key" on one_time_token ("tokenHash");
drop index "oauth_client_clientId_idx";
create unique index "oauth_client_clientId_key" on oauth_client ("clientId");
drop index "push_device_tokenHash_idx";
create unique index "push_device_tokenHash_key" on push_device ("tokenHash");

-- A run is its user's, and the user is the one of that home: both are matched together. The owner of the tables is
-- held by the walls too, unless they are lowered for the moment.
alter table report_run add column "homeCompanyId" uuid;
alter table report_run no force row level security;
alter table app_user no force row level security;
update report_run r set "homeCompanyId" = coalesce((select u."companyId" from app_user u where u."id" = r."userId"), r."companyId");
alter table app_user force row level security;
alter table report_run force row level security;
alter table report_run alter column "homeCompanyId" set not null;
