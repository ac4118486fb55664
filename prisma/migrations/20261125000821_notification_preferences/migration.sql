-- Which kinds of news a person wants on the bell and by mail; a kind without a row rings and is not mailed.
create table public.notification_preference (
  "companyId" uuid not null,
  "userId" uuid not null,
  "kind" text not null,
  "bell" boolean not null default true,
  "mail" boolean not null default false,
  constraint "notification_preference_pkey" primary key ("companyId", "userId", "kind")
);
call ctx.protect('notification_preference', 'company');

-- The history is read newest first, whether read or not.
create index "notification_companyId_userId_dateCreated_idx" on public.notification ("companyId", "userId", "dateCreated" desc);
