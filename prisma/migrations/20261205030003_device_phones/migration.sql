-- ctx.phones() is asked in every statement over what devices told: the few phones are found without reading the fleet.
create index concurrently if not exists "device_phones" on geo.device ("companyId", "id") where "userId" is not null;
