-- Parts of files on their way from a device.
create table "upload_portion" (
  "companyId" uuid not null,
  "userId" uuid not null,
  "fileId" uuid not null,
  "offset" integer not null,
  "length" integer not null,
  "size" integer not null,
  "sha256" bytea not null,
  "bytes" bytea not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "upload_portion_pkey" primary key ("companyId", "userId", "fileId", "offset")
);
-- Pictures do not shrink any further.
alter table upload_portion alter column "bytes" set storage external;
call ctx.protect('upload_portion', 'company');
