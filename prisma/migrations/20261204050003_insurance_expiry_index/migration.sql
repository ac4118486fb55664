create index concurrently if not exists "insurance_choice_companyId_expiresOn_idx" on "insurance_choice"("companyId", "expiresOn");
