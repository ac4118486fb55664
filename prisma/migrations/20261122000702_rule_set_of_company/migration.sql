-- A rule set belongs to the company as a whole: it is filed under no branch.
alter table "rule_set" drop column "tenantId";
