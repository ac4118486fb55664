alter table "complaint" validate constraint "complaint_companyId_loanId_fkey";
