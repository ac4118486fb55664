-- Waiting long in the queue is no failed try: sendings (attempt) and failures are counted apart.
alter table outbox add column "failures" integer not null default 0;
