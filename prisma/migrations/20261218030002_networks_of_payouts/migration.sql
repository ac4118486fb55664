-- The network that mobile money went or came by: its statement shows it. Rows from before name none and count as M-Pesa's, as they did.
alter table "disbursement" add column "network" text;
alter table "security_sale" add column "network" text;
