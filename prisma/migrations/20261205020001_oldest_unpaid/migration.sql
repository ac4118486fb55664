create index concurrently if not exists "loan_instalment_companyId_loanId_dueSoFar_dueOn_idx" on "loan_instalment"("companyId", "loanId", "dueSoFar", "dueOn");
