-- Values that a tenant chose for a setting; those below it inherit them. fx_auth reads all: sessions and passwords go by
-- them before a company is known, and a company inherits from its group, which lies behind the company's wall.
create table "setting" (
  "companyId" uuid not null,
  "tenantId" uuid not null,
  "name" text not null,
  "value" jsonb not null,
  "modifiedByUserId" uuid not null,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "setting_pkey" primary key ("companyId", "tenantId", "name"),
  constraint "setting_companyId_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant" ("companyId", "id") on delete cascade on update restrict
);
create unique index "setting_tenantId_name_key" on "setting"("tenantId", "name");
call ctx.protect('setting', 'tenant');
create policy auth_wall on setting for select to fx_auth using (true);
grant select on setting to fx_auth;

-- How long a session lasts without use, as the company had it when the session began; none: as the policy says.
alter table session add column "idleSeconds" integer;
