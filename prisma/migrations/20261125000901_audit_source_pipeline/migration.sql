alter table "audit_log" add column "source" text;
alter table "audit_log" add constraint audit_log_source_known check ("source" in ('online', 'sync', 'import', 'job', 'seed'));
