-- Phones that belong to the company and that it says so of, with a reason: they are followed in working time without the consent of who carries
-- them, from when they were marked, while that person carries them. `deviceId`: a device of the geo service, or a work device.
create table "company_phone" (
  "companyId" uuid not null,
  "id" uuid not null,
  "deviceId" uuid not null,
  -- Tracker | Work device
  "kind" text not null,
  "name" text not null,
  "userId" uuid not null,
  "tenantId" uuid not null,
  "reason" text not null,
  "markedByUserId" uuid not null,
  "since" timestamptz(3) not null default current_timestamp,
  "endReason" text,
  "endedAt" timestamptz(3),
  "endedByUserId" uuid,
  "version" bigint not null default 1,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  "dateModified" timestamptz(3) not null default current_timestamp,
  constraint "company_phone_pkey" primary key ("companyId", "id"),
  constraint "company_phone_userId_fkey" foreign key ("companyId", "userId") references "app_user" ("companyId", "id") on update restrict on delete cascade,
  constraint "company_phone_tenantId_fkey" foreign key ("companyId", "tenantId") references "tenant" ("companyId", "id") on update restrict on delete restrict,
  constraint "company_phone_kind" check ("kind" in ('Tracker', 'Work device')),
  constraint "company_phone_end" check (("endedAt" is null) = ("endReason" is null))
);
create unique index "company_phone_marked_key" on "company_phone"("companyId", "deviceId", "userId") where "endedAt" is null;
create index "company_phone_companyId_dateCreated_id_idx" on "company_phone"("companyId", "dateCreated" desc, "id");
create index "company_phone_companyId_tenantId_idx" on "company_phone"("companyId", "tenantId");
create index "company_phone_companyId_userId_idx" on "company_phone"("companyId", "userId");
-- Of the whole company, as the consents are: who sees whose is said by the reach of people.
call ctx.protect('company_phone', 'company');

grant select ("companyId", "deviceId", "userId", "since", "endedAt") on "company_phone" to fx_search;
create policy search_wall on "company_phone" for select to fx_search using (true);
grant select ("name", "deletedAt") on geo.device to fx_search;
grant create on schema ctx to fx_search;

-- Of moments, those at which a person may be followed by this device: at work, with their consent while it stands, or by a phone of the company.
create function ctx.trackable_by(company uuid, person uuid, device uuid, moments timestamptz[]) returns setof timestamptz
language sql stable security definer set search_path = '' as $$
  with may as materialized (
    select c."givenAt" as since from public.tracking_consent c where c."companyId" = company and c."userId" = person and c."status" = 'Given'
    union all select p."since" from public.company_phone p where p."companyId" = company and p."deviceId" = device and p."userId" = person and p."endedAt" is null
  )
  select m from unnest(moments) m where m >= (select min(since) from may)
    and exists (select from ctx.working_spans(company, person, (select min(x) from unnest(moments) x), (select max(x) from unnest(moments) x)) span where span @> m)
$$;
create function ctx.own_trackable_by(person uuid, device uuid, moments timestamptz[]) returns setof timestamptz
language sql stable security definer set search_path = '' as $$ select ctx.trackable_by(ctx.company(), person, device, moments) $$;
-- Who carries a phone of the company of the context, and what it is called; nothing for a device that nobody carries.
create function ctx.own_phone(device uuid) returns table ("userId" uuid, "name" text) language sql stable security definer set search_path = '' as $$
  select d."userId", d."name" from geo.device d where d."companyId" = ctx.company() and d."id" = device and d."userId" is not null and d."deletedAt" is null
$$;
revoke all on function ctx.trackable_by(uuid, uuid, uuid, timestamptz[]), ctx.own_trackable_by(uuid, uuid, timestamptz[]), ctx.own_phone(uuid) from public;
grant execute on function ctx.own_trackable_by(uuid, uuid, timestamptz[]), ctx.own_phone(uuid) to fx_app;
grant execute on function ctx.trackable_by(uuid, uuid, uuid, timestamptz[]) to fx_ingest;
do $$
declare wall regprocedure;
begin
  foreach wall in array array['ctx.trackable_by(uuid, uuid, uuid, timestamptz[])', 'ctx.own_trackable_by(uuid, uuid, timestamptz[])', 'ctx.own_phone(uuid)']::regprocedure[] loop
    execute format('alter function %s owner to fx_search', wall);
  end loop;
end $$;
revoke create on schema ctx from fx_search;
