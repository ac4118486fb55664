-- A statement may be of a provider that signs, by the name of its connection: then its source is 'provider'.
alter table "money_statement" add column "provider" text;
alter table "money_statement" drop constraint "money_statement_source";
alter table "money_statement" add constraint "money_statement_source_named" check ("source" in ('mpesa', 'bank') or "source" = 'provider' and "provider" is not null) not valid;
