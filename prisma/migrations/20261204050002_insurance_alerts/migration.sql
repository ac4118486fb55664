-- Stamp duty of a premium, and what was told of a policy that expires: once for each day of expiry and number of days before it.
alter table "insurance_offer" add column "stamp" numeric(18, 2) not null default 0;

create table "insurance_alert" (
  "companyId" uuid not null, "choiceId" uuid not null, "expiresOn" date not null, "days" integer not null,
  "dateCreated" timestamptz(3) not null default current_timestamp,
  constraint "insurance_alert_pkey" primary key ("companyId", "choiceId", "expiresOn", "days"),
  constraint "insurance_alert_companyId_choiceId_fkey" foreign key ("companyId", "choiceId") references "insurance_choice"("companyId", "id") on delete cascade on update restrict
);
call ctx.protect('insurance_alert', 'company', 'select, insert');
