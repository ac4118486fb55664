-- A connection whose provider signs: what the provider is called, and the secret before the present one, which counts for a while after a change.
alter table "provider_connection" add column "name" text;
alter table "provider_connection" add column "sealedFormer" bytea;
alter table "provider_connection" add column "formerUntil" timestamptz(3);
grant update ("sealedSecret", "sealedFormer", "formerUntil") on "provider_connection" to fx_app;
