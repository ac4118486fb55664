create index concurrently if not exists "agent_action_happened" on agent_action ("companyId", "performedByUserId", (least(coalesce("deviceTime", "dateCreated"), "dateCreated")) desc);
