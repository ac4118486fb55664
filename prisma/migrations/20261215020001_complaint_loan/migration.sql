-- The loan that a complaint is about: one of its client's.
alter table "complaint" add column "loanId" uuid;
alter table "complaint" add constraint "complaint_companyId_loanId_fkey" foreign key ("companyId", "loanId") references "loan"("companyId", "id") on delete restrict on update restrict not valid;
