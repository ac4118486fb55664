-- Identity providers of a company (SAML 2.0), whom their assertions mean, and what was asked and taken before.
create table "saml_provider" (
  "companyId" uuid not null,
  "id" uuid not null,
  "name" text not null,
  -- What people type and addresses hold; drawn, so that nobody takes another one's.
  "key" text not null,
  "metadata" text not null,
  "entityId" text not null,
  "ssoUrl" text not null,
  "certificates" text[] not null,
  "certificateEndsAt" timestamptz(3) not null,
  "isDisabled" boolean not null default false,
  "signs" text not null default 'assertion',
  "emailAttribute" text,
  "firstNameAttribute" text,
  "lastNameAttribute" text,
  "roleAttribute" text,
  "linksByEmail" boolean not null default true,
  "makesUsers" boolean not null default false,
  "defaultTenantId" uuid,
  "defaultRoleId" uuid,
  -- The rights of who saved it last: nobody signs in with more.
  "allowedPermissions" text[] not null default '{}',
  "lastUsedAt" timestamptz(3),
  "lastRefusedAt" timestamptz(3),
  "lastRefusal" text,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "saml_provider_pkey" primary key ("companyId", "id"),
  constraint "saml_provider_signs" check ("signs" in ('assertion', 'response', 'both'))
);
create unique index "saml_provider_id_key" on "saml_provider"("id");
create unique index "saml_provider_key_key" on "saml_provider"("key");
create index "saml_provider_companyId_dateCreated_id_idx" on "saml_provider"("companyId", "dateCreated" desc, "id");

create table "saml_role" (
  "companyId" uuid not null,
  "id" uuid not null,
  "providerId" uuid not null,
  "position" integer not null,
  "value" text not null,
  "roleId" uuid not null,
  constraint "saml_role_pkey" primary key ("companyId", "id"),
  constraint "saml_role_companyId_providerId_fkey" foreign key ("companyId", "providerId")
    references "saml_provider"("companyId", "id") on delete cascade on update restrict
);
create index "saml_role_companyId_providerId_position_idx" on "saml_role"("companyId", "providerId", "position");

-- Who somebody is: the provider and its name for the person.
create table "saml_identity" (
  "companyId" uuid not null,
  "providerId" uuid not null,
  "nameId" text not null,
  "userId" uuid not null,
  -- The provider's assertion made the user, whose roles therefore follow it.
  "isMade" boolean not null default false,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "lastUsedAt" timestamptz(3),
  constraint "saml_identity_pkey" primary key ("companyId", "providerId", "nameId")
);
create unique index "saml_identity_providerId_nameId_key" on "saml_identity"("providerId", "nameId");
create index "saml_identity_companyId_userId_idx" on "saml_identity"("companyId", "userId");

-- A sign-in under way: what was asked, and the browser that asked.
create table "saml_request" (
  "companyId" uuid not null,
  "id" text not null,
  "providerId" uuid not null,
  "browserHash" bytea not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "expiresAt" timestamptz(3) not null,
  "usedAt" timestamptz(3),
  constraint "saml_request_pkey" primary key ("companyId", "id")
);
create unique index "saml_request_id_key" on "saml_request"("id");
create index "saml_request_companyId_providerId_expiresAt_idx" on "saml_request"("companyId", "providerId", "expiresAt");

-- Assertions that were taken, until they would be refused anyway.
create table "saml_assertion" (
  "companyId" uuid not null,
  "providerId" uuid not null,
  "assertionHash" bytea not null,
  "expiresAt" timestamptz(3) not null,
  constraint "saml_assertion_pkey" primary key ("companyId", "providerId", "assertionHash")
);
create unique index "saml_assertion_providerId_assertionHash_key" on "saml_assertion"("providerId", "assertionHash");
create index "saml_assertion_companyId_expiresAt_idx" on "saml_assertion"("companyId", "expiresAt");

call ctx.protect('saml_provider', 'company');
call ctx.protect('saml_role', 'company');
call ctx.protect('saml_identity', 'company', 'select, insert');
call ctx.protect('saml_request', 'company', '');
call ctx.protect('saml_assertion', 'company', '');
create policy auth_wall on saml_provider for select to fx_auth using (true);
create policy auth_used on saml_provider for update to fx_auth using (true) with check (true);
grant select on saml_provider to fx_auth;
grant update ("lastUsedAt", "lastRefusedAt", "lastRefusal") on saml_provider to fx_auth;
create policy auth_wall on saml_identity to fx_auth using (true) with check (true);
grant select, update ("lastUsedAt") on saml_identity to fx_auth;
create policy auth_wall on saml_request to fx_auth using (true) with check (true);
grant select, insert, update, delete on saml_request to fx_auth;
create policy auth_wall on saml_assertion to fx_auth using (true) with check (true);
grant select, insert, delete on saml_assertion to fx_auth;
