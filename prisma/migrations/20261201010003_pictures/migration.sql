-- The picture of a person: a stored file that belongs to the user.
alter table "app_user" add column "pictureId" uuid;
