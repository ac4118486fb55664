create index concurrently if not exists "complaint_companyId_loanId_idx" on "complaint"("companyId", "loanId");
