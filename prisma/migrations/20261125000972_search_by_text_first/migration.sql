-- A GIN index looks at its columns in their order and starts over at the first one for each entry of the second that does not
-- match after all. With the company first, a search for one word walked through every record of the company.
drop index "lead_search";
create index "lead_search" on "lead" using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);
drop index "client_search";
create index "client_search" on "client" using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);
drop index "activity_search";
create index "activity_search" on "activity" using gin ("searchText" gin_trgm_ops, "companyId" uuid_ops);
