-- How the console looks and speaks for a person: language, menu, width, density. Kept like tours, also for staff of a group.
alter table public.app_user add column "preferences" jsonb not null default '{}';
grant update ("preferences") on app_user to fx_auth;
