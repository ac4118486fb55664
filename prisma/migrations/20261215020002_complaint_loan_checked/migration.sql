alter table "complaint" validate constraint "complaint_loanId_fkey";
