-- The loan that an asset secures: another person's than its client's, or one of several.
alter table "asset" add column "loanId" uuid;
alter table "asset" add constraint "asset_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict not valid;
