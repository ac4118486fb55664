alter table "asset" validate constraint "asset_loanId_fkey";
