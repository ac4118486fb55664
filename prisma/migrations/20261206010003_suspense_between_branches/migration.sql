-- Entries that moved a payment's suspense between branches: few among millions.
create index concurrently if not exists "ledger_entry_moved" on ledger_entry ("companyId", "paymentId") where "kind" = 'transfer' and "paymentId" is not null;
