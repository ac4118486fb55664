-- The year in which a vehicle that secures an application was made: premiums of insurers go by its years.
alter table application_collateral add column "year" integer;
