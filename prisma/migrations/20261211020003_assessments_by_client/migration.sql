create index concurrently if not exists "affordability_run_companyId_clientId_dateCreated_idx" on "affordability_run"("companyId", "clientId", "dateCreated" desc);
