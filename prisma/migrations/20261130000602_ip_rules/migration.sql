-- Addresses that people and programs of a company may call from. fx_auth reads them with the identity of every caller.
create table "ip_rule" (
  "companyId" uuid not null,
  "id" uuid not null,
  "name" text not null,
  "range" text not null,
  "appliesTo" text not null default 'company',
  "roleId" uuid,
  "userId" uuid,
  "mayLockOut" boolean not null default false,
  "createdByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  "deletedAt" timestamptz(3),
  constraint "ip_rule_pkey" primary key ("companyId", "id"),
  constraint "ip_rule_of_somebody" check (("appliesTo" = 'company' and "roleId" is null and "userId" is null)
    or ("appliesTo" = 'role' and "roleId" is not null and "userId" is null) or ("appliesTo" = 'user' and "userId" is not null and "roleId" is null))
);
create unique index "ip_rule_id_key" on "ip_rule"("id");
create index "ip_rule_companyId_dateCreated_id_idx" on "ip_rule"("companyId", "dateCreated" desc, "id");

call ctx.protect('ip_rule', 'company');
create policy auth_wall on ip_rule for select to fx_auth using (true);
grant select on ip_rule to fx_auth;
