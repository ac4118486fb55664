-- Statements keep money that went out too, and a payout says who told of it and which amount that was.
alter table "money_statement_line" add column "direction" text not null default 'in', add column "disbursementId" uuid;
-- Statements that were read before kept nothing of what went out, and some files show only what came in: no payout is missed on them.
alter table "money_statement" add column "showsOut" boolean not null default false;
alter table "disbursement" add column "provider" text, add column "providerAmount" numeric(18, 2);
