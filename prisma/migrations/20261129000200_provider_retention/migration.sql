-- What a provider sent is kept for the time that its door declares. Then the contents go; the id stays, so that nothing is done twice.
alter table "provider_message" add column "expiresAt" timestamptz(3) default (now() + interval '90 days');
alter table "provider_message" alter column "expiresAt" drop default;
create index "provider_message_companyId_connectionId_expiresAt_idx" on "provider_message"("companyId", "connectionId", "expiresAt");
grant update ("body", "expiresAt") on "provider_message" to fx_app;
-- Connections of before have no job yet.
insert into "outbox" ("companyId", "id", "type", "payload", "runAt")
select "companyId", uuidv7(), 'providers.eraseMessages', jsonb_build_object('connectionId', "id"), now() + interval '1 day' from "provider_connection";
