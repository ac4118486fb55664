create index concurrently if not exists "agent_action_happened_company" on agent_action ("companyId", (least(coalesce("deviceTime", "dateCreated"), "dateCreated")) desc);
