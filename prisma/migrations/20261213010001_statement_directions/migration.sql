-- Statements keep money that went out too, and a payout says who told of it and which amount that was.
alter table "money_statement_line" add column "direction" text not null default 'in', add column "disbursementId" uuid;
alter table "disbursement" add column "provider" text, add column "providerAmount" numeric(18, 2);
