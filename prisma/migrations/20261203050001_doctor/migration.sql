-- `npm run doctor` tells which migrations are missing without a superuser. Names of migrations are no company's.
-- A shadow database, in which migrations are compared with the models, has no such table.
do $$ begin
  if to_regclass('public._prisma_migrations') is not null then grant select on _prisma_migrations to fx_relay; end if;
end $$;
