-- Whether a second person has to approve a disbursement: always, unless the company set a limit and the amount was not above it when it was asked for.
alter table "disbursement" add column "needsSecond" boolean not null default true;
