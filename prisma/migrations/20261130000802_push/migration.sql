-- Push messages are a third way of being told; a kind without a row is pushed to devices that the person registered.
alter table public.notification_preference add column "push" boolean not null default true;
