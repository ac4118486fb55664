-- An administrator whom a list of addresses locks out asks the group to be let in from where they are, once and for an hour.
create table "break_glass" (
  "companyId" uuid not null,
  "id" uuid not null default uuidv7(),
  "userId" uuid not null,
  "ip" text not null,
  "tokenHash" bytea,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "expiresAt" timestamptz(3) not null,
  "usedAt" timestamptz(3),
  "allowedUntil" timestamptz(3),
  constraint "break_glass_pkey" primary key ("companyId", "id")
);
create unique index "break_glass_tokenHash_key" on "break_glass"("tokenHash");
create index "break_glass_companyId_userId_dateCreated_idx" on "break_glass"("companyId", "userId", "dateCreated" desc);
call ctx.protect('break_glass', 'company', 'select, update');
-- Asked for at the sign-in and looked up before a company is known.
create policy auth_wall on break_glass to fx_auth using (true) with check (true);
grant select, insert on break_glass to fx_auth;
