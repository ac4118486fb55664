-- What the ways in remember of a device carries this number, and what they write asks for it: a line that stayed open
-- while its device was deleted, switched off or given another identity writes nothing for it any more.
alter table geo.device add column "generation" integer not null default 1;

create function geo.next_generation() returns trigger language plpgsql set search_path = '' as $$
begin
  new."generation" := old."generation" + 1;
  return new;
end $$;

create trigger next_generation before update on geo.device for each row
  when (old."uniqueId" is distinct from new."uniqueId" or old."disabled" is distinct from new."disabled" or old."deletedAt" is distinct from new."deletedAt"
    or old."tokenHash" is distinct from new."tokenHash" or old."model" is distinct from new."model" or old."attributes" ->> 'utcOffsetMinutes' is distinct from new."attributes" ->> 'utcOffsetMinutes'
    or old."generation" is distinct from new."generation")
  execute function geo.next_generation();

grant select ("generation") on geo.device to fx_ingest;
