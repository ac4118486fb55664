-- What was decided long ago was decided by what was seen then: a command waits ten minutes unless somebody says otherwise.
alter table geo.command alter column "expiresAt" set default now() + interval '10 minutes';
