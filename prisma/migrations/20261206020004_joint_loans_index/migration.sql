create index concurrently if not exists "loan_companyId_groupId_idx" on "loan"("companyId", "groupId");
