-- Programs that sign people in are set up on screen: what they may do in a person's name, and a secret for those that can keep one.
alter table "oauth_client"
  drop column "status",
  alter column "redirectUris" set default '{}',
  alter column "redirectUris" set not null,
  add column "isDisabled" boolean not null default false,
  add column "clientType" text not null default 'public',
  add column "scopes" text[] not null default '{}',
  add column "secretHash" bytea,
  add column "secretToldAt" timestamptz(3),
  add column "formerSecretHash" bytea,
  add column "formerUntil" timestamptz(3),
  add column "lastUsedAt" timestamptz(3),
  add column "version" bigint not null default 1,
  add column "dateModified" timestamptz(3) not null default current_timestamp,
  add column "deletedAt" timestamptz(3),
  add constraint "oauth_client_type" check ("clientType" in ('public', 'confidential'));
create unique index "oauth_client_id_key" on "oauth_client"("id");
create index "oauth_client_companyId_dateCreated_id_idx" on "oauth_client"("companyId", "dateCreated" desc, "id");

create policy auth_used on oauth_client for update to fx_auth using (true) with check (true);
grant update ("lastUsedAt") on oauth_client to fx_auth;

-- A session that a program opened may do what that program may, and ends with it.
alter table "session" add column "oauthClientId" uuid;
