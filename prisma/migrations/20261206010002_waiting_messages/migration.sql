-- What a provider sent and nothing followed from yet: few among millions.
create index concurrently if not exists "provider_message_waiting" on provider_message ("companyId", "provider", "dateReceived") where "doneAt" is null;
