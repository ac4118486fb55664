-- Single logout by the HTTP-POST binding: how a provider takes our messages, and the message that its person's browser is about to carry.
alter table "saml_provider" add column "sloBinding" text not null default 'redirect';
alter table "saml_provider" add constraint "saml_provider_slo" check ("sloBinding" in ('redirect', 'post')) not valid;
alter table "saml_provider" validate constraint "saml_provider_slo";
alter table "saml_request" add column "message" jsonb;
-- An answer to a request of the provider waits for nothing: its row is only what the browser carries.
alter table "saml_request" drop constraint "saml_request_kind";
alter table "saml_request" add constraint "saml_request_kind" check ("kind" in ('login', 'logout', 'answer')) not valid;
alter table "saml_request" validate constraint "saml_request_kind";
alter table "saml_request" drop constraint "saml_request_browser";
alter table "saml_request" add constraint "saml_request_browser" check ("kind" <> 'login' or "browserHash" is not null) not valid;
alter table "saml_request" validate constraint "saml_request_browser";
