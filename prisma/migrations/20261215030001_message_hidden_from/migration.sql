-- The person whom the complaint of a letter is about, noted at each write: news of the letter does not reach them.
alter table "client_message" add column "hiddenFromUserId" uuid;
