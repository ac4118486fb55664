-- A sign-in anew from within a session, by which its person confirms something: the session that asked for it.
alter table "saml_request" add column "sessionId" uuid;
-- A kind of its own: the version before would take it for a sign-in.
alter table "saml_request" drop constraint "saml_request_kind";
alter table "saml_request" add constraint "saml_request_kind" check ("kind" in ('login', 'confirm', 'logout', 'answer')) not valid;
alter table "saml_request" validate constraint "saml_request_kind";
alter table "saml_request" add constraint "saml_request_session" check ("kind" <> 'confirm' or ("sessionId" is not null and "browserHash" is not null)) not valid;
alter table "saml_request" validate constraint "saml_request_session";
-- Who signs in anew may get another session at the provider, by whose name the provider signs them out.
grant update ("sessionIndex") on session_provider to fx_auth;
