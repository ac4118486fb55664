-- A device that was lost is signed out by the office: the session of its last report ends.
alter table sync_device add column "sessionId" uuid, add column "signedOutAt" timestamptz(3), add column "signedOutByUserId" uuid;
