-- A file is read as far as its record: photos that were stored for none and then added to an activity belong to that activity.
update stored_file f set "ownerType" = 'activity', "ownerId" = x."activityId"
from (select distinct on ("companyId", "fileId") "companyId", "fileId", "activityId" from activity_file order by "companyId", "fileId", "dateCreated", "id") x
where f."companyId" = x."companyId" and f."id" = x."fileId" and f."ownerId" is null;
