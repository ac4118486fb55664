alter table "loan" validate constraint "loan_companyId_groupId_fkey";
