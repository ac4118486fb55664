-- Whether somebody has been asked to choose a first password and has not done so yet.
alter table "app_user"
  add column "invitation" text,
  add column "invitedAt" timestamptz(3),
  add constraint "app_user_invitation" check ("invitation" in ('sent', 'revoked'));
-- Whoever had no password so far was invited when they were made.
update "app_user" u set "invitation" = 'sent', "invitedAt" = u."dateCreated"
where not u."isProgram" and not exists (select from "credential" c where c."companyId" = u."companyId" and c."userId" = u."id");
grant update ("invitation") on app_user to fx_auth;
