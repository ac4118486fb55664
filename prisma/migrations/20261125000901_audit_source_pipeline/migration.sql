alter table "audit_log" add column "source" text;
alter table "audit_log" add constraint audit_log_source_known check ("source" in ('online', 'sync', 'import', 'job', 'seed'));

-- The hash of each entry of a chain: over its contents and the hash before it. Reads each entry once, however many there are.
create function ctx.audit_link(link bytea, first bytea, entry jsonb) returns bytea language sql immutable parallel safe
  as $$ select sha256(coalesce(link, first) || convert_to(entry::text, 'UTF8')) $$;
create aggregate ctx.audit_chain(first bytea, entry jsonb) (sfunc = ctx.audit_link, stype = bytea);
