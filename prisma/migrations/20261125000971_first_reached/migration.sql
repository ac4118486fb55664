-- Whether a lead reached a status before is asked for each entry of the log that a figure counts: the index answers it alone.
-- What reads a lead's whole log finds it by the same two first columns.
drop index "lead_status_log_companyId_leadId_dateCreated_idx";
create index "lead_status_log_companyId_leadId_toStatus_dateCreated_id_idx" on "lead_status_log" ("companyId", "leadId", "toStatus", "dateCreated", "id");
