-- An assessment is of a lead, or of a client: one who was never a lead is assessed as well. Of a client who was one it names both.
alter table "affordability_run" add column "clientId" uuid, alter column "leadId" drop not null;
alter table "affordability_run" add constraint "affordability_run_companyId_clientId_fkey" foreign key ("companyId", "clientId") references "client"("companyId", "id") on delete restrict on update restrict not valid;
alter table "affordability_run" add constraint "affordability_run_of_somebody" check ("leadId" is not null or "clientId" is not null) not valid;
