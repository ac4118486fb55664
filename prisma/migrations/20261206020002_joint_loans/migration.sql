-- A joint loan of a group is a loan of each member, who owes a share of it: the loans name their group.
alter table "loan" add column "groupId" uuid;
alter table "loan" add constraint "loan_companyId_groupId_fkey" foreign key ("companyId", "groupId") references "client_group"("companyId", "id") on delete restrict on update restrict not valid;
