-- Photos, papers and signatures of filled forms: stored files, which devices send by themselves.
create table "web_form_answer_file" (
  "companyId" uuid not null, "id" uuid not null, "tenantId" uuid not null, "answerId" uuid not null, "fileId" uuid not null,
  "addedByUserId" uuid not null, "removedByUserId" uuid,
  "dateCreated" timestamptz(3) not null default current_timestamp, "removedAt" timestamptz(3),
  constraint "web_form_answer_file_pkey" primary key ("companyId", "id"),
  constraint "web_form_answer_file_companyId_answerId_fkey" foreign key ("companyId", "answerId") references "web_form_answer"("companyId", "id") on delete cascade on update restrict,
  constraint "web_form_answer_file_companyId_fileId_fkey" foreign key ("companyId", "fileId") references "stored_file"("companyId", "id") on delete restrict on update restrict
);
create unique index "web_form_answer_file_companyId_answerId_fileId_key" on "web_form_answer_file"("companyId", "answerId", "fileId");
create index "web_form_answer_file_companyId_fileId_idx" on "web_form_answer_file"("companyId", "fileId");

call ctx.protect('web_form_answer_file', 'tenant', 'select, insert, update');
