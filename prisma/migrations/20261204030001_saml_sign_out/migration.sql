-- Single logout (SAML 2.0): where a provider takes people who sign out, and whom it calls by which name in which session of ours. Both ways
-- need it: our request names the person as the provider does, and the provider's request ends that person's sessions alone.
alter table "saml_provider" add column "sloUrl" text;
alter table "saml_provider" add column "sloResponseUrl" text;

-- A request to sign somebody out has no browser that waits for its answer.
alter table "saml_request" add column "kind" text not null default 'login';
alter table "saml_request" alter column "browserHash" drop not null;
alter table "saml_request" add constraint "saml_request_kind" check ("kind" in ('login', 'logout')) not valid;
alter table "saml_request" add constraint "saml_request_browser" check ("kind" = 'logout' or "browserHash" is not null) not valid;

create table "session_provider" (
  "companyId" uuid not null,
  "sessionId" uuid not null,
  "providerId" uuid not null,
  "nameId" text not null,
  "nameIdFormat" text,
  "nameQualifier" text,
  "spNameQualifier" text,
  "sessionIndex" text,
  constraint "session_provider_pkey" primary key ("companyId", "sessionId"),
  constraint "session_provider_companyId_sessionId_fkey" foreign key ("companyId", "sessionId")
    references "session"("companyId", "id") on delete cascade on update restrict
);
create unique index "session_provider_sessionId_key" on "session_provider"("sessionId");
create index "session_provider_companyId_providerId_nameId_idx" on "session_provider"("companyId", "providerId", "nameId");
call ctx.protect('session_provider', 'company', '');
create policy auth_wall on session_provider to fx_auth using (true) with check (true);
grant select, insert on session_provider to fx_auth;
