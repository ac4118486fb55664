create index concurrently if not exists "asset_companyId_loanId_idx" on "asset"("companyId", "loanId");
