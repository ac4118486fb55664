-- What was done in a period is summed from logs that never change: their indexes carry all that is asked (the tenant for the
-- walls), so that the tables themselves are not read. Who held a lead, and when:
drop index "lead_assignment_companyId_leadId_idx";
create index "lead_assignment_holders" on "lead_assignment" ("companyId", "leadId", "dateCreated", "id" desc, "userId", "tenantId");
-- Whether a lead reached a status before:
drop index "lead_status_log_companyId_leadId_toStatus_dateCreated_id_idx";
create index "lead_status_log_reached" on "lead_status_log" ("companyId", "leadId", "toStatus", "dateCreated", "id", "tenantId");
-- Assessments of a period, instead of all leads of the company.
create index "lead_companyId_affordabilityDate_idx" on "lead" ("companyId", "affordabilityDate") where "affordabilityDate" is not null;
