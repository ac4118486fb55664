-- A key of ours for each identity provider: it signs our requests and opens assertions that are encrypted for us. The private half is
-- sealed by the server's secret. Providers of before get one when they are saved next.
alter table "saml_provider" add column "ownKey" text;
alter table "saml_provider" add column "ownCertificate" text;
alter table "saml_provider" add column "signsRequests" boolean not null default false;
alter table "saml_provider" add constraint "saml_provider_key" check (("ownKey" is null) = ("ownCertificate" is null));
alter table "saml_provider" add constraint "saml_provider_requests" check (not "signsRequests" or "ownKey" is not null);
