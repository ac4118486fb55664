-- A sign-in from a device that the person had not used before; they are told of it by mail.
alter table login_event add column "isNewDevice" boolean not null default false;
