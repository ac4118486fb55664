-- Where a session was last used from, beside where it was opened: written with each refresh. A list of addresses is tried against it.
alter table "session" add column "lastIp" text;
