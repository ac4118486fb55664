alter table "affordability_run" validate constraint "affordability_run_companyId_clientId_fkey";
alter table "affordability_run" validate constraint "affordability_run_of_somebody";
