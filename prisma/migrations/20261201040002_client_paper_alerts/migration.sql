-- What was told of a paper that expires, once for each day of expiry and number of days before it.
create table "client_paper_alert" (
  "companyId" uuid not null, "documentId" uuid not null, "expiresOn" date not null, "days" integer not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "client_paper_alert_pkey" primary key ("companyId", "documentId", "expiresOn", "days"),
  constraint "client_paper_alert_companyId_documentId_fkey" foreign key ("companyId", "documentId") references "client_document"("companyId", "id") on delete cascade on update restrict
);
call ctx.protect('client_paper_alert', 'company', 'select, insert');
