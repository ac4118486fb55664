-- Figures of a period ask little of activities and leads: when, by whom, under which tenant. The indexes answer that without their wide rows.
create index "activity_times" on "activity" ("companyId", "id", "startDate", "statusId", "tenantId") where "deletedAt" is null;
create index "lead_facts" on "lead" ("companyId", "id", "dateCreated", "createdByUserId", "tenantId", "type") where "deletedAt" is null;
