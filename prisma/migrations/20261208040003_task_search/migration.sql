create index concurrently "task_search" on task using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);
