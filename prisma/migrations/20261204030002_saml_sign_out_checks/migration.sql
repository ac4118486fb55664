-- The checks of the migration before this one hold for what is stored too.
alter table "saml_request" validate constraint "saml_request_kind";
alter table "saml_request" validate constraint "saml_request_browser";
